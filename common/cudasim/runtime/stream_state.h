// The streams' common state, for the scheduler of work and for check mode.
#pragma once

#include <mutex>

#include "common/cudasim/runtime/stream.h"

namespace cudasim {

struct Streams {
  std::recursive_mutex mutex;  // recursive: a launch that fails may end the program, see at exit
  CUstream_st default_stream;
  std::vector<std::unique_ptr<CUstream_st>> others;  // in the order of their creation
  std::vector<std::uint64_t> counts{0};              // operations submitted so far, by slot
  std::uint64_t sequence = 0;
  std::uint64_t calls = 0;  // of functions that have to do with streams
  Clock host;               // what the host has waited for
  std::deque<std::shared_ptr<StreamOperation>>
      remembered;  // check mode: maybe unordered with others
  std::shared_ptr<StreamOperation> running;

  // Never destroyed: the process may exit while another thread uses it.
  static Streams& Get();
};

// Check mode looks for conflicts with other operations: when one is submitted, begins and is over.
// Empty in plain mode.
#ifdef CUDASIM_CHECK
void OnSubmit(Streams& streams, const StreamOperation& operation);
// These addresses are of new memory: what was done to the old is no conflict.
void ForgetRanges(const void* begin, std::size_t bytes);
#else
inline void OnSubmit(Streams&, const StreamOperation&) {}
inline void ForgetRanges(const void*, std::size_t) {}
#endif

// Runs all that is queued.
void DrainAll(Streams& streams);

// Work stays in a queue: from now on the host is watched, see unattended_work.cc.
void WatchTheHost();

// Calls `visit` with the default stream and all others, the newest first.
template <class Visit>
void ForEachStream(Streams& streams, const Visit& visit) {
  for (std::size_t i = streams.others.size(); i-- > 0;) visit(*streams.others[i]);
  visit(streams.default_stream);
}

}  // namespace cudasim
