// The API of stream capture.
#include <algorithm>

#include "common/cudasim/runtime/api/graph_arguments.h"
#include "common/cudasim/runtime/errors/fail_call.h"
#include "common/cudasim/runtime/graphs/capture.h"

namespace cudasim {
namespace {

bool IsCaptureMode(cudaStreamCaptureMode mode) {
  return mode >= cudaStreamCaptureModeGlobal && mode <= cudaStreamCaptureModeRelaxed;
}

cudaStreamCaptureStatus StatusOf(const CUstream_st& stream) {
  if (stream.capture == nullptr) return cudaStreamCaptureStatusNone;
  return stream.capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
}

// The error of a question about the stream's capture.
cudaError_t FindQueryFault(const CUstream_st* stream, const cudaStreamCaptureStatus* status) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  return status == nullptr ? cudaErrorInvalidValue : FindImplicitDependence(stream);
}

}  // namespace
}  // namespace cudasim

using cudasim::Return;

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  CUDASIM_MAY_FAIL();
  CUstream_st* const stream = cudasim::FindStream(handle);
  if (stream == nullptr) return Return(cudaErrorInvalidResourceHandle);
  if (!cudasim::IsCaptureMode(mode)) return Return(cudaErrorInvalidValue);
  return Return(cudasim::BeginCapture(stream, mode));
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  CUDASIM_MAY_FAIL();
  CUstream_st* const stream = cudasim::FindStream(handle);
  if (stream == nullptr) return Return(cudaErrorInvalidResourceHandle);
  if (graph == nullptr) return Return(cudaErrorInvalidValue);
  *graph = nullptr;
  std::unique_ptr<CUgraph_st> captured;
  const cudaError_t error = cudasim::EndCapture(stream, &captured);
  if (error == cudaSuccess) *graph = cudasim::HandOver(std::move(captured), CUDASIM_CALLER);
  return Return(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  CUDASIM_MAY_FAIL();
  const CUstream_st* const stream = cudasim::FindStream(handle);
  if (const cudaError_t error = cudasim::FindQueryFault(stream, status)) return Return(error);
  *status = cudasim::StatusOf(*stream);
  return Return(cudaSuccess);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  CUDASIM_MAY_FAIL();
  if (mode == nullptr || !cudasim::IsCaptureMode(*mode)) return Return(cudaErrorInvalidValue);
  *mode = cudasim::ExchangeCaptureMode(*mode);
  return Return(cudaSuccess);
}

// There is no data of edges to be lost, so that its array is null.
cudaError_t cudasimStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies,
                                        const cudaGraphEdgeData** data, size_t* count) {
  CUDASIM_MAY_FAIL_AS("cudaStreamGetCaptureInfo");
  const CUstream_st* const stream = cudasim::FindStream(handle);
  if (const cudaError_t error = cudasim::FindQueryFault(stream, status)) return Return(error);
  *status = cudasim::StatusOf(*stream);
  if (*status != cudaStreamCaptureStatusActive) return Return(cudaSuccess);
  if (id != nullptr) *id = stream->capture->id;
  if (graph != nullptr) *graph = stream->capture->graph.get();
  if (dependencies != nullptr) *dependencies = stream->captured_last.data();
  if (data != nullptr) *data = nullptr;
  if (count != nullptr) *count = stream->captured_last.size();
  return Return(cudaSuccess);
}

cudaError_t cudasimStreamUpdateCaptureDependencies(cudaStream_t handle,
                                                   cudaGraphNode_t* dependencies,
                                                   const cudaGraphEdgeData* data, size_t count,
                                                   unsigned flags) {
  CUDASIM_MAY_FAIL_AS("cudaStreamUpdateCaptureDependencies");
  CUstream_st* const stream = cudasim::FindStream(handle);
  if (stream == nullptr) return Return(cudaErrorInvalidResourceHandle);
  if (stream->capture == nullptr) return Return(cudaErrorIllegalState);
  if (const cudaError_t error = cudasim::RefuseWork(stream)) return Return(error);
  if (flags > cudaStreamSetCaptureDependencies) return Return(cudaErrorInvalidValue);
  if (cudasim::HasEdgeData(data, count)) return Return(cudaErrorNotSupported);
  const cudaError_t error =
      cudasim::FindGraphFault(stream->capture->graph.get(), dependencies, count);
  if (error != cudaSuccess) return Return(error);
  cudasim::ChangeCapturedLast(stream, {dependencies, dependencies + count},
                              flags == cudaStreamSetCaptureDependencies);
  return Return(cudaSuccess);
}

}  // extern "C"
