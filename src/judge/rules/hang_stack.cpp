#include "judge/rules/hang_stack.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace railgauge::judge::hang {
namespace {

using namespace model;

struct Pattern {
  std::string_view part;
  Busy busy;
  bool weak = false;  // counts only when no frame further out says more
};

// Innermost frame first; in one frame the first pattern counts. Paths are those of PyTorch 2.x,
// functions those of CUDA, NCCL and glibc.
constexpr std::array<Pattern, 71> patterns{{
    {"torch/utils/data/_utils/worker.py", Busy::helper},
    {"torch/distributed/elastic/agent", Busy::helper},
    {"torch/distributed/launcher/", Busy::helper},
    {"torch/_inductor/compile_worker", Busy::helper},
    {"multiprocessing/resource_tracker", Busy::helper},
    {"multiprocessing/forkserver", Busy::helper},
    {"torch/distributed/distributed_c10d.py", Busy::communication},
    {"torch/distributed/c10d_logger.py", Busy::communication},
    {"_functional_collectives", Busy::communication},
    {"libnccl", Busy::communication},
    {"ncclGroup", Busy::communication},
    {"ncclComm", Busy::communication},
    {"ncclAllReduce", Busy::communication},
    {"c10d::", Busy::communication},
    {"MPI_", Busy::communication},
    {"cudaMalloc", Busy::gpu_memory},
    {"cudaFree", Busy::gpu_memory},
    {"cudaHostAlloc", Busy::gpu_memory},
    {"cudaMemGetInfo", Busy::gpu_memory},
    {"cuMemAlloc", Busy::gpu_memory},
    {"cuMemCreate", Busy::gpu_memory},
    {"cuMemMap", Busy::gpu_memory},
    {"cuMemFree", Busy::gpu_memory},
    {"cuMemRelease", Busy::gpu_memory},
    {"CUDACachingAllocator", Busy::gpu_memory},
    {" empty_cache", Busy::gpu_memory},
    {"StreamSynchronize", Busy::gpu},
    {"DeviceSynchronize", Busy::gpu},
    {"CtxSynchronize", Busy::gpu},
    {"EventSynchronize", Busy::gpu},
    {"cudaMemcpy", Busy::gpu},
    {"cuMemcpy", Busy::gpu},
    {"torch/cuda/streams.py", Busy::gpu},
    {"torch/cuda/__init__.py", Busy::gpu},
    {"cuModuleLoad", Busy::compile},
    {"cuLibraryLoad", Busy::compile},
    {"nvrtc", Busy::compile},
    {"torch/_inductor/compile_fx.py", Busy::compile},
    {"torch/_inductor/codecache.py", Busy::compile},
    {"torch/_inductor/async_compile.py", Busy::compile},
    {"torch/_inductor/graph.py", Busy::compile},
    {"torch/_inductor/scheduler.py", Busy::compile},
    {"torch/_dynamo/convert_frame.py", Busy::compile},
    {"torch/_dynamo/symbolic_convert.py", Busy::compile},
    {"triton/compiler", Busy::compile},
    {"triton/runtime/autotuner.py", Busy::compile},
    {"torch/utils/cpp_extension.py", Busy::compile},
    {"torch/utils/file_baton.py", Busy::compile},
    {"torch/utils/data/dataloader.py", Busy::data_loader},
    {"torch/utils/data/_utils/", Busy::data_loader},
    {"datasets/iterable_dataset.py", Busy::data_loader},
    {"torch/serialization.py", Busy::storage},
    {"torch/distributed/checkpoint/", Busy::storage},
    {"safetensors", Busy::storage},
    {"fsspec", Busy::storage},
    {"s3fs", Busy::storage},
    {"botocore", Busy::storage},
    {"save_checkpoint", Busy::storage},
    {"load_checkpoint", Busy::storage},
    {"fsync", Busy::storage},
    {"pwrite", Busy::storage},
    {"pread", Busy::storage},
    {"filelock", Busy::lock},
    {"take_gil", Busy::lock, true},
    {"lll_lock_wait", Busy::lock, true},
    {"pthread_mutex_lock", Busy::lock, true},
    {"pthread_rwlock_", Busy::lock, true},
    {"pthread_cond_", Busy::lock, true},
    {"sem_wait", Busy::lock, true},
    {"threading.py", Busy::lock, true},
    {"multiprocessing/queues.py", Busy::lock, true},
}};

const Pattern* pattern_of(std::string_view frame) {
  for (const Pattern& pattern : patterns)
    if (contains(frame, pattern.part)) return &pattern;
  return nullptr;
}

// "train.py:214 step" is the user's; torch's, Python's and native frames are not.
bool of_the_user(std::string_view frame) {
  const auto file = frame.substr(0, frame.find(' '));
  const auto colon = file.find(".py:");
  if (colon == std::string_view::npos) return false;
  for (const std::string_view start : {"torch/", "threading.py", "multiprocessing/", "queue.py",
                                       "runpy.py", "concurrent/", "selectors.py", "connection.py"})
    if (file.starts_with(start) || contains(file, "/" + std::string(start))) return false;
  return !contains(file, "site-packages/") && !contains(file, "dist-packages/");
}

const Stack* main_stack(const std::vector<Stack>& stacks) {
  for (const Stack& stack : stacks)
    if (stack.thread == "MainThread") return &stack;
  return stacks.empty() ? nullptr : &stacks.front();
}

}  // namespace

