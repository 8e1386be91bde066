// The picture's colours and letters. No variables: several SVG programs do not know them.
#pragma once

#include <string_view>

namespace railgauge::present {

// Every rule is below .rg so that it does not reach a page the picture is put into.
inline constexpr std::string_view svg_style = R"css(
.rg{font-family:system-ui,"Segoe UI",Helvetica,Arial,"DejaVu Sans",sans-serif;font-size:10.5px}
.rg text{fill:#1c2430}
.rg .title{font-size:20px;font-weight:600}
.rg .head{font-size:12px;font-weight:600}
.rg .id{font-size:12.5px;font-weight:700}
.rg .soft{fill:#5a6675}
.rg .middle{text-anchor:middle}
.rg .end{text-anchor:end}
.rg .paper{fill:#ffffff}
.rg .package{fill:#f3f5f8;stroke:#a9b4c2}
.rg .numa{fill:#ffffff;stroke:#c3ccd8}
.rg .switch{fill:#e6ebf2;stroke:#7c8a9c}
.rg .gpu{fill:#e3f3e1;stroke:#4c9a46}
.rg .nic{fill:#e4eefb;stroke:#4a7fc1}
.rg .fabric{fill:#d5ecd1;stroke:#4c9a46}
.rg .strip{fill:#cdd6e1}
.rg .strip.unknown{fill:#e7e9ec}
.rg .strip.degraded{fill:#c62828}
.rg text.on-degraded{fill:#ffffff;font-weight:700}
.rg text.degraded{fill:#c62828;font-weight:700}
.rg text.unknown{fill:#75808d;font-style:italic}
.rg .wire{fill:none;stroke:#7c8a9c;stroke-width:1.6}
.rg .bond{fill:none;stroke:#4c9a46}
.rg .socket{fill:none;stroke:#8a5fb5}
.rg .wire.degraded,.rg .bond.degraded,.rg .socket.degraded{stroke:#c62828}
.rg .wire.unknown,.rg .bond.unknown,.rg .socket.unknown{stroke:#9aa4b0}
.rg .inferred{stroke-dasharray:5 3}
.rg .mark-box{fill:none;stroke:#b71c1c;stroke-width:3}
.rg .mark-link{fill:none;stroke:#1c2430;stroke-width:2}
.rg .mark-label{fill:#b71c1c}
.rg text.mark-text{fill:#ffffff;font-weight:700}
.rg .warning .mark-box{stroke:#8a5a00}
.rg .warning .mark-label{fill:#8a5a00}
.rg .note .mark-box{stroke:#2b62a8;stroke-dasharray:6 4}
.rg .note .mark-label{fill:#2b62a8}
.rg .mark:focus-visible .mark-box,.rg .mark:target .mark-box{stroke-width:6}
@media (prefers-color-scheme:dark){
.rg text{fill:#e4e9f0}
.rg .soft{fill:#a3afbd}
.rg .paper{fill:#12161c}
.rg .package{fill:#1b212a;stroke:#4a5666}
.rg .numa{fill:#12161c;stroke:#3c4756}
.rg .switch{fill:#2a323e;stroke:#7c8a9c}
.rg .gpu{fill:#1c3320;stroke:#5fb558}
.rg .nic{fill:#1a2b44;stroke:#6a9fe0}
.rg .fabric{fill:#1f3f24;stroke:#5fb558}
.rg .strip{fill:#3b4654}
.rg .strip.unknown{fill:#2b323b}
.rg .strip.degraded{fill:#d84343}
.rg text.degraded{fill:#ff7b7b}
.rg text.unknown{fill:#94a0ae}
.rg .bond{stroke:#5fb558}
.rg .socket{stroke:#b592db}
.rg .wire.degraded,.rg .bond.degraded,.rg .socket.degraded{stroke:#ff6b6b}
.rg .mark-box{stroke:#ff6b6b}
.rg .mark-link{stroke:#e4e9f0}
.rg .warning .mark-box{stroke:#f2c14e}
.rg .note .mark-box{stroke:#6a9fe0}
}
)css";

}  // namespace railgauge::present
