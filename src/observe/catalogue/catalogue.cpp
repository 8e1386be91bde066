#include <span>

#include "base/embedded.h"
#include "observe/catalogue/catalogue_yaml.h"
#include "observe/observe.h"

namespace railgauge::catalogue_data {
std::span<const EmbeddedFile> embedded_files();
}

namespace railgauge::observe {

Result<model::Catalogue> catalogue() {
  model::Catalogue out;
  for (const EmbeddedFile& file : catalogue_data::embedded_files()) {
    auto added = add_to_catalogue(std::string(file.bytes), std::string(file.path), out);
    if (!added) return tl::unexpected(std::move(added.error()).because("loading the catalogue"));
  }
  return out;
}

}  // namespace railgauge::observe
