// The streams' common state, for the scheduler of work and for check mode.
#pragma once

#include <mutex>

#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {

struct Streams {
  std::recursive_mutex mutex;  // recursive: failing work may exit, and the handler locks it too
  CUstream_st default_stream;
  std::vector<std::unique_ptr<CUstream_st>> others;  // in the order of their creation
  std::vector<std::uint64_t> counts{0};              // operations submitted so far, by slot
  std::uint64_t sequence = 0;
  std::uint64_t calls = 0;  // of functions that use streams
  std::uint64_t graph_launches = 0;
  bool launches_graph = false;  // the thread that holds the lock
  StreamClock host;             // what the host has waited for
  std::deque<std::shared_ptr<StreamOperation>>
      remembered;  // check mode: may be unordered with later operations
  std::shared_ptr<StreamOperation> running;

  // Never destroyed: the process may exit while another thread uses it.
  static Streams& Get();
};

// While one lives, a call uses the streams, which are locked.
struct StreamCall {
  explicit StreamCall(Streams& streams) : lock(streams.mutex) { ++streams.calls; }
  const std::lock_guard<std::recursive_mutex> lock;
};

// Forgets destroyed streams without work, and operations that nothing can conflict with any more:
// the host and all queued work come after them.
void Forget(Streams& streams);

// Runs all that is queued.
void DrainAll(Streams& streams);

// Called when work stays queued: from now on the host is watched, see unattended_work.cc.
void WatchTheHost();

// Calls `visit` with the default stream and all others, the newest first.
template <class Visit>
void ForEachStream(Streams& streams, const Visit& visit) {
  for (std::size_t i = streams.others.size(); i-- > 0;) visit(*streams.others[i]);
  visit(streams.default_stream);
}

}  // namespace cudasim
