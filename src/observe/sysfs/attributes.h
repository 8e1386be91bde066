// Turns the one-value files of a recorded directory into facts, each with its file as the source.
//   Attributes attributes(recording, machine, "sys/devices/pci0000:00/0000:00:01.0");
//   attributes.fill(pci.current_width, "current_link_width", lanes);
// A parser takes the trimmed text and gives a Reading: a value; failed(why) where the kernel itself
// says that it does not know; not_reported(expected) where the text is not what the kernel writes,
// which is remarked. An absent file says nothing, a refused one is a refusal of the fact.
#pragma once

#include <string>
#include <utility>

#include "base/reading.h"
#include "base/strings.h"
#include "model/machine.h"
#include "observe/recording.h"

namespace railgauge::observe {

class Attributes {
 public:
  Attributes(const Recording& recording, model::Machine& machine, std::string directory)
      : recording_(recording), machine_(machine), directory_(std::move(directory)) {}

  template <class T, class Parse>
  void fill(model::Fact<T>& fact, const std::string& name, Parse&& parse) {
    if (has(name)) settle(fact, name, recording_.text(path(name)), parse);
  }

  // The parser gets the last component of the link's target.
  template <class T, class Parse>
  void fill_from_link(model::Fact<T>& fact, const std::string& name, Parse&& parse) {
    if (has(name)) settle(fact, name, recording_.link_name(path(name)), parse);
  }

  bool has(const std::string& name) const { return recording_.find(path(name)) != nullptr; }
  Reading<std::string> text(const std::string& name) const { return recording_.text(path(name)); }
  std::string path(const std::string& name) const { return directory_ + "/" + name; }
  model::SourceRef source(const std::string& name) {
    return machine_.sources.add(path(name), model::Trust::kernel);
  }
  // A value that no fact of the model holds, kept as it is under `key`. Empty ones are not.
  void keep(model::Device& device, const std::string& name, const std::string& key) {
    if (const auto value = text(name); value && !value->empty())
      device.attributes.push_back({key, valid_utf8(*value), source(name)});
  }

 private:
  template <class T, class Parse>
  void settle(model::Fact<T>& fact, const std::string& name, const Reading<std::string>& text,
              Parse& parse) {
    const model::SourceRef here = source(name);
    if (!text) return fact.refuse(text.why(), here);
    const Reading<T> value = parse(std::string_view(*text));
    if (value) return fact.claim(*value, here);
    fact.refuse(value.is_failed() ? value.why() : "it holds " + railgauge::quoted(*text), here);
    if (!value.is_failed())
      machine_.remark(model::RemarkLevel::warning,
                      "expected " + value.why() + ", found " + railgauge::quoted(*text), here);
  }

  const Recording& recording_;
  model::Machine& machine_;
  std::string directory_;
};

// Parsers shared by several directories.
Reading<std::string> plain_text(std::string_view text);  // any text that is not empty
Reading<int> count(std::string_view text);               // 0 … 2^31-1
Reading<std::uint16_t> hex16(std::string_view text);     // "0x15b3"

}  // namespace railgauge::observe
