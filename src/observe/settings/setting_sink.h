// Where the readers of scripts, images and manifests put the settings they find.
//   SettingSink sink(machine, source);
//   sink.take("NCCL_DEBUG", "INFO", 12);     // kept when environment.h admits it
//   sink.unset("NCCL_DEBUG");                // gone again, unless a program was started in between
//   sink.finish();
// Names that nearly are those of NCCL ("NCLL_DEBUG") are kept, too: they are what a check looks
// for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine.h"

namespace railgauge::observe {

// Whether a name is one that take() would keep.
bool is_wanted_name(std::string_view name);

// A name of letters, digits and underscores that does not begin with a digit.
bool is_variable_name(std::string_view name);

class SettingSink {
 public:
  SettingSink(model::Machine& machine, model::SourceRef source)
      : machine_(machine), source_(source) {}

  // True when the name is wanted, whether the value could be kept or not.
  bool take(std::string_view name, std::string_view value, std::uint32_t line);
  void unset(std::string_view name);
  void launched() { ++launches_; }  // a program was started with what is set now
  void note(std::string text, std::uint32_t line);
  void finish();  // moves what was taken into the machine

  bool empty() const { return taken_.empty() && !refused_; }

 private:
  struct Taken {
    model::Variable variable;
    std::uint64_t launches;
  };
  model::Machine& machine_;
  model::SourceRef source_;
  std::vector<Taken> taken_;
  std::uint64_t launches_ = 0;
  bool refused_ = false;
  bool full_ = false;
};

}  // namespace railgauge::observe
