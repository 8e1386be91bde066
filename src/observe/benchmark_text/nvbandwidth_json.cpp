#include "observe/archive/bounded_json.h"
#include "observe/benchmark_text/benchmark_paste.h"
#include "observe/benchmark_text/json_values.h"
#include "observe/benchmark_text/nvbandwidth.h"

namespace railgauge::observe {
namespace {

using namespace json_values;
using model::BenchmarkRun;

// "0: NVIDIA H100 80GB HBM3 (00000000:1b:00): (node01)"
std::string_view device_name(std::string_view text) {
  const auto colon = text.find(": ");
  if (colon == std::string_view::npos) return {};
  text = text.substr(colon + 2);
  return trim(text.substr(0, text.find(" (")));
}

void take_matrix(const Json& test, const MatrixTitle& title, BenchmarkPaste& paste) {
  std::size_t r = 0;
  for (const Json& row : array(test, "bandwidth_matrix")) {
    std::size_t c = 0;
    if (row.is_array())
      for (const Json& cell : row) {
        const auto value = number(&cell);
        if (value && *value >= 0 && *value < 1e12)
          paste.row(matrix_cell(title, std::to_string(r), std::to_string(c), *value));
        else if (string(&cell) != "N/A")
          paste.warn("cell of nvbandwidth's matrix: expected a number or N/A");
        ++c;
      }
    ++r;
  }
}

}  // namespace

bool looks_like_nvbandwidth_json(std::string_view bytes) {
  return contains(bytes, "\"nvbandwidth\"") && contains(bytes, "\"testcases\"") &&
         !object_text(bytes).empty();
}

Result<model::Machine> read_nvbandwidth_json(const Input& input) {
  const auto document = parse_bounded_json(object_text(input.bytes), input.name, most_bytes);
  if (!document) return tl::unexpected(document.error());
  BenchmarkPaste paste(input);
  const Json* top = member(*document, "nvbandwidth");
  if (top == nullptr) top = &*document;
  std::vector<std::string> devices;
  for (const Json& device : array(*top, "GPU Device list"))
    BenchmarkPaste::add_once(devices, device_name(string(&device)));
  for (const Json& test : array(*top, "testcases")) {
    const std::string_view name = string(test, "name");
    MatrixTitle title;
    if (array(test, "bandwidth_matrix").empty()) continue;
    if (!parse_matrix_title(trim(string(test, "bandwidth_description")), title)) {
      paste.warn("test " + quoted(name) + " has no title that says what its matrix holds");
      continue;
    }
    BenchmarkRun& run = paste.begin(model::BenchmarkTool::nvbandwidth, name);
    run.tool_version = valid_utf8(string(*top, "version").substr(0, 64));
    run.devices = devices;
    take_matrix(test, title, paste);
  }
  return paste.take("no matrix: expected the JSON of nvbandwidth -j");
}

}  // namespace railgauge::observe
