#include "observe/ib_text/rdma_counters.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "observe/ethtool/counter_lines.h"
#include "observe/ib_text/nic_paste.h"
#include "observe/rdma/port_text.h"
#include "observe/sysfs/attributes.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;

std::optional<std::uint64_t> whole(std::string_view digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

// How long the kernel keeps hw_counters before it asks the adapter again; no counter.
void keep_lifespan(NicPaste& paste, DeviceId id, int port, std::uint64_t value) {
  paste.keep(id, fmt::format("port{}.hw_counters_lifespan_ms", port), std::to_string(value));
}

NicPaste read_counters(const Input& input, std::string_view plain) {
  NicPaste paste(input);
  for (const CounterList& list : counter_lists(plain)) {
    if (list.kind != CounterList::Kind::rdma) continue;
    paste.at(list.number);
    const DeviceId id = paste.unnamed();
    CounterSheet sheet(CounterNames::of_rdma());
    for (const CounterLine& line : list.lines) {
      paste.at(line.number);
      if (line.name == "lifespan")
        keep_lifespan(paste, id, 1, line.value);
      else
        sheet.take(line.name, line.value, paste.here());
    }
    sheet.write(paste.port(id, 1), paste.machine(), "the adapter");
  }
  return paste;
}

struct Link {
  std::string_view device;
  int port = 1;
  std::vector<std::string_view> rest;
};

// "link mlx5_0/1 …", older "0/1: mlx5_0/1: …".
std::optional<Link> link_line(std::string_view line) {
  auto words = split_blank(line.substr(0, 64 << 10));
  if (words.size() < 3) return std::nullopt;
  const bool old = words[0].ends_with(':') && contains(words[0], "/");
  if (words[0] != "link" && !old) return std::nullopt;
  std::string_view name = words[1];
  if (name.ends_with(':')) name.remove_suffix(1);
  const auto slash = name.find('/');
  if (slash == std::string_view::npos || !is_device_name(name.substr(0, slash)))
    return std::nullopt;
  // "mlx5_0/-" sums a device that has counters of no port.
  const auto port = small_number(name.substr(slash + 1), NicPaste::most_ports);
  if (!port) return std::nullopt;
  words.erase(words.begin(), words.begin() + 2);
  return Link{name.substr(0, slash), *port, std::move(words)};
}

class LinkReader {
 public:
  explicit LinkReader(const Input& input) : paste_(input) {}

  NicPaste read(std::string_view plain) {
    for (LineCursor lines(plain); lines.next();) {
      paste_.at(lines.number());
      if (const auto link = link_line(lines.line())) take(*link);
    }
    return std::move(paste_);
  }

 private:
  void take(const Link& link) {
    const DeviceId id = paste_.rdma(link.device);
    model::NicPort& port = paste_.port(id, link.port);
    CounterSheet sheet(names_);
    for (std::size_t i = 0; i + 1 < link.rest.size(); i += 2) {
      const auto key = link.rest[i];
      const auto value = link.rest[i + 1];
      if (fact(key, value, id, port)) continue;
      if (const auto number = whole(value); number && is_device_name(key))
        sheet.take(key, *number, paste_.here());
      else
        paste_.warn("expected a counter and its value, found " +
                    quoted(std::string(key) + " " + std::string(value)));
    }
    if (link.rest.size() % 2 != 0)
      paste_.warn("a word without a value: " + quoted(link.rest.back()));
    sheet.write(port, paste_.machine(), fmt::format("{} port {}", link.device, link.port));
  }

  bool fact(std::string_view key, std::string_view value, DeviceId id, model::NicPort& port) {
    if (key == "state") {
      paste_.fill(port.state, state_word(value), plain_text);
    } else if (key == "physical_state") {
      paste_.fill(port.physical_state, physical_state_word(value), plain_text);
    } else if (key == "netdev") {
      paste_.fill(port.netdev, value, plain_text);
      if (!paste_.nic(id).netdev) paste_.fill(paste_.nic(id).netdev, value, plain_text);
    } else if (key == "lid") {
      paste_.fill(port.lid, value, port_lid);
    } else if (key == "sm_lid") {
      paste_.fill(port.sm_lid, value, port_lid);
    } else if (key == "lifespan") {
      if (const auto number = whole(value)) keep_lifespan(paste_, id, port.number, *number);
    } else {
      return key == "netdev_index" || key == "subnet_prefix" || key == "lmc" || key == "caps:";
    }
    return true;
  }

  NicPaste paste_;
  const CounterNames names_ = CounterNames::of_rdma();
};

}  // namespace

bool looks_like_rdma_counters(std::string_view bytes) {
  return !read_counters({}, pasted_text(bytes)).empty();
}

Result<model::Machine> read_rdma_counters(const Input& input) {
  return read_counters(input, pasted_text(input.bytes))
      .take("no RDMA counters: expected lines like \"local_ack_timeout_err: 2705\"");
}

bool looks_like_rdma_link(std::string_view bytes) {
  const std::string plain = pasted_text(bytes);
  for (LineCursor lines(plain); lines.next();)
    if (link_line(lines.line())) return true;
  return false;
}

Result<model::Machine> read_rdma_link(const Input& input) {
  return LinkReader(input)
      .read(pasted_text(input.bytes))
      .take("no link: expected the output of rdma link, \"link mlx5_0/1 state ACTIVE …\"");
}

}  // namespace railgauge::observe
