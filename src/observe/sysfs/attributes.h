// Turns the one-value files of a recorded directory into facts, each with its file as the source.
//   Attributes attributes(recording, machine, "sys/devices/pci0000:00/0000:00:01.0");
//   attributes.fill(pci.current_width, "current_link_width", lanes);
// A parser takes the trimmed text and gives a Reading: a value; failed(why) where the kernel itself
// says that it does not know; not_reported(expected) where the text is not what the kernel writes,
// which is remarked. An absent file says nothing, a refused one is a refusal of the fact.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/reading.h"
#include "base/strings.h"
#include "model/machine.h"
#include "observe/recording.h"

namespace railgauge::observe {

class Attributes {
 public:
  Attributes(const Recording& recording, model::Machine& machine, std::string_view directory);

  template <class T, class Parse>
  void fill(model::Fact<T>& fact, std::string_view name, Parse&& parse) {
    if (const Entry* entry = find(name)) {
      if (entry->kind == Entry::Kind::link)
        fact.refuse(path(name) + " is a link", source(name));
      else
        settle(fact, name, *entry, trim(entry->bytes), parse);
    }
  }

  // The parser gets the last component of the link's target.
  template <class T, class Parse>
  void fill_from_link(model::Fact<T>& fact, std::string_view name, Parse&& parse) {
    if (const Entry* entry = find(name)) {
      const std::string_view target = entry->bytes;
      settle(fact, name, *entry, target.substr(target.rfind('/') + 1), parse);
    }
  }

  const Entry* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  Reading<std::string> text(std::string_view name) const { return recording_.text(path(name)); }
  std::string path(std::string_view name) const;
  model::SourceRef source(std::string_view name) {
    source_.resize(directory_bytes_);
    source_ += name;
    return machine_.sources.add(source_, model::Trust::kernel);
  }
  // A value that no fact of the model holds, kept as it is under `key`. Empty ones are not.
  void keep(model::Device& device, std::string_view name, const std::string& key) {
    if (!has(name)) return;
    if (const auto value = text(name); value && !value->empty())
      device.attributes.push_back({key, valid_utf8(*value), source(name)});
  }

 private:
  template <class T, class Parse>
  void settle(model::Fact<T>& fact, std::string_view name, const Entry& entry,
              std::string_view text, Parse& parse) {
    const model::SourceRef here = source(name);
    if (entry.kind == Entry::Kind::refused) return fact.refuse(std::string(entry.bytes), here);
    const Reading<T> value = parse(text);
    if (value) return fact.claim(*value, here);
    fact.refuse(value.is_failed() ? value.why() : "it holds " + railgauge::quoted(text), here);
    if (!value.is_failed())
      machine_.remark(model::RemarkLevel::warning,
                      "expected " + value.why() + ", found " + railgauge::quoted(text), here);
  }

  // The files and links directly in the directory, sorted, and its sub-directories. A directory
  // with more of either than a PCI function or a port has is not listed, and each name is looked
  // up.
  struct File {
    std::string_view name;
    const Entry* entry;
  };
  void list();

  const Recording& recording_;
  model::Machine& machine_;
  std::string source_;  // the directory with its '/', and the name asked for last
  std::size_t directory_bytes_;
  std::array<File, 64> files_;
  std::size_t file_count_ = 0;
  std::array<std::string_view, 32> directories_;
  std::size_t directory_count_ = 0;
  bool listed_ = false;
};

// Parsers shared by several directories.
Reading<std::string> plain_text(std::string_view text);  // any text that is not empty
Reading<int> count(std::string_view text);               // 0 … 2^31-1
Reading<std::uint16_t> hex16(std::string_view text);     // "0x15b3"

}  // namespace railgauge::observe
