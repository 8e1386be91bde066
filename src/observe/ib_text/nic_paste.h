// The network adapters of a pasted text under construction, each found by the name the text uses.
//   NicPaste paste(input);
//   paste.at(7);                                   // what follows stands on line 7
//   const DeviceId nic = paste.rdma("mlx5_0");
//   paste.fill(paste.port(nic, 1).lid, "0x17", port_lid);
//   return paste.take("expected the output of ibstatus");
// Bounded: beyond most_devices and most_remarks everything goes to one device that is thrown away,
// and one remark says so.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/small_number.h"
#include "base/strings.h"
#include "model/machine.h"
#include "observe/ethtool/counter_sheet.h"
#include "observe/reader.h"

namespace railgauge::observe {

class NicPaste {
 public:
  // A fabric's worth of adapters in one ibqueryerrors.
  static constexpr std::size_t most_devices = 65536;
  static constexpr std::size_t most_remarks = 1000;
  static constexpr int most_ports = 254;  // the specification's

  explicit NicPaste(const Input& input);

  void at(std::uint32_t line) { here_ = source_.at_line(line); }
  model::SourceRef here() const { return here_; }

  // The adapter of that name, made when it is new.
  model::DeviceId rdma(std::string_view name);
  model::DeviceId netdev(std::string_view name);
  model::DeviceId guid(std::string_view guid);
  // One whose name the text does not say; it is called after the input.
  model::DeviceId unnamed();

  model::Machine& machine() { return machine_; }
  model::Device& operator[](model::DeviceId id) { return machine_[id]; }
  model::NicFacts& nic(model::DeviceId id) { return *machine_[id].nic; }
  // The port of that number, made when it is new; numbers that no port has are remarked.
  model::NicPort& port(model::DeviceId id, std::int64_t number);
  model::Gid& gid(model::NicPort& port, int index);

  void warn(std::string text);
  void keep(model::DeviceId id, std::string key, std::string_view value);

  // `parse` gives a Reading: a value; failed(why) where the text says that there is none;
  // not_reported(expected) where it is not what the tool prints, which is remarked.
  template <class T, class Parse>
  void fill(model::Fact<T>& fact, std::string_view text, Parse&& parse) {
    const Reading<T> value = parse(text);
    if (value) return fact.claim(*value, here_);
    fact.refuse(value.is_failed() ? value.why() : "the text says " + quoted(text), here_);
    if (!value.is_failed()) warn("expected " + value.why() + ", found " + quoted(text));
  }

  // A rate such as "200 Gb/sec (4X HDR)", which a port that is down does not have.
  void fill_rate(model::NicPort& port, std::string_view text);

  // Whether anything was found, in the end: else an error with this text.
  bool empty() const { return machine_.devices.empty(); }
  Result<model::Machine> take(const char* expected);

 private:
  model::DeviceId found(const std::string& key);
  bool fresh_ = false;

  model::Machine machine_;
  std::string name_;
  model::SourceRef source_;
  model::SourceRef here_;
  std::map<std::string, model::DeviceId, std::less<>> devices_;
  bool said_too_many_ = false;
};

// A name of an RDMA or network device: what the kernel allows and a person may paste.
bool is_device_name(std::string_view name);

}  // namespace railgauge::observe
