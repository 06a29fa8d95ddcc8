#include "grader/sandbox/gpu/driver.h"

#include <dlfcn.h>
#include <string.h>

namespace grader {
namespace {

// CUdevice_attribute and flags of the driver's interface, whose numbers and layouts are stable.
constexpr int kClockRateAttribute = 13;  // kHz
constexpr int kMultiprocessorsAttribute = 16;
constexpr int kMajorAttribute = 75;
constexpr int kMinorAttribute = 76;
constexpr unsigned kLazyEnablePeerAccess = 1;

struct IpcHandle {
  std::byte bytes[sizeof(MemoryHandle)];
};

// Single-precision cores of a multiprocessor, by compute capability (CUDA C++ Programming Guide,
// "Arithmetic Instructions"); 0: unknown.
int CoresPerMultiprocessor(int major, int minor) {
  if (major == 7 || (major == 8 && minor == 0)) return 64;
  return major >= 8 && major <= 12 ? 128 : 0;
}

const char* library_name = Driver::kLibrary;

void* Load() {
  void* const library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw GpuError(std::string("no CUDA driver: ") + dlerror());
  return library;
}

template <typename Function>
void Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw GpuError(std::string("the CUDA driver has no ") + name);
}

}  // namespace

struct Driver::Functions {
  Functions() {
    void* const library = Load();
    Find(library, "cuInit", init);
    Find(library, "cuDeviceGet", device_get);
    Find(library, "cuDeviceGetName", device_get_name);
    Find(library, "cuDeviceGetAttribute", device_get_attribute);
    Find(library, "cuDevicePrimaryCtxRetain", context_retain);
    Find(library, "cuCtxSetCurrent", context_set);
    Find(library, "cuCtxSynchronize", synchronize);
    Find(library, "cuCtxResetPersistingL2Cache", end_persistence);
    Find(library, "cuMemGetInfo_v2", memory_info);
    Find(library, "cuMemAlloc_v2", allocate);
    Find(library, "cuMemFree_v2", free);
    Find(library, "cuMemcpyHtoD_v2", copy_to_device);
    Find(library, "cuMemcpyDtoH_v2", copy_to_host);
    Find(library, "cuMemcpyDtoD_v2", copy_on_device);
    Find(library, "cuMemsetD8_v2", set);
    Find(library, "cuIpcGetMemHandle", ipc_get);
    Find(library, "cuIpcOpenMemHandle_v2", ipc_open);
    Find(library, "cuIpcCloseMemHandle", ipc_close);
    Find(library, "cuGetErrorName", error_name);
  }

  int (*init)(unsigned);
  int (*device_get)(int*, int);
  int (*device_get_name)(char*, int, int);
  int (*device_get_attribute)(int*, int, int);
  int (*context_retain)(void**, int);
  int (*context_set)(void*);
  int (*synchronize)();
  int (*end_persistence)();
  int (*memory_info)(std::size_t*, std::size_t*);
  int (*allocate)(DeviceAddress*, std::size_t);
  int (*free)(DeviceAddress);
  int (*copy_to_device)(DeviceAddress, const void*, std::size_t);
  int (*copy_to_host)(void*, DeviceAddress, std::size_t);
  int (*copy_on_device)(DeviceAddress, DeviceAddress, std::size_t);
  int (*set)(DeviceAddress, unsigned char, std::size_t);
  int (*ipc_get)(IpcHandle*, DeviceAddress);
  int (*ipc_open)(DeviceAddress*, IpcHandle, unsigned);
  int (*ipc_close)(DeviceAddress);
  int (*error_name)(int, const char**);
};

void Driver::UseLibrary(const char* path) { library_name = path; }

Driver& Driver::Get() {
  static Driver driver;
  return driver;
}

Driver::Driver() : functions_(*new Functions) {
  Require(functions_.init(0), "cuInit");
  Require(functions_.device_get(&device_, 0), "cuDeviceGet");
  void* context = nullptr;
  Require(functions_.context_retain(&context, device_), "cuDevicePrimaryCtxRetain");
  Require(functions_.context_set(context), "cuCtxSetCurrent");
}

std::string Driver::Name() const {
  char name[256] = {};
  Require(functions_.device_get_name(name, sizeof name - 1, device_), "cuDeviceGetName");
  return name;
}

double Driver::PeakOperationsPerSecond() const {
  const double cores =
      CoresPerMultiprocessor(Attribute(kMajorAttribute), Attribute(kMinorAttribute));
  constexpr double kOperationsOfAMultiplyAdd = 2;
  return kOperationsOfAMultiplyAdd * cores * Attribute(kMultiprocessorsAttribute) * 1e3 *
         Attribute(kClockRateAttribute);
}

std::size_t Driver::FreeBytes() const {
  std::size_t free = 0;
  std::size_t total = 0;
  Require(functions_.memory_info(&free, &total), "cuMemGetInfo");
  return free;
}

void Driver::Wait() { Require(functions_.synchronize(), "cuCtxSynchronize"); }

void Driver::EndPersistence() {
  Require(functions_.end_persistence(), "cuCtxResetPersistingL2Cache");
}

DeviceAddress Driver::Allocate(std::size_t bytes) {
  DeviceAddress address = 0;
  Require(functions_.allocate(&address, bytes), "cuMemAlloc");
  return address;
}

void Driver::Free(DeviceAddress address) noexcept { functions_.free(address); }

void Driver::CopyToDevice(DeviceAddress to, const void* from, std::size_t bytes) {
  Require(functions_.copy_to_device(to, from, bytes), "cuMemcpyHtoD");
  Wait();
}

void Driver::CopyToHost(void* to, DeviceAddress from, std::size_t bytes) {
  Require(functions_.copy_to_host(to, from, bytes), "cuMemcpyDtoH");
}

void Driver::CopyOnDevice(DeviceAddress to, DeviceAddress from, std::size_t bytes) {
  Require(functions_.copy_on_device(to, from, bytes), "cuMemcpyDtoD");
  Wait();
}

void Driver::Fill(DeviceAddress to, unsigned char value, std::size_t bytes) {
  Require(functions_.set(to, value, bytes), "cuMemsetD8");
  Wait();
}

MemoryHandle Driver::Share(DeviceAddress address) {
  IpcHandle shared;
  Require(functions_.ipc_get(&shared, address), "cuIpcGetMemHandle");
  MemoryHandle handle;
  memcpy(handle.data(), shared.bytes, handle.size());
  return handle;
}

DeviceAddress Driver::Open(const MemoryHandle& handle) {
  IpcHandle shared;
  memcpy(shared.bytes, handle.data(), handle.size());
  DeviceAddress address = 0;
  Require(functions_.ipc_open(&address, shared, kLazyEnablePeerAccess), "cuIpcOpenMemHandle");
  return address;
}

void Driver::Close(DeviceAddress address) noexcept { functions_.ipc_close(address); }

void Driver::Require(int result, const char* call) const {
  if (result == 0) return;
  const char* name = nullptr;
  functions_.error_name(result, &name);
  throw GpuError(std::string(call) + ": " + (name == nullptr ? "unknown error" : name));
}

int Driver::Attribute(int attribute) const {
  int value = 0;
  Require(functions_.device_get_attribute(&value, attribute, device_), "cuDeviceGetAttribute");
  return value;
}

}  // namespace grader
