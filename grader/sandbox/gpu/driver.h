#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace grader {

// A call of the CUDA driver failed, or there is no driver. what() names the call and its error.
class GpuError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An address in a device's memory.
using DeviceAddress = std::uint64_t;

// Names a block of device memory to another process of this machine.
using MemoryHandle = std::array<std::byte, 64>;

// The first GPU, through the driver's library, which is loaded on first use: a program built on a
// machine without CUDA can use it. Uses the primary context, as the CUDA
// runtime does. All functions throw GpuError. Not thread-safe.
class Driver {
 public:
  static constexpr char kLibrary[] = "libcuda.so.1";

  // Loads another library instead. For tests, before the first Get; `path` must stay valid.
  static void UseLibrary(const char* path);

  // The only one of the process.
  static Driver& Get();

  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  std::string Name() const;
  // Single-precision additions and multiplications per second, by its cores and clock; 0 for a
  // generation that this code does not know.
  double PeakOperationsPerSecond() const;

  // Free device memory, which all processes share.
  std::size_t FreeBytes() const;

  // Waits for all work of this process on the device, on every stream.
  void Wait();
  // Resets the persisting lines of all processes in the L2 cache to normal.
  void EndPersistence();

  DeviceAddress Allocate(std::size_t bytes);
  void Free(DeviceAddress address) noexcept;

  // Each returns when the copy is done.
  void CopyToDevice(DeviceAddress to, const void* from, std::size_t bytes);
  void CopyToHost(void* to, DeviceAddress from, std::size_t bytes);
  void CopyOnDevice(DeviceAddress to, DeviceAddress from, std::size_t bytes);
  void Fill(DeviceAddress to, unsigned char value, std::size_t bytes);

  // `address` is what Allocate returned, in this process.
  MemoryHandle Share(DeviceAddress address);
  // The block of another process.
  DeviceAddress Open(const MemoryHandle& handle);
  void Close(DeviceAddress address) noexcept;

 private:
  struct Functions;

  Driver();
  void Require(int result, const char* call) const;
  int Attribute(int attribute) const;

  const Functions& functions_;
  int device_ = 0;
};

// Owns a block of device memory.
class DeviceBlock {
 public:
  // Throws GpuError.
  explicit DeviceBlock(std::size_t bytes) : address_(Driver::Get().Allocate(bytes)) {}
  DeviceBlock(const DeviceBlock&) = delete;
  DeviceBlock& operator=(const DeviceBlock&) = delete;
  ~DeviceBlock() { Driver::Get().Free(address_); }

  DeviceAddress address() const { return address_; }

 private:
  DeviceAddress address_;
};

}  // namespace grader
