// Stream capture: calls in a capturing stream become nodes of a graph and are not run.
//
// The rules are those of the CUDA Runtime API reference (Stream Management) and of the programming
// guide's chapter on graphs.  A call that breaks one fails, and the captures concerned are
// invalidated: from then on calls in their streams fail, until cudaStreamEndCapture().
//
// All functions are thread-safe.  As long as nothing is being captured they cost one load.
#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "common/cudasim/runtime/graphs/graph.h"
#include "common/cudasim/runtime/streams/event.h"
#include "common/cudasim/runtime/streams/stream.h"

namespace cudasim {

struct Capture {
  std::unique_ptr<CUgraph_st> graph;
  CUstream_st* origin;
  std::vector<CUstream_st*> streams;  // that take part, the origin included
  cudaStreamCaptureMode mode;
  std::thread::id thread;  // that began it
  unsigned long long id;   // unique in the process
  bool is_invalid = false;
};

// The return values of the API's functions of these names.  `graph` is null after an error.
cudaError_t BeginCapture(CUstream_st* stream, cudaStreamCaptureMode mode);
cudaError_t EndCapture(CUstream_st* stream, std::unique_ptr<CUgraph_st>* graph);

// Sets the calling thread's mode and returns the one before.
cudaStreamCaptureMode ExchangeCaptureMode(cudaStreamCaptureMode mode);

// cudaErrorStreamCaptureImplicit if the legacy stream would wait for a blocking stream that is
// capturing; nothing is invalidated.
cudaError_t FindImplicitDependence(const CUstream_st* stream);

// Each of these is called before an API function does what its name says, and returns the error
// with which the call must fail because of a capture, or cudaSuccess.
cudaError_t RefuseWork(CUstream_st* stream);           // puts work into the stream
cudaError_t RefuseStreamWait(CUstream_st* stream);     // waits for the stream, or queries it
cudaError_t RefuseEventWait(const CUevent_st& event);  // waits for the event, or queries it
cudaError_t RefuseDeviceWait();                        // waits for all work
cudaError_t RefuseUnsafeCall();                        // may wait, or is not seen by a capture
cudaError_t RefuseUncapturable(CUstream_st* stream);   // puts work there that no graph can hold

// Whether calls in the stream become nodes.  False for null.
bool IsCapturing(const CUstream_st* stream);

// The next node of a capturing stream.
CUgraphNode_st* CaptureNode(CUstream_st* stream, cudaGraphNodeType type, NodeWork work);

// On what the stream's next node depends: on these nodes, or on these as well.
void ChangeCapturedLast(CUstream_st* stream, const Nodes& nodes, bool only);

// cudaEventRecord() in a capturing stream.
void CaptureRecord(CUstream_st* stream, CUevent_st* event);

// cudaStreamWaitEvent() where the stream is capturing or the event was recorded in a capture: the
// stream joins the event's capture.
cudaError_t CaptureWait(CUstream_st* stream, const CUevent_st& event);

// cudaStreamDestroy(): a capture in which the stream takes part is invalidated.
void LeaveCapture(CUstream_st* stream);

}  // namespace cudasim
