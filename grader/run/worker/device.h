#pragma once

#include <cstdint>

#include "grader/run/gpu/driver.h"
#include "grader/run/wire/wire.h"

namespace grader::worker {

// The checker's device memory in this process. Not thread-safe.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { Close(); }

  // Opens the block, unless it is the one that is open; does nothing where there is none. Throws
  // GpuError.
  void Open(const wire::DeviceMemory& memory);

  // The least that a call can do on the GPU: writes the canary's first byte. Throws GpuError.
  void Touch();

  // Until all that was begun on the device is done, on streams that nobody waits for, too: so it
  // counts as this call's time, and not as that of whoever uses the GPU next. Throws GpuError.
  void Wait();

  void* At(std::uint64_t offset) const { return reinterpret_cast<void*>(begin_ + offset); }

 private:
  void Close();

  wire::DeviceMemory memory_{};
  DeviceAddress begin_ = 0;
};

}  // namespace grader::worker
