// The live source "ethtool": what network drivers themselves count and say.
#include "observe/ethtool/counter_lines.h"
#include "observe/ethtool/counter_sheet.h"
#include "observe/ethtool/ethtool_capture.h"
#include "observe/ethtool/ethtool_text.h"
#include "observe/ethtool/key_value.h"
#include "observe/rdma/net_places.h"
#include "observe/rdma/nics.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace {

constexpr const char* directory = "ethtool";
// Of driver.txt and pause.txt, which have some ten; more is not ours.
constexpr std::uint32_t most_lines = 64;

// Drivers answer for this machine alone: another file tree has none to ask.
void ask(const Root& root, const Recording& netdevs, EthtoolAsk what, Recording& recording) {
  if (root.prefix != "/" || netdevs_of_pci_functions(netdevs).empty()) return;
  const auto socket = EthtoolSocket::open();
  if (!socket) return recording.add_refused(directory, socket.error().text());
  capture_ethtool([&](const std::string& netdev, void* data) { return socket->ask(netdev, data); },
                  netdevs, what, recording);
}

class EthtoolReader {
 public:
  explicit EthtoolReader(const Recording& recording)
      : recording_(recording), places_(recording), nics_(machine_) {
    machine_.name = recording.name;
  }

  model::Machine read() {
    refusal(directory);
    for (const auto& netdev : recording_.list(directory)) read(netdev);
    return std::move(machine_);
  }

 private:
  void read(const std::string& netdev) {
    const std::string path = std::string(directory) + "/" + netdev;
    const NetPlace* place = places_.find(netdev);
    const auto id = nics_.behind(recording_, "sys/class/net/" + netdev);
    if (place == nullptr || !id || !place->speaks_for_port) {
      machine_.remark(model::RemarkLevel::note,
                      "not read: " + railgauge::quoted(netdev) + " is no port of an adapter",
                      machine_.sources.add(path, model::Trust::driver));
      return;
    }
    model::NicPort& port = nics_.port(*id, place->port);
    model::Device& device = machine_[*id];
    const auto here = machine_.sources.add(path, model::Trust::driver);
    port.netdev.claim(valid_utf8(netdev), here);
    if (!device.nic->netdev) device.nic->netdev.claim(valid_utf8(netdev), here);
    read_driver(path + "/driver.txt", device);
    read_pause(path + "/pause.txt", port);
    read_statistics(path + "/statistics.txt", netdev, device, port);
  }

  void read_driver(const std::string& path, model::Device& device) {
    const Entry* text = file(path);
    if (text == nullptr) return;
    const auto here = machine_.sources.add(path, model::Trust::driver);
    for (LineCursor lines(text->bytes); lines.next() && lines.number() <= most_lines;)
      if (!take_driver_line(lines.line(), here.at_line(lines.number()), device))
        odd("a line of ethtool -i", lines.line(), here.at_line(lines.number()));
  }

  void read_pause(const std::string& path, model::NicPort& port) {
    const Entry* text = file(path);
    if (text == nullptr) return;
    const auto here = machine_.sources.add(path, model::Trust::driver);
    for (LineCursor lines(text->bytes); lines.next() && lines.number() <= most_lines;) {
      std::string warning;
      const auto line = here.at_line(lines.number());
      if (!take_pause_line(lines.line(), line, port, warning) && !lines.line().empty() &&
          pause_header(lines.line()).empty())
        odd("a line of ethtool -a", lines.line(), line);
      if (!warning.empty()) machine_.remark(model::RemarkLevel::warning, warning, line);
    }
  }

  void read_statistics(const std::string& path, const std::string& netdev,
                       const model::Device& device, model::NicPort& port) {
    const Entry* text = file(path);
    if (text == nullptr) return;
    const auto here = machine_.sources.add(path, model::Trust::driver);
    const bool known = device.pci && device.pci->driver;
    CounterSheet sheet(known ? CounterNames::of_ethtool(*device.pci->driver)
                             : CounterNames::of_any_driver());
    for (const CounterList& list : counter_lists(text->bytes)) {
      for (const CounterLine& line : list.lines)
        sheet.take(line.name, line.value, here.at_line(line.number));
      for (const std::uint32_t line : list.broken)
        machine_.remark(model::RemarkLevel::warning, "expected a counter like \"rx_bytes: 7\"",
                        here.at_line(line));
    }
    sheet.write(port, machine_, netdev);
  }

  const Entry* file(const std::string& path) {
    const Entry* entry = recording_.find(path);
    refusal(path);
    return entry != nullptr && entry->kind == Entry::Kind::file ? entry : nullptr;
  }

  // A driver that does not answer a question ("Operation not supported") is nothing odd.
  void refusal(const std::string& path) {
    const Entry* entry = recording_.find(path);
    if (entry == nullptr || entry->kind != Entry::Kind::refused) return;
    if (contains(entry->bytes, "not supported")) return;
    machine_.remark(model::RemarkLevel::note, "not read: " + std::string(entry->bytes),
                    machine_.sources.add(path, model::Trust::driver));
  }

  void odd(const char* expected, std::string_view found, model::SourceRef here) {
    if (trim(found).empty()) return;
    machine_.remark(model::RemarkLevel::warning,
                    "expected " + std::string(expected) + ", found " + railgauge::quoted(found),
                    here);
  }

  const Recording& recording_;
  const NetPlaces places_;
  model::Machine machine_;
  Nics nics_;
};

}  // namespace

void capture_ethtool(const Root& root, Recording& recording) {
  ask(root, recording, EthtoolAsk::everything, recording);
}

void sample_ethtool(const Root& root, const Recording& first, Recording& sample) {
  if (!first.has_directory(directory)) return;
  ask(root, first, EthtoolAsk::statistics, sample);
}

bool ethtool_present(const Recording& recording) {
  return recording.has_directory(directory) || recording.find(directory) != nullptr;
}

Result<model::Machine> read_ethtool(const Recording& recording) {
  if (!ethtool_present(recording))
    return fail(ErrorKind::not_found,
                "the recording holds no ethtool/, which drivers' counters "
                "are read from");
  return EthtoolReader(recording).read();
}

}  // namespace railgauge::observe
