#include "observe/hang_text/value_tree.h"

#include "base/strings.h"

namespace railgauge::observe {

ValueTree::ValueTree() {
  nodes_.push_back({Kind::none, 0, {0}});
  nodes_.push_back({Kind::boolean, 0, {0}});
  nodes_.push_back({Kind::boolean, 0, {1}});
}

ValueTree::Id ValueTree::add(Node node) {
  nodes_.push_back(node);
  return static_cast<Id>(nodes_.size() - 1);
}

ValueTree::Id ValueTree::add_integer(std::int64_t value) {
  return add({Kind::integer, 0, {value}});
}

ValueTree::Id ValueTree::add_number(double value) {
  Node node{Kind::number, 0, {0}};
  node.number = value;
  return add(node);
}

ValueTree::Id ValueTree::add_text(std::string_view value) {
  Node node{Kind::text, static_cast<std::uint32_t>(value.size()), {0}};
  node.place = texts_.size();
  texts_ += value;
  return add(node);
}

ValueTree::Id ValueTree::add_list(std::vector<Id> items) {
  Node node{Kind::list, 0, {0}};
  node.place = lists_.size();
  lists_.push_back(std::move(items));
  return add(node);
}

ValueTree::Id ValueTree::add_dict() {
  const Id id = add_list({});
  nodes_[id].kind = Kind::dict;
  return id;
}

void ValueTree::set(Id dict, Id key, Id value) {
  append(dict, key);
  append(dict, value);
}

std::optional<std::int64_t> ValueTree::integer(Id id) const {
  if (kind(id) == Kind::integer) return nodes_[id].integer;
  if (kind(id) == Kind::text) return parse_int(*text(id));
  return std::nullopt;
}

std::optional<double> ValueTree::number(Id id) const {
  if (kind(id) == Kind::number) return nodes_[id].number;
  if (const auto whole = integer(id)) return static_cast<double>(*whole);
  return std::nullopt;
}

std::optional<bool> ValueTree::truth(Id id) const {
  if (kind(id) != Kind::boolean) return std::nullopt;
  return nodes_[id].integer != 0;
}

std::optional<std::string_view> ValueTree::text(Id id) const {
  if (kind(id) != Kind::text) return std::nullopt;
  return std::string_view(texts_).substr(nodes_[id].place, nodes_[id].length);
}

std::span<const ValueTree::Id> ValueTree::items(Id id) const {
  if (kind(id) != Kind::list && kind(id) != Kind::dict) return {};
  return lists_[nodes_[id].place];
}

std::optional<ValueTree::Id> ValueTree::find(Id dict, std::string_view key) const {
  if (kind(dict) != Kind::dict) return std::nullopt;
  const auto all = items(dict);
  // A later value takes the place of an earlier one, as in Python.
  for (std::size_t at = std::min(all.size(), 2 * most_keys); at >= 2; at -= 2)
    if (text(all[at - 2]) == key) return all[at - 1];
  return std::nullopt;
}

std::optional<std::int64_t> ValueTree::integer(Id dict, std::string_view key) const {
  const auto id = find(dict, key);
  return id ? integer(*id) : std::nullopt;
}

std::optional<std::string_view> ValueTree::text(Id dict, std::string_view key) const {
  const auto id = find(dict, key);
  return id ? text(*id) : std::nullopt;
}

std::span<const ValueTree::Id> ValueTree::items(Id dict, std::string_view key) const {
  const auto id = find(dict, key);
  return id ? items(*id) : std::span<const Id>{};
}

}  // namespace railgauge::observe
