// What a pickle or a JSON document holds, as plain values without objects: a list of nodes that
// point to each other by number.
//   ValueTree tree = …;
//   if (const auto entries = tree.find(tree.root(), "entries")) for (auto id :
//   tree.items(*entries)) …
// A pickle may name one value many times, and even inside itself: whoever walks a tree follows a
// known form and bounds how much it takes, never "everything below".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

class ValueTree {
 public:
  enum class Kind : std::uint8_t { none, boolean, integer, number, text, list, dict };
  using Id = std::uint32_t;

  // 2 million: a recorder with 20,000 entries holds about half a million.
  static constexpr std::size_t most_nodes = 2u << 20;
  // Keys of a dict that find() looks at.
  static constexpr std::size_t most_keys = 128;

  ValueTree();

  Id none() const { return 0; }
  Id boolean(bool value) const { return value ? 2 : 1; }
  Id add_integer(std::int64_t value);
  Id add_number(double value);
  Id add_text(std::string_view value);
  Id add_list(std::vector<Id> items);
  Id add_dict();
  void append(Id list, Id item) { lists_[nodes_[list].place].push_back(item); }
  void set(Id dict, Id key, Id value);
  bool full() const { return nodes_.size() >= most_nodes; }
  void set_root(Id id) { root_ = id; }

  Id root() const { return root_; }
  Kind kind(Id id) const { return nodes_[id].kind; }
  std::optional<std::int64_t> integer(Id id) const;  // also of a text of digits
  std::optional<double> number(Id id) const;
  std::optional<bool> truth(Id id) const;
  std::optional<std::string_view> text(Id id) const;
  // Of a list; of a dict key, value, key, value …; empty for all else.
  std::span<const Id> items(Id id) const;

  // The value of a key; nothing when there is none or `dict` is no dict.
  std::optional<Id> find(Id dict, std::string_view key) const;
  std::optional<std::int64_t> integer(Id dict, std::string_view key) const;
  std::optional<std::string_view> text(Id dict, std::string_view key) const;
  std::span<const Id> items(Id dict, std::string_view key) const;

 private:
  struct Node {
    Kind kind = Kind::none;
    std::uint32_t length = 0;  // of a text
    union {
      std::int64_t integer;
      double number;
      std::uint64_t place;  // of a text in texts_, of a list in lists_
    };
  };
  Id add(Node node);

  std::vector<Node> nodes_;
  std::vector<std::vector<Id>> lists_;
  std::string texts_;
  Id root_ = 0;
};

}  // namespace railgauge::observe
