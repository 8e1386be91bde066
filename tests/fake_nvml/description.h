// What the fake library is to answer, from a text of "key = value" lines ('#' starts a comment):
//   gpus = 8
//   gpu*.name = NVIDIA H200             every GPU
//   gpu3.link7.active = 0               one link of one GPU
//   pair0-1.p2p.read = 2                GPU 0 asking about GPU 1; pair*.… for every pair
//   error.nvmlDeviceGetName = 3         this call fails on every GPU, with this code
//   gpu5.error.* = 15                   every call fails on this GPU
// The most exact line wins: gpu3.link7, then gpu3.link*, gpu*.link7, gpu*.link*.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace fake_nvml {

class Description {
 public:
  void load(const std::string& path);  // an unreadable file describes a machine without GPUs

  std::optional<std::string> text(const std::string& key) const;
  unsigned long long number(const std::string& key, unsigned long long otherwise) const;

  std::optional<std::string> of_gpu(unsigned gpu, const std::string& key) const;
  std::optional<std::string> of_link(unsigned gpu, unsigned link, const std::string& key) const;
  std::optional<std::string> of_pair(unsigned a, unsigned b, const std::string& key) const;

  // The code a call must answer instead of a value; 0 for none.
  int error(const std::string& call) const;
  int error(unsigned gpu, const std::string& call) const;

 private:
  std::map<std::string, std::string> lines_;
};

unsigned long long to_number(const std::string& text);  // decimal, or 0x…

}  // namespace fake_nvml
