#pragma once

#include <cstdint>

#include "grader/sandbox/gpu/driver.h"
#include "grader/sandbox/wire/wire.h"

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

  // The smallest operation on the GPU: writes the canary's first byte. Throws GpuError.
  void Touch();

  // Waits for all work on the device, also on streams that the program does not synchronize, so
  // that its time counts for this call and not for the GPU's next user. Throws GpuError.
  void Wait();

  void* At(std::uint64_t offset) const { return reinterpret_cast<void*>(begin_ + offset); }

 private:
  void Close();

  wire::DeviceMemory memory_{};
  DeviceAddress begin_ = 0;
};

}  // namespace grader::worker
