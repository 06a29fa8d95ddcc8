// The host side of the runtime API.  Sizes are in bytes.  All of it may be called from any host
// thread.  Streams: common/cudasim/runtime/streams/stream.h.
// Errors are those of CUDA: returned, kept for cudaGetLastError(), and sticky after a kernel fault.
#pragma once

#include <type_traits>

#include "cudasim/api_device.h"
#include "cudasim/api_graph.h"
#include "cudasim/api_memory.h"
#include "cudasim/driver_types.h"
#include "cudasim/launch_attributes.h"
#include "cudasim/surfaces.h"
#include "cudasim/textures.h"
#include "cudasim/writers.h"

// A __device__ or __constant__ variable, and where in it a copy begins.
struct cudasimSymbol {
  const volatile void* address;
  size_t bytes;
  size_t offset;
};

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes);
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned flags);
cudaError_t cudaMallocHost(void** pointer, size_t bytes);
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned flags);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);

// The allocation that begins at `pointer` is an argument of the function under test, an output that
// the function writes or else an input that it reads: reports call it so, and
// cudasim/call_account.h tells what the function did with it.  It stays what it was called first.
void cudasimNameArgument(const void* pointer, int is_output);

// The function has returned, and its caller is about to use the argument that begins at `pointer`:
// check mode reports work that may still use it.
void cudasimHandBackArgument(const void* pointer);

// Profile mode: writes what was counted so far to the file that CUDASIM_PROFILE names, as at the
// end of the process; -1 if it cannot be written.  In the other modes or when no file is named: 0,
// without effect.
int simulatorWriteProfile();

// Profile mode: forgets what was counted so far.
void simulatorResetProfile();

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* pointer, int value, size_t bytes);
cudaError_t cudasimMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                               cudaStream_t stream);
cudaError_t cudasimMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream);
void cudasimShortHostMemory(const char* call, const char* role, const void* pointer, size_t bytes,
                            size_t memory_bytes);
cudaError_t cudasimSymbolAddress(void** address, const cudasimSymbol& symbol);
cudaError_t cudasimCopyToSymbol(const cudasimSymbol& symbol, const void* from, size_t bytes,
                                cudaMemcpyKind kind);
cudaError_t cudasimCopyToSymbolAsync(const cudasimSymbol& symbol, const void* from, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudasimCopyFromSymbol(void* to, const cudasimSymbol& symbol, size_t bytes,
                                  cudaMemcpyKind kind);
cudaError_t cudasimCopyFromSymbolAsync(void* to, const cudasimSymbol& symbol, size_t bytes,
                                       cudaMemcpyKind kind, cudaStream_t stream);

cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);

cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);

// A callback that calls the API gets cudaErrorNotPermitted.
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags);

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudasimEventRecord(cudaEvent_t event, cudaStream_t stream, unsigned flags);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
// The time between the moments at which the streams reached the events.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudasimStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);

}  // extern "C"

// Wrappers are inlined so that a report names the caller's line.
#define CUDASIM_API inline __attribute__((always_inline))

// True, with a finding in all modes, if the compiler knows the variable behind the pointer, and
// that it has fewer bytes.
CUDASIM_API bool cudasimIsShort(const char* call, const char* role, const void* pointer,
                                size_t bytes) {
  const size_t known = __builtin_object_size(pointer, 0);  // the largest size if it does not know
  if (__builtin_expect(bytes <= known, 1)) return false;
  cudasimShortHostMemory(call, role, pointer, bytes, known);
  return true;
}

#if defined(__CUDACC__) && !defined(__clang__)
extern "C" {
cudaError_t cudasimMemcpyItself(void*, const void*, size_t, cudaMemcpyKind) __asm__("cudaMemcpy");
extern inline __attribute__((gnu_inline, always_inline)) cudaError_t cudaMemcpy(
    void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  if (cudasimIsShort("cudaMemcpy", "destination", to, bytes) ||
      cudasimIsShort("cudaMemcpy", "source", from, bytes)) {
    return cudaErrorInvalidValue;
  }
  return cudasimMemcpyItself(to, from, bytes, kind);
}
}
#endif

