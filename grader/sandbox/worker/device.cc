#include "grader/sandbox/worker/device.h"

#include <string.h>

namespace grader::worker {

void Device::Open(const wire::DeviceMemory& memory) {
  if (memory.bytes == 0 || memcmp(&memory, &memory_, sizeof memory) == 0) return;
  Close();
  MemoryHandle handle;
  static_assert(sizeof handle == sizeof memory.handle);
  memcpy(handle.data(), memory.handle, handle.size());
  begin_ = Driver::Get().Open(handle);
  memory_ = memory;
}

void Device::Touch() { Driver::Get().Fill(begin_, wire::kDeviceCanary, 1); }

void Device::Wait() {
  if (begin_ != 0) Driver::Get().Wait();
}

void Device::Close() {
  if (begin_ != 0) Driver::Get().Close(begin_);
  begin_ = 0;
  memory_ = {};
}

}  // namespace grader::worker
