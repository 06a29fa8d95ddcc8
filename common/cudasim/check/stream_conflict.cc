#include "common/cudasim/check/stream_conflict.h"

namespace cudasim {
namespace {

constexpr char kInHostFunction[] =
    "this is in a host function: launch it behind that work, and give each its own argument, "
    "unchanged since the launch";
constexpr char kOrderStreams[] =
    "no event orders the two streams: call cudaEventRecord after the first, cudaStreamWaitEvent "
    "before the second; or give each stream its own buffer";
constexpr char kDefaultStream[] =
    "one of them has no stream: <<<blocks, threads, 0, stream>>> gives a launch one";
constexpr char kOrderNodes[] =
    "no dependence orders the two nodes: use cudaGraphAddDependencies or, where the graph is "
    "captured, cudaEventRecord and cudaStreamWaitEvent; or give each its own buffer";

bool AreOfOneGraph(const StreamOperation& a, const StreamOperation& b) {
  return a.graph_launch != 0 && a.graph_launch == b.graph_launch;
}

}  // namespace

const char* ReadOrWrite(const Access& access) { return access.writes() ? "write" : "read"; }

bool Overlap(const MemoryRange& a, const char* begin, std::size_t bytes) {
  return a.begin < begin + bytes && begin < a.begin + a.bytes;
}

const MemoryRange* FindConflict(const StreamOperation& operation, const char* begin,
                                std::size_t bytes, bool writes) {
  for (const MemoryRange& range : operation.ranges) {
    if (Overlap(range, begin, bytes) && (writes || range.use != MemoryUse::kReads)) {
      return &range;
    }
  }
  return nullptr;
}

const char* Does(const MemoryRange& range) {
  switch (range.use) {
    case MemoryUse::kReads:
      return "reads";
    case MemoryUse::kWrites:
      return "writes";
    case MemoryUse::kAllocates:
      return "allocates";
    case MemoryUse::kFrees:
      return "frees";
  }
  return "";
}

const char* WhereIs(const StreamOperation& a, const StreamOperation& b) {
  return AreOfOneGraph(a, b) ? "in another node of the graph" : "in another stream";
}

std::vector<std::string> WithAdvice(std::vector<std::string> details, const StreamOperation& a,
                                    const StreamOperation& b) {
  if (AreOfOneGraph(a, b)) {
    details.push_back(kOrderNodes);
    return details;
  }
  if (a.slot == 0 || b.slot == 0) details.push_back(kDefaultStream);
  details.push_back(kOrderStreams);
  return details;
}

const char* HostAdvice(const StreamOperation* function, const StreamOperation& other) {
  if (function == nullptr) return kWaitFirst;
  return AreOfOneGraph(*function, other) ? kOrderNodes : kInHostFunction;
}

}  // namespace cudasim