CUDASIM_API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes,
                                        cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  if (cudasimIsShort("cudaMemcpyAsync", "destination", to, bytes) ||
      cudasimIsShort("cudaMemcpyAsync", "source", from, bytes)) {
    return cudaErrorInvalidValue;
  }
  return cudasimMemcpyAsync(to, from, bytes, kind, stream);
}
CUDASIM_API cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes,
                                        cudaStream_t stream = nullptr) {
  return cudasimMemsetAsync(pointer, value, bytes, stream);
}
CUDASIM_API cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
CUDASIM_API cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
CUDASIM_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr) {
  return cudasimEventRecord(event, stream, cudaEventRecordDefault);
}
CUDASIM_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = nullptr,
                                                 unsigned flags = cudaEventRecordDefault) {
  return cudasimEventRecord(event, stream, flags);
}
CUDASIM_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                            unsigned flags = cudaEventWaitDefault) {
  return cudasimStreamWaitEvent(stream, event, flags);
}

namespace cudasim {
// Where a pointer to memory of any kind, `const float*` included, is written.
template <class T>
CUDASIM_API void** AsVoid(T** pointer) {
  return reinterpret_cast<void**>(const_cast<std::remove_cv_t<T>**>(pointer));
}
}  // namespace cudasim

template <class T>
CUDASIM_API cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return ::cudaMalloc(cudasim::AsVoid(pointer), bytes);
}
template <class T>
CUDASIM_API cudaError_t cudaMallocManaged(T** pointer, size_t bytes,
                                          unsigned flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(cudasim::AsVoid(pointer), bytes, flags);
}
template <class T>
CUDASIM_API cudaError_t cudaMallocHost(T** pointer, size_t bytes) {
  return ::cudaMallocHost(cudasim::AsVoid(pointer), bytes);
}
template <class T>
CUDASIM_API cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
  return ::cudaHostAlloc(cudasim::AsVoid(pointer), bytes, flags);
}
template <class T>
CUDASIM_API cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync(cudasim::AsVoid(pointer), bytes, stream);
}
template <class T>
CUDASIM_API cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(cudasim::AsVoid(pointer), pitch, width, height);
}
template <class T>
CUDASIM_API cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return ::cudaHostGetDevicePointer(cudasim::AsVoid(device), host, flags);
}
// The names of CUDA 13.
CUDASIM_API cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes,
                                             cudaMemLocation location, unsigned flags,
                                             cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}
CUDASIM_API cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice,
                                      cudaMemLocation location) {
  return cudaMemAdvise_v2(pointer, bytes, advice, location);
}
template <class T>
CUDASIM_API cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                           size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  if (cudasimIsShort("cudaMemcpyToSymbol", "source", from, bytes)) return cudaErrorInvalidValue;
  return cudasimCopyToSymbol({&symbol, sizeof(symbol), offset}, from, bytes, kind);
}
template <class T>
CUDASIM_API cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                                size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                cudaStream_t stream = nullptr) {
  return cudasimCopyToSymbolAsync({&symbol, sizeof(symbol), offset}, from, bytes, kind, stream);
}
template <class T>
CUDASIM_API cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  if (cudasimIsShort("cudaMemcpyFromSymbol", "destination", to, bytes)) {
    return cudaErrorInvalidValue;
  }
  return cudasimCopyFromSymbol(to, {&symbol, sizeof(symbol), offset}, bytes, kind);
}
template <class T>
CUDASIM_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                  cudaStream_t stream = nullptr) {
  return cudasimCopyFromSymbolAsync(to, {&symbol, sizeof(symbol), offset}, bytes, kind, stream);
}
template <class T>
CUDASIM_API cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  return cudasimSymbolAddress(address, {&symbol, sizeof(symbol), 0});
}
template <class T>
CUDASIM_API cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  *bytes = sizeof(symbol);
  return cudaSuccess;
}

// Names from before CUDA 5.
CUDASIM_API cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
CUDASIM_API cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
CUDASIM_API cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
CUDASIM_API cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
CUDASIM_API cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
CUDASIM_API cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
#undef CUDASIM_API
