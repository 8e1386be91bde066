#include "observe/ethtool/ethtool_paste.h"

#include "observe/ethtool/counter_lines.h"
#include "observe/ethtool/counter_sheet.h"
#include "observe/ethtool/ethtool_text.h"
#include "observe/ethtool/key_value.h"
#include "observe/ib_text/nic_paste.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;

// The counters of one list name their driver: each has words of its own.
CounterNames names_of(const CounterList& list) {
  std::vector<std::string_view> names;
  for (const CounterLine& line : list.lines) names.push_back(line.name);
  const auto driver = driver_of_counters(names);
  return driver.empty() ? CounterNames::of_any_driver() : CounterNames::of_ethtool(driver);
}

void take_list(const CounterList& list, NicPaste& paste) {
  paste.at(list.number);
  const DeviceId id =
      list.command_device.empty() ? paste.unnamed() : paste.netdev(list.command_device);
  CounterSheet sheet(names_of(list));
  for (const CounterLine& line : list.lines) {
    paste.at(line.number);
    sheet.take(line.name, line.value, paste.here());
  }
  for (const std::uint32_t line : list.broken) {
    paste.at(line);
    paste.warn("expected a counter like \"rx_bytes: 7\"");
  }
  paste.at(list.number);
  const std::string whose =
      list.command_device.empty() ? "the adapter" : std::string(list.command_device);
  sheet.write(paste.port(id, 1), paste.machine(), whose);
}

// "driver:" begins a block; the lines after it, without a gap, are its own.
NicPaste read_driver_blocks(const Input& input, std::string_view plain) {
  NicPaste paste(input);
  std::string_view named;
  bool inside = false;
  DeviceId id;
  for (LineCursor lines(plain); lines.next();) {
    paste.at(lines.number());
    const std::string_view line = lines.line();
    if (const auto call = ethtool_call(line, "-i", "--driver"); !call.empty()) named = call;
    const auto pair = key_value(line);
    if (!pair) {
      inside = false;
    } else if (pair->key == "driver" && is_device_name(pair->value)) {
      id = named.empty() ? paste.unnamed() : paste.netdev(named);
      named = {};
      inside = take_driver_line(line, paste.here(), paste[id]);
    } else if (inside) {
      inside = take_driver_line(line, paste.here(), paste[id]);
    }
  }
  return paste;
}

// A driver line alone may be any program's: a bus or a firmware must be said as well.
bool is_driver_block(std::string_view plain) {
  bool driver = false;
  bool more = false;
  for (LineCursor lines(plain); lines.next();) {
    const auto pair = key_value(lines.line());
    if (!pair) continue;
    driver = driver || (pair->key == "driver" && is_device_name(pair->value));
    more = more || pair->key == "bus-info" || pair->key == "firmware-version";
  }
  return driver && more;
}

NicPaste read_pause_blocks(const Input& input, std::string_view plain) {
  NicPaste paste(input);
  bool inside = false;
  DeviceId id;
  for (LineCursor lines(plain); lines.next();) {
    paste.at(lines.number());
    if (const auto name = pause_header(lines.line()); is_device_name(name)) {
      id = paste.netdev(name);
      inside = true;
      continue;
    }
    if (!inside || trim(lines.line()).empty()) continue;
    std::string warning;
    inside = take_pause_line(lines.line(), paste.here(), paste.port(id, 1), warning);
    if (!warning.empty()) paste.warn(warning);
  }
  return paste;
}

bool has_statistics(std::string_view plain) {
  for (const CounterList& list : counter_lists(plain))
    if (list.kind == CounterList::Kind::ethtool) return true;
  return false;
}

}  // namespace

bool looks_like_ethtool_statistics(std::string_view bytes) {
  return has_statistics(pasted_text(bytes));
}

Result<model::Machine> read_ethtool_statistics(const Input& input) {
  const std::string plain = pasted_text(input.bytes);
  NicPaste paste(input);
  for (const CounterList& list : counter_lists(plain))
    if (list.kind == CounterList::Kind::ethtool) take_list(list, paste);
  return paste.take("no statistics: expected the output of ethtool -S, lines like \"rx_bytes: 7\"");
}

bool looks_like_ethtool_driver(std::string_view bytes) {
  return is_driver_block(pasted_text(bytes));
}

Result<model::Machine> read_ethtool_driver(const Input& input) {
  const std::string plain = pasted_text(input.bytes);
  if (!is_driver_block(plain))
    return fail(ErrorKind::input,
                input.name +
                    ": no driver: expected the output of ethtool -i, \"driver: …\" and "
                    "\"bus-info: …\"");
  return read_driver_blocks(input, plain).take("no driver: expected the output of ethtool -i");
}

bool looks_like_ethtool_pause(std::string_view bytes) {
  return !read_pause_blocks({}, pasted_text(bytes)).empty();
}

Result<model::Machine> read_ethtool_pause(const Input& input) {
  return read_pause_blocks(input, pasted_text(input.bytes))
      .take("no pause parameters: expected the output of ethtool -a, \"Pause parameters for …:\"");
}

}  // namespace railgauge::observe
