#include "observe/privacy/fields.h"

#include <algorithm>

#include "base/strings.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/field_finders.h"
#include "observe/privacy/interface_name.h"

namespace railgauge::observe::privacy {
namespace {

// The whole text without blanks around it.
Field whole(std::string_view text, NameKind kind) {
  const std::string_view value = trim(text);
  if (value.empty()) return {0, 0, kind};
  return {static_cast<std::size_t>(value.data() - text.data()), value.size(), kind};
}

// "node07 mlx5_0": what rdma-ndd writes. Drivers that nobody told a name say "MT4129 ConnectX7…".
void node_description(std::string_view path, std::string_view text, Fields& fields) {
  const auto words = split_blank(text);
  if (words.size() != 2 || !is_host(words[0])) return;
  const std::string device = "/" + std::string(words[1]) + "/";
  if (!contains(path, device) && !words[1].starts_with("HCA") && !words[1].starts_with("mlx"))
    return;
  fields.push_back(
      {static_cast<std::size_t>(words[0].data() - text.data()), words[0].size(), NameKind::host});
}

// /proc/net/dev: "  eth0: 1234 …".
void interface_lines(std::string_view text, Fields& fields) {
  for (LineCursor lines(text); lines.next();) {
    const auto colon = lines.line().find(':');
    if (colon == std::string_view::npos || colon > 32) continue;
    Field field = whole(lines.line().substr(0, colon), NameKind::netdev);
    if (is_systematic_netdev(lines.line().substr(field.offset, field.length))) continue;
    field.offset += static_cast<std::size_t>(lines.line().data() - text.data());
    fields.push_back(field);
  }
}

bool holds_serial(std::string_view file) {
  return file == "sn" || file.ends_with("serial") || file.ends_with("serial_number") ||
         file.ends_with("asset_tag");
}

void fields_of_file(std::string_view path, std::string_view text, Fields& fields) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  const Field all = whole(text, NameKind::host);
  const std::string_view value = text.substr(all.offset, all.length);
  if (file == "hostname" && is_own_host(value)) fields.push_back(all);
  if (file == "domainname" && is_own_host(value)) fields.push_back(whole(text, NameKind::domain));
  if (file == "node_desc") node_description(path, text, fields);
  if (holds_serial(file) && is_serial(value)) fields.push_back(whole(text, NameKind::serial));
  if (file == "environment.txt" || file == "nccl.conf" || file == ".nccl.conf")
    environment_fields(text, fields);
  if (path.ends_with("proc/net/dev")) interface_lines(text, fields);
  if (path.starts_with("commands/") && file.ends_with(".json")) argv_fields(text, fields);
}

void fields_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  const std::string_view segment = text.substr(start, end - start);
  if (segment.find("erial") != std::string_view::npos || segment == "SN" || segment == "SERIAL" ||
      (segment == "sn" && at_or_zero(text, end) == '"'))
    return serial_at(text, start, end, fields);
  user_at(text, start, end, fields);
  process_at(text, start, end, fields);
  host_at(text, start, end, fields);
}

void put_in_order(Fields& fields) {
  std::stable_sort(fields.begin(), fields.end(),
                   [](const Field& a, const Field& b) { return a.offset < b.offset; });
  std::size_t end = 0;
  std::erase_if(fields, [&end](const Field& field) {
    if (field.length == 0 || field.length > longest_field || field.offset < end) return true;
    end = field.offset + field.length;
    return false;
  });
}

}  // namespace

Fields find_fields(std::string_view path, std::string_view text) {
  Fields fields;
  fields_of_file(path, text, fields);
  const auto next = [text](std::size_t at) {
    return next_of(text, at, text.size(), segment_character);
  };
  for (std::size_t i = next(0); i < text.size();) {
    const std::size_t end = segment_end(text, i);
    netdev_at(text, i, end, fields);
    if (at_or_zero(text, end) == '@') login_at(text, i, end, fields);
    if (end - i >= 2 && !is_digit(text[i])) fields_at(text, i, end, fields);
    i = next(end);
  }
  put_in_order(fields);
  return fields;
}

}  // namespace railgauge::observe::privacy