Standing standing_of(const std::vector<Stack>& stacks) {
  Standing out;
  const Stack* stack = main_stack(stacks);
  if (stack == nullptr) return out;
  const Pattern* found = nullptr;
  for (const std::string& frame : stack->frames) {
    if (out.user_frame.empty() && of_the_user(frame)) out.user_frame = frame;
    const Pattern* here = pattern_of(frame);
    if (here == nullptr) continue;
    if (here->busy == Busy::helper) {
      out.busy = Busy::helper;
      out.frame = frame;
      return out;
    }
    if (found != nullptr && (!found->weak || here->weak)) continue;
    found = here;
    out.frame = frame;
  }
  if (found != nullptr) out.busy = found->busy;
  if (out.frame.empty() && !stack->frames.empty())
    out.frame = out.user_frame.empty() ? stack->frames.front() : out.user_frame;
  return out;
}

std::string_view words(Busy busy) {
  switch (busy) {
    case Busy::communication: return "waits in a collective";
    case Busy::gpu: return "waits for its GPU";
    case Busy::data_loader: return "waits for its DataLoader";
    case Busy::storage: return "reads or writes a checkpoint or a file";
    case Busy::gpu_memory: return "allocates or frees GPU memory";
    case Busy::compile: return "compiles or loads a kernel";
    case Busy::lock: return "waits for a lock";
    case Busy::own_code: return "runs its own code";
    case Busy::helper: return "is a helper process";
  }
  return "";
}

std::string_view remedy(Busy busy) {
  switch (busy) {
    case Busy::data_loader:
      return "look at the workers of this rank's DataLoader (a dead worker, slow storage, a shard "
             "with fewer batches than those of other ranks); give DataLoader(timeout=…) so that "
             "it fails instead";
    case Busy::storage:
      return "look at the file system under this rank (a stale mount, a full disk, a quota); save "
             "asynchronously, or let all ranks wait with a longer timeout";
    case Busy::gpu_memory:
      return "calls that allocate or free GPU memory wait for kernels that run; allocate before "
             "communication begins, or set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True";
    case Busy::compile:
      return "compile before the first collective, or load kernels at start: "
             "CUDA_MODULE_LOADING=EAGER; remove stale lock files of a build cache";
    case Busy::lock: return "look at the other threads of this process: one of them holds the lock";
    default: return "look at what this rank does there, and why the others do not";
  }
}

}  // namespace railgauge::judge::hang
