// Streams come and go; what no longer matters is forgotten.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/cudasim/runtime/diagnostics/report.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"
#include "common/cudasim/runtime/streams/stream_state.h"
#include "common/cudasim/runtime/streams/timeline.h"

namespace cudasim {

std::string Origin::ToString() const {
  if (caller != nullptr) return name + (" at " + Locate(caller).ToString());
  return "kernel " + std::string(name) + " launched at " + cudasim::ToString(launch);
}

void Forget(Streams& streams) {
  std::erase_if(streams.others, [&](const auto& stream) {
    return stream->destroyed && stream->queue.empty() &&
           streams.host[stream->slot] == streams.counts[stream->slot];
  });
  StreamClock over = streams.host;
  ForEachStream(streams, [&](CUstream_st& stream) {
    for (const Work& work : stream.queue) over.Meet(work.operation->clock);
  });
  std::erase_if(streams.remembered, [&](const auto& o) { return o->Precedes(over); });
}

CUstream_st* FindStream(cudaStream_t handle) {
  Streams& streams = Streams::Get();
  if (handle == nullptr || handle == cudaStreamLegacy) return &streams.default_stream;
  const StreamCall call(streams);
  for (const auto& stream : streams.others) {
    if (stream.get() == handle && !stream->destroyed && !stream->is_lane) return handle;
  }
  return nullptr;
}

// A slot is free again when all of its old stream's operations come before anything new.
CUstream_st* CreateStream(unsigned flags, int priority) {
  Streams& streams = Streams::Get();
  const StreamCall call(streams);
  Forget(streams);
  std::vector<bool> taken(streams.counts.size());
  taken[0] = true;
  for (const auto& stream : streams.others) taken[stream->slot] = true;
  const auto free = std::find(taken.begin(), taken.end(), false);
  auto stream = std::make_unique<CUstream_st>();
  stream->slot = static_cast<unsigned>(free - taken.begin());
  stream->flags = flags;
  stream->priority = priority;
  if (free == taken.end()) streams.counts.push_back(0);
  streams.others.push_back(std::move(stream));
  return streams.others.back().get();
}

CUstream_st* CreateLane() {
  const StreamCall call(Streams::Get());
  CUstream_st* const lane = CreateStream(cudaStreamNonBlocking, 0);
  lane->is_lane = true;
  return lane;
}

GraphLaunch::GraphLaunch() {
  Streams& streams = Streams::Get();
  streams.mutex.lock();
  ++streams.graph_launches;
  streams.launches_graph = true;
  BeginSubmission();
}

GraphLaunch::~GraphLaunch() {
  EndSubmission();
  Streams::Get().launches_graph = false;
  Streams::Get().mutex.unlock();
}

void DestroyStream(CUstream_st* stream) {
  Streams& streams = Streams::Get();
  const StreamCall call(streams);
  stream->destroyed = true;
  if (!StreamsAreTracked()) streams.host.Set(stream->slot, streams.counts[stream->slot]);
  Forget(streams);
}

std::size_t LiveStreams() {
  Streams& streams = Streams::Get();
  const StreamCall call(streams);
  return static_cast<std::size_t>(
      std::count_if(streams.others.begin(), streams.others.end(),
                    [](const auto& stream) { return !stream->destroyed && !stream->is_lane; }));
}

}  // namespace cudasim
