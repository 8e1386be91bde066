#include "observe/system/services.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "observe/sysfs/directory.h"
#include "observe/system/service_names.h"

namespace railgauge::observe {
namespace {

constexpr const char* file = "system/services.txt";

bool is_process(std::string_view name) {
  return name.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

void capture_services(const Root& root, Recording& recording) {
  const auto proc = Directory::open(root.prefix / "proc");
  if (!proc) return;
  std::set<std::string_view> running;
  bool looked = false;
  for (const auto& name : proc->names()) {
    if (!is_process(name)) continue;
    looked = true;
    const auto comm = proc->read_start(name + "/comm", 64);
    if (!comm) continue;  // it ended meanwhile, or is hidden from us
    for (const auto& known : service_names)
      if (trim(*comm) == known.comm) running.insert(known.service);
  }
  if (!looked) return;
  std::string lines;
  for (const auto service : running) lines += std::string(service) + "\n";
  recording.add_file(file, std::move(lines));
}

void read_services(const Recording& recording, model::Machine& machine) {
  const Entry* entry = recording.find(file);
  if (entry == nullptr || entry->kind != Entry::Kind::file) return;
  const auto source = machine.sources.add(file, model::Trust::kernel);
  for (LineCursor lines(entry->bytes); lines.next() && lines.number() <= 1000;)
    if (const auto name = trim(lines.line()); !name.empty() && name.size() <= 64)
      machine.host.services[valid_utf8(name)].claim("running", source.at_line(lines.number()));
}

}  // namespace railgauge::observe
