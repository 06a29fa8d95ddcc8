#include "common/cudasim/runtime/streams/stream.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "common/cudasim/hooks/hooks.h"
#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/diagnostics/settings.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/streams/rendezvous.h"
#include "common/cudasim/runtime/streams/stream_state.h"
#include "common/cudasim/runtime/streams/timeline.h"

namespace cudasim {
namespace {

constexpr std::size_t kMaxQueued = 1024;      // per stream, about as on a GPU: then the oldest runs
constexpr std::size_t kMaxRemembered = 4096;  // operations that check mode compares with
constexpr int kUnreadyQueries = 2;            // before a query runs work

bool Lazy() {
  static const bool lazy = LazyStreamsSetting().value_or(kInstrumented);
  return lazy;
}

void Drain(Streams& streams, CUstream_st& stream, std::uint64_t until);

// Runs everything that the stream's first work must wait for.  Such work was submitted before, so
// the recursion ends.
void RunWhatComesBefore(Streams& streams, CUstream_st& stream) {
  const std::uint64_t sequence = stream.queue.front().operation->sequence;
  const std::shared_ptr<EventPoint> after = stream.queue.front().after;
  if (&stream == &streams.default_stream) {
    ForEachStream(streams, [&](CUstream_st& other) {
      if (&other != &stream && other.blocking()) Drain(streams, other, sequence);
    });
  } else if (stream.blocking()) {
    Drain(streams, streams.default_stream, sequence);
  }
  if (after != nullptr && !after->done) Drain(streams, *after->stream, after->sequence + 1);
}

// The time at which all of the stream's work that has run is over; for the default stream, also
// that of blocking streams.
LogicalTime TimeOver(Streams& streams, const CUstream_st& stream) {
  LogicalTime time = stream.time_over;
  if (&stream != &streams.default_stream) return time;
  ForEachStream(streams, [&](const CUstream_st& other) {
    if (other.blocking()) time = std::max(time, other.time_over);
  });
  return time;
}

// The time at which the stream's next work begins.  All that it must wait for has run.
LogicalTime TimeBefore(Streams& streams, const CUstream_st& stream, const Work& work) {
  LogicalTime time = std::max(TimeOver(streams, stream), work.operation->submitted);
  if (work.after != nullptr) time = std::max(time, work.after->time_over);
  if (stream.blocking()) time = std::max(time, streams.default_stream.time_over);
  return time;
}

void RunFirst(Streams& streams, CUstream_st& stream) {
  RunWhatComesBefore(streams, stream);
  const Work work = std::move(stream.queue.front());
  stream.queue.pop_front();
  stream.queries = 0;
  const auto outer = std::exchange(streams.running, work.operation);
  BeginWork(TimeBefore(streams, stream, work));
  {
    const RunningOperation charged(*work.operation);
    if (work.run && StickyError() == cudaSuccess) work.run();
  }
  stream.time_over = EndWork();
  streams.running = outer;
}

// Runs the stream's work that was submitted before `until`.
void Drain(Streams& streams, CUstream_st& stream, std::uint64_t until) {
  while (!stream.queue.empty() && stream.queue.front().operation->sequence < until) {
    RunFirst(streams, stream);
  }
}

void HostKnows(Streams& streams, const StreamClock& clock, LogicalTime time) {
  RecordWait(clock);
  streams.host.Join(clock);
  JoinHostTime(time);
  Forget(streams);
}

// Waiting for the default stream includes waiting for the blocking streams.
void JoinBlockingStreams(Streams& streams, StreamClock& clock) {
  ForEachStream(streams, [&](CUstream_st& stream) {
    if (stream.blocking()) clock.Join(stream.clock);
  });
}

std::shared_ptr<StreamOperation> MakeOperation(Streams& streams, CUstream_st& stream,
                                               const Origin& origin,
                                               std::vector<MemoryRange> ranges) {
  stream.clock.Join(streams.host);
  if (&stream == &streams.default_stream) {
    JoinBlockingStreams(streams, stream.clock);
  } else if (stream.blocking()) {
    stream.clock.Join(streams.default_stream.clock);
  }
  const std::uint64_t count = ++streams.counts[stream.slot];
  stream.clock.Set(stream.slot, count);
  const std::uint64_t graph_launch = streams.launches_graph ? streams.graph_launches : 0;
  return std::make_shared<StreamOperation>(
      StreamOperation{origin, std::move(ranges), ++streams.sequence, graph_launch, stream.slot,
                      count, stream.clock, 0, 0, HostTime()});
}

}  // namespace

void DrainAll(Streams& streams) {
  ForEachStream(streams, [&](CUstream_st& s) { Drain(streams, s, streams.sequence + 1); });
}

bool StreamsAreTracked() { return kCheckMode || Lazy(); }

void Submit(CUstream_st* stream, const Origin& origin, std::vector<MemoryRange> ranges,
            std::function<void()> run, std::shared_ptr<EventPoint> after) {
  Streams& streams = Streams::Get();
  const StreamCall call(streams);
  if (after != nullptr) stream->clock.Join(after->clock);
  auto operation = MakeOperation(streams, *stream, origin, std::move(ranges));
  OnSubmit(streams, *operation);
  RecordSubmit(*operation);
  if (kCheckMode) {
    streams.remembered.push_back(operation);
    if (streams.remembered.size() > kMaxRemembered) streams.remembered.pop_front();
  }
  stream->queue.push_back({std::move(operation), std::move(run), std::move(after)});
  if (!Lazy() || stream->queue.size() > kMaxQueued) RunFirst(streams, *stream);
  if (!stream->queue.empty()) WatchTheHost();
}

void HostIsBlocked(CUstream_st* stream) {
  const StreamCall call(Streams::Get());
  RecordWait(stream->clock);
}

void TellHost() {
  Streams& streams = Streams::Get();
  const StreamCall call(streams);
  if (streams.running == nullptr) return;
  streams.host.Join(streams.running->clock);
  JoinHostTime(WorkBegan());
}

std::shared_ptr<EventPoint> RecordPoint(CUstream_st* stream, const Origin& origin) {
  auto point = std::make_shared<EventPoint>();
  const auto mark = [point] {
    point->time = std::chrono::steady_clock::now();
    point->time_over = WorkBegan();
    point->done = true;
  };
  point->stream = stream;
  if (!StreamsAreTracked()) {
    mark();
    return point;
  }
  Streams& streams = Streams::Get();
  const StreamCall call(streams);
  Submit(stream, origin, {}, mark);
  point->sequence = streams.sequence;
  point->clock = stream->clock;
  return point;
}

void SynchroniseStream(CUstream_st* stream) {
  if (!StreamsAreTracked()) return;
  MeetOtherCallers();
  Streams& streams = Streams::Get();
  const StreamCall call(streams);
  const bool is_default = stream == &streams.default_stream;
  if (is_default) {
    ForEachStream(streams, [&](CUstream_st& other) {
      if (other.blocking()) Drain(streams, other, streams.sequence + 1);
    });
    JoinBlockingStreams(streams, stream->clock);
  }
  Drain(streams, *stream, streams.sequence + 1);
  HostKnows(streams, stream->clock, TimeOver(streams, *stream));
}

void SynchroniseDefaultStream() {
  if (StreamsAreTracked()) SynchroniseStream(&Streams::Get().default_stream);
}

void SynchronisePoint(const std::shared_ptr<EventPoint>& point) {
  if (point == nullptr || !StreamsAreTracked()) return;
  MeetOtherCallers();
  Streams& streams = Streams::Get();
  const StreamCall call(streams);
  if (!point->done) Drain(streams, *point->stream, point->sequence + 1);
  HostKnows(streams, point->clock, point->time_over);
}

void SynchroniseDevice() {
  if (!StreamsAreTracked()) return;
  MeetOtherCallers();
  Streams& streams = Streams::Get();
  const StreamCall call(streams);
  DrainAll(streams);
  StreamClock all;
  LogicalTime time = 0;
  ForEachStream(streams, [&](CUstream_st& stream) {
    all.Join(stream.clock);
    time = std::max(time, stream.time_over);
  });
  HostKnows(streams, all, time);
}

bool QueryStream(CUstream_st* stream) {
  Streams& streams = Streams::Get();
  const StreamCall call(streams);
  if (!stream->queue.empty()) {
    if (stream->queries++ >= kUnreadyQueries) RunFirst(streams, *stream);
    return false;
  }
  HostKnows(streams, stream->clock, TimeOver(streams, *stream));
  return true;
}

bool QueryPoint(const std::shared_ptr<EventPoint>& point) {
  Streams& streams = Streams::Get();
  const StreamCall call(streams);
  if (point == nullptr) return true;
  if (!point->done) {
    if (point->stream->queries++ >= kUnreadyQueries) RunFirst(streams, *point->stream);
    return false;
  }
  HostKnows(streams, point->clock, point->time_over);
  return true;
}

}  // namespace cudasim
