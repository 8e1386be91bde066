#include "observe/nvml/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/strings.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace nvml {
namespace {

using dynlib::nvml_success;

void ask_host(Questions& questions, const dynlib::Nvml& nvml) {
  const auto version = [&](const char* name, dynlib::NvmlReturn (*function)(char*, unsigned)) {
    questions.ask(name, {}, function != nullptr, [&](Value& value) {
      char buffer[81] = {};  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE is 80
      const auto code = function(buffer, 80);
      value.emplace("", std::string(buffer));
      return code;
    });
  };
  version("nvmlSystemGetDriverVersion", nvml.driver_version);
  version("nvmlSystemGetNVMLVersion", nvml.nvml_version);
  questions.ask("nvmlSystemGetCudaDriverVersion_v2", {}, nvml.cuda_driver_version != nullptr,
                [&](Value& value) {
                  int cuda = 0;
                  const auto code = nvml.cuda_driver_version(&cuda);
                  value.emplace("", static_cast<std::uint64_t>(std::max(cuda, 0)));
                  return code;
                });
}

std::vector<Gpu> ask_gpus(Questions& questions, const dynlib::Nvml& nvml, Document& document) {
  unsigned count = 0;
  questions.ask("nvmlDeviceGetCount_v2", {}, true, [&](Value& value) {
    const auto code = nvml.device_count(&count);
    value.emplace("", std::uint64_t{count});
    return code;
  });
  if (count > most_gpus)
    document.stopped = fmt::format("{} GPUs, of which {} were asked", count, most_gpus);
  std::vector<Gpu> gpus;
  for (unsigned i = 0; i < std::min(count, most_gpus); ++i) {
    Gpu gpu{i, nullptr, 0};
    const auto code =
        questions.ask("nvmlDeviceGetHandleByIndex_v2", {std::uint64_t{i}}, true, [&](Value& value) {
          value.emplace("", true);
          return nvml.device_by_index(i, &gpu.device);
        });
    if (code == nvml_success && gpu.device != nullptr) gpus.push_back(gpu);
  }
  return gpus;
}

}  // namespace

Document ask_everything(const dynlib::Nvml& nvml, const Clock& now,
                        std::chrono::milliseconds budget) {
  Document document;
  document.library = nvml.library;
  Questions questions(document, now, budget);
  ask_host(questions, nvml);
  std::vector<Gpu> gpus = ask_gpus(questions, nvml, document);
  for (const Gpu& gpu : gpus) ask_identity(questions, nvml, gpu);
  questions.start_budget();
  for (const Gpu& gpu : gpus) ask_place(questions, nvml, gpu);
  for (Gpu& gpu : gpus) ask_links(questions, nvml, gpu);
  for (const Gpu& a : gpus)
    for (const Gpu& b : gpus)
      if (a.index != b.index) ask_pair(questions, nvml, a, b);
  questions.start_optional();
  for (const Gpu& gpu : gpus) ask_fabric(questions, nvml, gpu);
  for (const Gpu& gpu : gpus) ask_state(questions, nvml, gpu);
  for (const Gpu& gpu : gpus) ask_health(questions, nvml, gpu);
  for (const Gpu& gpu : gpus) ask_product(questions, nvml, gpu);
  for (const Gpu& gpu : gpus) ask_link_health(questions, nvml, gpu);
  questions.finish();
  return document;
}

namespace {

// A machine without an NVIDIA driver is not worth a word; one with a driver whose library cannot
// be used is.
bool driver_expected(const Root& root) {
  std::error_code error;
  if (std::filesystem::exists(root.prefix / "proc/driver/nvidia", error)) return true;
  return !root.nvml_why_not.empty() && !contains(root.nvml_why_not, dynlib::library_not_found);
}

}  // namespace
}  // namespace nvml

void capture_nvml(const Root& root, Recording& recording) {
  nvml::Document document;
  if (root.nvml != nullptr) {
    document = nvml::ask_everything(*root.nvml, std::chrono::steady_clock::now);
  } else if (nvml::driver_expected(root)) {
    document.not_loaded = root.nvml_why_not.empty() ? "no reason given" : root.nvml_why_not;
  } else {
    return;
  }
  recording.add_file("nvml.json", nvml::write_document(document));
}

void sample_nvml(const Root& root, const Recording& first, Recording& sample) {
  if (root.nvml != nullptr && nvml_present(first)) capture_nvml(root, sample);
}

bool nvml_present(const Recording& recording) { return recording.find("nvml.json") != nullptr; }

}  // namespace railgauge::observe
