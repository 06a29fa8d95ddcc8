// Copies to and from __device__ and __constant__ variables.
#include "common/cudasim/runtime/copies/api_copy.h"
#include "common/cudasim/runtime/errors/errors.h"
#include "common/cudasim/runtime/memory/symbols.h"

namespace cudasim {
namespace {

// The error of a copy of `bytes` at the symbol's offset; cudaSuccess if it is valid.
cudaError_t Check(const cudasimSymbol& symbol, std::size_t bytes) {
  if (!IsSymbol(const_cast<const void*>(symbol.address), symbol.bytes)) {
    return cudaErrorInvalidSymbol;
  }
  const bool fits = symbol.offset <= symbol.bytes && bytes <= symbol.bytes - symbol.offset;
  return fits ? cudaSuccess : cudaErrorInvalidValue;
}

char* Begin(const cudasimSymbol& symbol) {
  return static_cast<char*>(const_cast<void*>(symbol.address)) + symbol.offset;
}

cudaError_t CopyTo(const char* call, const cudasimSymbol& symbol, const void* from,
                   std::size_t bytes, cudaMemcpyKind kind, const void* caller, cudaStream_t stream,
                   HostWaits waits) {
  const cudaError_t error = Check(symbol, bytes);
  if (error != cudaSuccess) return Return(error);
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) {
    return Return(cudaErrorInvalidMemcpyDirection);
  }
  return CopyInStream({call, Begin(symbol), from, bytes, kind, caller}, stream, waits);
}

cudaError_t CopyFrom(const char* call, void* to, const cudasimSymbol& symbol, std::size_t bytes,
                     cudaMemcpyKind kind, const void* caller, cudaStream_t stream,
                     HostWaits waits) {
  const cudaError_t error = Check(symbol, bytes);
  if (error != cudaSuccess) return Return(error);
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) {
    return Return(cudaErrorInvalidMemcpyDirection);
  }
  return CopyInStream({call, to, Begin(symbol), bytes, kind, caller}, stream, waits);
}

}  // namespace
}  // namespace cudasim

using cudasim::HostWaits;

#define CUDASIM_CALLER __builtin_return_address(0)

extern "C" {

cudaError_t cudasimSymbolAddress(void** address, const cudasimSymbol& symbol) {
  *address = const_cast<void*>(symbol.address);
  cudasim::TellSymbolAddress(*address, symbol.bytes);
  return cudaSuccess;
}

cudaError_t cudasimCopyToSymbol(const cudasimSymbol& symbol, const void* from, size_t bytes,
                                cudaMemcpyKind kind) {
  return cudasim::CopyTo("cudaMemcpyToSymbol", symbol, from, bytes, kind, CUDASIM_CALLER, nullptr,
                         HostWaits::kAlways);
}

cudaError_t cudasimCopyToSymbolAsync(const cudasimSymbol& symbol, const void* from, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return cudasim::CopyTo("cudaMemcpyToSymbolAsync", symbol, from, bytes, kind, CUDASIM_CALLER,
                         stream, HostWaits::kIfPageable);
}

cudaError_t cudasimCopyFromSymbol(void* to, const cudasimSymbol& symbol, size_t bytes,
                                  cudaMemcpyKind kind) {
  return cudasim::CopyFrom("cudaMemcpyFromSymbol", to, symbol, bytes, kind, CUDASIM_CALLER, nullptr,
                           HostWaits::kAlways);
}

cudaError_t cudasimCopyFromSymbolAsync(void* to, const cudasimSymbol& symbol, size_t bytes,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return cudasim::CopyFrom("cudaMemcpyFromSymbolAsync", to, symbol, bytes, kind, CUDASIM_CALLER,
                           stream, HostWaits::kIfPageable);
}

}  // extern "C"
