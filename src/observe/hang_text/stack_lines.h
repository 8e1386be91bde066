// Lines of stack dumps, one form a tool. Used by stacks.cpp only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace railgauge::observe {

struct ProcessLine {
  std::optional<int> process_id;
  std::string_view command;  // with its arguments; empty where the tool does not print it
};
struct ThreadLine {
  std::string name;                  // "MainThread", "pt_main_thread", or the line itself
  std::optional<int> number;         // gdb's, 1 is the main thread
  std::optional<int> light_process;  // gdb's LWP, the process id of the main thread
};

// py-spy: "Process 14310: /usr/bin/python train.py"
std::optional<ProcessLine> py_spy_process(std::string_view line);
// py-spy: "Thread 14310 (idle): \"MainThread\"", "Thread 0x7F… (active+gil)"
std::optional<ThreadLine> py_spy_thread(std::string_view line);
// py-spy: "    wait (threading.py:320)" as "threading.py:320 wait"
std::optional<std::string> py_spy_frame(std::string_view line);

// gdb: "Attaching to process 14310", "gdb -p 14310"
std::optional<ProcessLine> gdb_process(std::string_view line);
// gdb: "Thread 1 (Thread 0x7fd4cb6ee000 (LWP 500838) \"python\"):"
std::optional<ThreadLine> gdb_thread(std::string_view line);
// gdb: "#8  0x00007f04fc98d6e6 in ncclGroupEnd () from /usr/lib/libnccl.so.2" as
// "ncclGroupEnd (libnccl.so.2)"
std::optional<std::string> gdb_frame(std::string_view line);

}  // namespace railgauge::observe
