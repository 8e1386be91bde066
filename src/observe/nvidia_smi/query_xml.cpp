#include "observe/nvidia_smi/query_xml.h"

#include <fmt/format.h>

#include <vector>

#include "observe/nccl_xml/bounded_xml.h"
#include "observe/nvidia_smi/keys.h"

namespace railgauge::observe {
namespace nvidia_smi {
namespace {

constexpr const char* root_element = "nvidia_smi_log";

constexpr std::size_t name_max_bytes = 80;  // the longest element's name has 59

// Sections without facts: the processes because they are nobody's business, the clocks because they
// are long.
bool passed_over(std::string_view name) {
  return name.size() > name_max_bytes || name == "processes" || name == "accounted_processes" ||
         name == "supported_clocks";
}

class XmlReading {
 public:
  XmlReading(const Input& input, const BoundedXml& xml) : machine_(input), xml_(xml) {}

  model::Machine read() {
    for (const pugi::xml_node child : xml_.root().children()) {
      const std::string_view name = child.name();
      const std::string_view value = child.child_value();
      if (name == "gpu") read_gpu(child);
      if (name == "attached_gpus") attached_ = as_int(value);
      take_host(machine_, name, value, xml_.line(child));
    }
    number_gpus();
    if (gpus_.empty()) machine_.warn(xml_.line(xml_.root()), "the document holds no <gpu>");
    return machine_.finish();
  }

 private:
  void read_gpu(pugi::xml_node gpu) {
    const std::uint32_t line = xml_.line(gpu);
    const auto address = as_long_address(gpu.attribute("id").value());
    if (!address)
      machine_.warn(line, "the id of this <gpu> is no PCI address: " +
                              railgauge::quoted(gpu.attribute("id").value()));
    const auto id = address ? machine_.at_address(*address, line) : machine_.new_gpu(line);
    if (!id) return;
    gpus_.push_back(*id);
    std::string path;
    read_children(gpu, *id, path);
  }

  // The parser bounds the depth.
  void read_children(pugi::xml_node parent, model::DeviceId id, std::string& path) {
    const std::size_t size = path.size();
    for (const pugi::xml_node child : parent.children()) {
      if (child.type() != pugi::node_element || passed_over(child.name())) continue;
      if (!path.empty()) path += '/';
      path += lower(child.name());
      const bool leaf = child.first_child().type() != pugi::node_element;
      if (const SmiKey* key = leaf ? keys_.find(path) : nullptr)
        machine_.take(id, *key, child.child_value(), xml_.line(child));
      if (!leaf) read_children(child, id, path);
      path.resize(size);
    }
  }

  // As in the text: the order is that of the indexes where the list is whole.
  void number_gpus() {
    if (!attached_ || *attached_ < 0 || static_cast<std::size_t>(*attached_) != gpus_.size())
      return;
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      model::Device& gpu = machine_.machine[gpus_[i]];
      gpu.index.claim(static_cast<int>(i), machine_.at(gpu.seen_in.line, model::Trust::inferred));
    }
  }

  KeyIndex keys_{&SmiKey::xml};
  SmiMachine machine_;
  const BoundedXml& xml_;
  std::vector<model::DeviceId> gpus_;
  std::optional<int> attached_;
};

}  // namespace
}  // namespace nvidia_smi

bool looks_like_smi_xml(std::string_view bytes) {
  return find_element(bytes, nvidia_smi::root_element).has_value();
}

Result<model::Machine> read_smi_xml(const Input& input) {
  const Result<BoundedXml> xml = parse_xml(input, nvidia_smi::root_element, {});
  if (!xml) return tl::unexpected(Error(xml.error()).because("reading nvidia-smi -q -x"));
  return nvidia_smi::XmlReading(input, *xml).read();
}

}  // namespace railgauge::observe
