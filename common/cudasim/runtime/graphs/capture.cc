#include "common/cudasim/runtime/graphs/capture.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "common/cudasim/runtime/streams/stream_state.h"

namespace cudasim {
namespace {

// Guarded by the lock of the streams.  Never destroyed: other threads may outlive main().
std::vector<std::shared_ptr<Capture>>& AllCaptures() {
  static auto* const captures = new std::vector<std::shared_ptr<Capture>>;
  return *captures;
}

std::atomic<std::size_t> live_captures{0};
unsigned long long captures_begun = 0;
thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

bool IsAnythingCaptured() { return live_captures.load(std::memory_order_relaxed) > 0; }

// Invalidates the captures for which `concerns` is true.  Returns whether there are any.
template <class Concerns>
bool InvalidateIf(const Concerns& concerns) {
  bool any = false;
  for (const auto& capture : AllCaptures()) {
    if (!concerns(*capture)) continue;
    capture->is_invalid = true;
    any = true;
  }
  return any;
}

// The stream's own capture.
cudaError_t Invalidate(Capture& capture, cudaError_t error) {
  if (capture.is_invalid) return cudaErrorStreamCaptureInvalidated;
  capture.is_invalid = true;
  return error;
}

bool HasBlockingStream(const Capture& capture) {
  return std::any_of(capture.streams.begin(), capture.streams.end(),
                     [](const CUstream_st* stream) { return stream->blocking(); });
}

bool IsLegacy(const CUstream_st* stream) { return stream == &Streams::Get().default_stream; }

// The legacy stream waits for blocking streams, also for those that capture.
cudaError_t RefuseLegacy(const CUstream_st* stream) {
  return IsLegacy(stream) && InvalidateIf(HasBlockingStream) ? cudaErrorStreamCaptureImplicit
                                                             : cudaSuccess;
}

void Join(Nodes& nodes, const Nodes& others) {
  for (const cudaGraphNode_t node : others) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
}

bool IsEverythingJoined(const Capture& capture) {
  return std::all_of(capture.streams.begin(), capture.streams.end(), [&](const CUstream_st* s) {
    return AllPrecede(s->captured_last, capture.origin->captured_last);
  });
}

void Finish(const std::shared_ptr<Capture>& capture) {
  for (CUstream_st* const stream : capture->streams) {
    stream->capture.reset();
    stream->captured_last.clear();
  }
  std::erase(AllCaptures(), capture);
  --live_captures;
}

}  // namespace

cudaError_t BeginCapture(CUstream_st* stream, cudaStreamCaptureMode mode) {
  const StreamCall call(Streams::Get());
  if (IsLegacy(stream)) return cudaErrorStreamCaptureUnsupported;
  if (stream->capture != nullptr) return cudaErrorIllegalState;
  auto capture = std::make_shared<Capture>(Capture{std::make_unique<CUgraph_st>(),
                                                   stream,
                                                   {stream},
                                                   mode,
                                                   std::this_thread::get_id(),
                                                   ++captures_begun});
  stream->capture = capture;
  AllCaptures().push_back(std::move(capture));
  ++live_captures;
  return cudaSuccess;
}

cudaError_t EndCapture(CUstream_st* stream, std::unique_ptr<CUgraph_st>* graph) {
  const StreamCall call(Streams::Get());
  const std::shared_ptr<Capture> capture = stream->capture;
  if (capture == nullptr) return cudaErrorIllegalState;
  if (capture->origin != stream) return Invalidate(*capture, cudaErrorStreamCaptureUnmatched);
  const bool any_thread = capture->mode == cudaStreamCaptureModeRelaxed;
  if (!any_thread && capture->thread != std::this_thread::get_id()) {
    Finish(capture);
    return cudaErrorStreamCaptureWrongThread;
  }
  cudaError_t error = cudaSuccess;
  if (capture->is_invalid) {
    error = cudaErrorStreamCaptureInvalidated;
  } else if (!IsEverythingJoined(*capture)) {
    error = cudaErrorStreamCaptureUnjoined;
  }
  if (error == cudaSuccess) *graph = std::move(capture->graph);
  Finish(capture);
  return error;
}

cudaStreamCaptureMode ExchangeCaptureMode(cudaStreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

cudaError_t FindImplicitDependence(const CUstream_st* stream) {
  if (!IsAnythingCaptured() || !IsLegacy(stream)) return cudaSuccess;
  const StreamCall call(Streams::Get());
  const bool any = std::any_of(AllCaptures().begin(), AllCaptures().end(),
                               [](const auto& capture) { return HasBlockingStream(*capture); });
  return any ? cudaErrorStreamCaptureImplicit : cudaSuccess;
}

cudaError_t RefuseWork(CUstream_st* stream) {
  if (!IsAnythingCaptured()) return cudaSuccess;
  const StreamCall call(Streams::Get());
  if (stream->capture != nullptr && stream->capture->is_invalid) {
    return cudaErrorStreamCaptureInvalidated;
  }
  return RefuseLegacy(stream);
}

cudaError_t RefuseStreamWait(CUstream_st* stream) {
  const cudaError_t error = RefuseUncapturable(stream);
  return error != cudaSuccess ? error : RefuseUnsafeCall();
}

// An event that a capture has recorded stays so when the capture has ended.
cudaError_t RefuseEventWait(const CUevent_st& event) {
  const StreamCall call(Streams::Get());
  if (!event.is_captured) return RefuseUnsafeCall();
  const std::shared_ptr<Capture> capture = event.capture.lock();
  if (capture == nullptr) return cudaErrorInvalidValue;
  return Invalidate(*capture, cudaErrorCapturedEvent);
}

cudaError_t RefuseDeviceWait() {
  if (!IsAnythingCaptured()) return cudaSuccess;
  const StreamCall call(Streams::Get());
  InvalidateIf([](const Capture&) { return true; });
  return cudaErrorStreamCaptureUnsupported;
}

// The reference describes the modes at cudaThreadExchangeStreamCaptureMode().
cudaError_t RefuseUnsafeCall() {
  if (!IsAnythingCaptured() || thread_mode == cudaStreamCaptureModeRelaxed) return cudaSuccess;
  const StreamCall call(Streams::Get());
  const bool any = InvalidateIf([](const Capture& capture) {
    if (capture.thread == std::this_thread::get_id()) {
      return capture.mode != cudaStreamCaptureModeRelaxed;
    }
    return thread_mode == cudaStreamCaptureModeGlobal &&
           capture.mode == cudaStreamCaptureModeGlobal;
  });
  return any ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t RefuseUncapturable(CUstream_st* stream) {
  if (!IsAnythingCaptured()) return cudaSuccess;
  const StreamCall call(Streams::Get());
  if (stream->capture == nullptr) return RefuseLegacy(stream);
  return Invalidate(*stream->capture, cudaErrorStreamCaptureUnsupported);
}

bool IsCapturing(const CUstream_st* stream) {
  if (!IsAnythingCaptured() || stream == nullptr) return false;
  const StreamCall call(Streams::Get());
  return stream->capture != nullptr && !stream->capture->is_invalid;
}

CUgraphNode_st* CaptureNode(CUstream_st* stream, cudaGraphNodeType type, NodeWork work) {
  const StreamCall call(Streams::Get());
  CUgraphNode_st* const node =
      AddNode(*stream->capture->graph, type, stream->captured_last, std::move(work));
  stream->captured_last = {node};
  return node;
}

void ChangeCapturedLast(CUstream_st* stream, const Nodes& nodes, bool only) {
  const StreamCall call(Streams::Get());
  if (only) stream->captured_last.clear();
  Join(stream->captured_last, nodes);
}

void CaptureRecord(CUstream_st* stream, CUevent_st* event) {
  const StreamCall call(Streams::Get());
  event->point.reset();
  event->is_captured = true;
  event->capture = stream->capture;
  event->captured_after = stream->captured_last;
}

cudaError_t CaptureWait(CUstream_st* stream, const CUevent_st& event) {
  const StreamCall call(Streams::Get());
  if (!event.is_captured) {
    if (event.point == nullptr) return cudaSuccess;  // never recorded: there is nothing to wait for
    return Invalidate(*stream->capture, cudaErrorStreamCaptureIsolation);
  }
  const std::shared_ptr<Capture> capture = event.capture.lock();
  if (capture == nullptr) return cudaErrorInvalidValue;  // it has ended
  if (capture->is_invalid) return cudaErrorStreamCaptureInvalidated;
  if (IsLegacy(stream)) return Invalidate(*capture, cudaErrorStreamCaptureImplicit);
  if (stream->capture == nullptr) {
    stream->capture = capture;
    capture->streams.push_back(stream);
  } else if (stream->capture != capture) {
    stream->capture->is_invalid = true;
    return Invalidate(*capture, cudaErrorStreamCaptureMerge);
  }
  Join(stream->captured_last, event.captured_after);
  return cudaSuccess;
}

void LeaveCapture(CUstream_st* stream) {
  if (!IsAnythingCaptured()) return;
  const StreamCall call(Streams::Get());
  const std::shared_ptr<Capture> capture = std::exchange(stream->capture, nullptr);
  if (capture == nullptr) return;
  capture->is_invalid = true;
  std::erase(capture->streams, stream);
  if (capture->origin == stream) Finish(capture);
}

}  // namespace cudasim
