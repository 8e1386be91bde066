#include "observe/ib_text/show_gids.h"

#include <optional>

#include "observe/ib_text/nic_paste.h"
#include "observe/rdma/port_text.h"
#include "observe/sysfs/attributes.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

// More rows than any adapter's table has; qedr has 512.
constexpr int largest_gid_index = 1023;

struct Row {
  std::string_view device;
  int port = 1;
  int index = 0;
  std::string_view gid;
  std::string_view version;
  std::string_view netdev;
};

bool is_header(const std::vector<std::string_view>& words) {
  return words.size() >= 5 && words[0] == "DEV" && words[1] == "PORT" && words[2] == "INDEX" &&
         words[3] == "GID";
}

std::optional<Row> table_row(const std::vector<std::string_view>& words) {
  if (words.size() < 4 || words.size() > 7 || !is_device_name(words[0])) return std::nullopt;
  const auto port = small_number(words[1], NicPaste::most_ports);
  const auto index = small_number(words[2], largest_gid_index);
  if (!port || !index || !gid_text(words[3])) return std::nullopt;
  Row row{words[0], *port, *index, words[3], {}, {}};
  for (std::size_t i = 4; i < words.size(); ++i) {
    if (words[i] == "v1" || words[i] == "v2")
      row.version = words[i];
    else if (words[i].find_first_not_of("0123456789.") != std::string_view::npos)
      row.netdev = words[i];
  }
  return row;
}

// Of a row whose line was cut the numbers are still there.
bool looks_cut(const std::vector<std::string_view>& words) {
  return words.size() >= 3 && is_device_name(words[0]) &&
         words[0].find_first_of("0123456789") != std::string_view::npos &&
         small_number(words[1], NicPaste::most_ports) && small_number(words[2], 65535);
}

NicPaste read_rows(const Input& input, std::string_view plain) {
  NicPaste paste(input);
  bool headed = false;
  for (LineCursor lines(plain); lines.next();) {
    paste.at(lines.number());
    const auto words = split_blank(lines.line());
    if (is_header(words)) {
      headed = true;
    } else if (const auto row = table_row(words)) {
      model::NicPort& port = paste.port(paste.rdma(row->device), row->port);
      model::Gid& gid = paste.gid(port, row->index);
      paste.fill(gid.gid, row->gid, gid_text);
      if (!row->version.empty())
        paste.fill(gid.type, row->version,
                   [](std::string_view text) { return gid_type(text, "Ethernet"); });
      if (row->netdev.empty()) continue;
      paste.fill(gid.netdev, row->netdev, plain_text);
      if (!port.netdev) paste.fill(port.netdev, row->netdev, plain_text);
    } else if (headed && looks_cut(words)) {
      paste.warn("expected a row like \"mlx5_0 1 3 GID 10.0.0.1 v2 eth0\", found " +
                 quoted(lines.line()));
    } else if (!words.empty() && !words[0].starts_with("---")) {
      headed = false;  // "n_gids_found=4", or another command
    }
  }
  return paste;
}

}  // namespace

bool looks_like_show_gids(std::string_view bytes) {
  return !read_rows({}, pasted_text(bytes)).empty();
}

Result<model::Machine> read_show_gids(const Input& input) {
  return read_rows(input, pasted_text(input.bytes))
      .take("no GIDs: expected the output of show_gids, \"mlx5_0 1 3 0000:…:0a00:0001 …\"");
}

}  // namespace railgauge::observe
