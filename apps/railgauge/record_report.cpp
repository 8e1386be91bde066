#include "apps/railgauge/record_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "base/units.h"

namespace railgauge::app {
namespace {

using Json = nlohmann::ordered_json;
using observe::Entry;

std::string clean(std::string_view text) { return valid_utf8(strip_terminal_codes(text)); }

std::size_t refused_count(const observe::Recording& recording) {
  std::size_t count = 0;
  for (const auto& [path, entry] : recording.entries)
    if (entry.kind == Entry::Kind::refused) ++count;
  return count;
}

std::string identities_words(const observe::Manifest& manifest, bool key_for_once) {
  if (!manifest.identities_replaced)
    return "identities are kept: host names, addresses, GUIDs and serial numbers are in it\n";
  if (key_for_once)
    return "identities are replaced by a key of this recording alone, since this machine has no "
           "/etc/machine-id;\nto compare several, give each the same --identity-key FILE\n";
  return fmt::format(
      "identities are replaced (key {}); the same ones give the same replacements on this "
      "machine\n",
      manifest.identity_key);
}

std::string root_words(const observe::Recording& recording) {
  const auto lines = what_root_would_add(recording);
  if (lines.empty()) return {};
  std::string out = "as root it would also hold:\n";
  for (const std::string& line : lines) out += "  " + clean(line) + "\n";
  return out;
}

std::string sources_table(const RecordReport& report) {
  std::string out;
  for (const auto& source : report.sources) {
    if (source.entries == 0) continue;
    out +=
        fmt::format("  {:<12} {:>6} files {:>9} {:>8.1f} ms\n", source.source, source.entries,
                    text_of_bytes(source.bytes), static_cast<double>(source.time.count()) / 1000);
  }
  return out;
}

Json sources_json(const RecordReport& report) {
  Json out = Json::array();
  for (const auto& source : report.sources)
    out.push_back({{"source", source.source},
                   {"files", source.entries},
                   {"bytes", source.bytes},
                   {"time_seconds", static_cast<double>(source.time.count()) / 1e6}});
  return out;
}

Json base(const RecordReport& report) {
  const observe::Manifest& manifest = report.recording.manifest;
  Json out{{"hostname", clean(manifest.hostname)},
           {"made_at", manifest.made_at},
           {"as_root", manifest.as_root},
           {"identities", manifest.identities_replaced ? "replaced" : "kept"},
           {"files", report.recording.entries.size()},
           {"refused", refused_count(report.recording)},
           {"root_would_add", Json::array()},
           {"sources", sources_json(report)}};
  if (!manifest.identity_key.empty()) out["identity_key"] = manifest.identity_key;
  for (const std::string& line : what_root_would_add(report.recording))
    out["root_would_add"].push_back(clean(line));
  return out;
}

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

const char* word(Entry::Kind kind) {
  switch (kind) {
    case Entry::Kind::file: return "file";
    case Entry::Kind::link: return "link";
    case Entry::Kind::refused: return "refused";
  }
  return "file";
}

std::string every_path(const observe::Recording& recording) {
  std::string out;
  for (const auto& [path, entry] : recording.entries)
    out += entry.kind == Entry::Kind::refused
               ? fmt::format("{:>9}  {}: {}\n", "refused", clean(path), clean(entry.bytes))
               : fmt::format("{:>9}  {}\n", text_of_bytes(entry.bytes.size()), clean(path));
  return out;
}

std::string folded(const observe::Recording& recording) {
  std::string out;
  for (const auto& group : folded_paths(recording)) {
    const std::string refused =
        group.refused == 0 ? "" : fmt::format("  ({} refused)", group.refused);
    out += fmt::format("{:>6} {:>9}  {}{}\n", group.entries, text_of_bytes(group.bytes),
                       clean(group.pattern), refused);
  }
  return out;
}

}  // namespace

std::string record_text(const RecordReport& report, const present::Style&) {
  const auto& recording = report.recording;
  const std::size_t refused = refused_count(recording);
  std::string out =
      fmt::format("recorded {} into {}: {}, {} files{}\n", clean(recording.manifest.hostname),
                  report.path == "-" ? "standard output" : clean(report.path),
                  text_of_bytes(report.packed_bytes), recording.entries.size() - refused,
                  refused == 0 ? "" : fmt::format(", {} could not be read", refused));
  return out + sources_table(report) + identities_words(recording.manifest, report.key_for_once) +
         root_words(recording);
}

std::string record_json(const RecordReport& report) {
  Json out = base(report);
  out["path"] = clean(report.path);
  out["packed_bytes"] = report.packed_bytes;
  return dumped(out);
}

std::string list_text(const RecordReport& report, const present::Style& style) {
  std::string out = style.verbose
                        ? every_path(report.recording)
                        : " files     bytes  paths (N a number, ADDRESS a PCI address)\n" +
                              folded(report.recording);
  out += "\nby source:\n" + sources_table(report);
  return out + identities_words(report.recording.manifest, report.key_for_once) +
         root_words(report.recording);
}

std::string list_json(const RecordReport& report) {
  Json out = base(report);
  out["paths"] = Json::array();
  for (const auto& [path, entry] : report.recording.entries) {
    Json one{{"path", clean(path)}, {"kind", word(entry.kind)}};
    if (entry.kind == Entry::Kind::refused)
      one["reason"] = clean(entry.bytes);
    else
      one["bytes"] = entry.bytes.size();
    out["paths"].push_back(std::move(one));
  }
  return dumped(out);
}

}  // namespace railgauge::app
