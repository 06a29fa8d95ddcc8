// A CUDA driver without a GPU: device memory is memory, and a handle is its address.
#include <stdlib.h>
#include <string.h>

#include <cstddef>
#include <cstdint>

namespace {

constexpr int kInvalidValue = 1;
constexpr int kOutOfMemory = 2;
constexpr std::size_t kMemory = std::size_t{1} << 30;

struct Handle {
  std::byte bytes[64];
};

void* Pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }

}  // namespace

extern "C" {

int cuInit(unsigned) { return 0; }

int cuDeviceGet(int* device, int) {
  *device = 0;
  return 0;
}

int cuDeviceGetName(char* name, int length, int) {
  strncpy(name, "made of host memory", static_cast<std::size_t>(length));
  return 0;
}

int cuDeviceGetAttribute(int* value, int attribute, int) {
  switch (attribute) {
    case 13:
      *value = 1'500'000;  // kHz
      return 0;
    case 16:
      *value = 10;  // multiprocessors
      return 0;
    case 75:
      *value = 9;
      return 0;
    default:
      *value = 0;
      return 0;
  }
}

int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = nullptr;
  return 0;
}

int cuCtxSetCurrent(void*) { return 0; }

int cuCtxSynchronize() { return 0; }

int cuCtxResetPersistingL2Cache() { return 0; }

int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  *free = *total = kMemory;
  return 0;
}

int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  if (bytes == 0) return kInvalidValue;
  if (bytes > kMemory) return kOutOfMemory;
  *address = reinterpret_cast<std::uint64_t>(aligned_alloc(256, (bytes + 255) / 256 * 256));
  return 0;
}

int cuMemFree_v2(std::uint64_t address) {
  free(Pointer(address));
  return 0;
}

int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  memcpy(Pointer(to), from, bytes);
  return 0;
}

int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  memcpy(to, Pointer(from), bytes);
  return 0;
}

int cuMemcpyDtoD_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  memcpy(Pointer(to), Pointer(from), bytes);
  return 0;
}

int cuMemsetD8_v2(std::uint64_t to, unsigned char value, std::size_t bytes) {
  memset(Pointer(to), value, bytes);
  return 0;
}

int cuIpcGetMemHandle(Handle* handle, std::uint64_t address) {
  if (address == 0) return kInvalidValue;
  *handle = {};
  memcpy(handle->bytes, &address, sizeof address);
  return 0;
}

int cuIpcOpenMemHandle_v2(std::uint64_t* address, Handle handle, unsigned) {
  memcpy(address, handle.bytes, sizeof *address);
  return 0;
}

int cuIpcCloseMemHandle(std::uint64_t) { return 0; }

int cuGetErrorName(int error, const char** name) {
  *name = error == kOutOfMemory    ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == kInvalidValue ? "CUDA_ERROR_INVALID_VALUE"
                                   : "CUDA_ERROR_UNKNOWN";
  return 0;
}

}  // extern "C"
