#include "grader/sandbox/checker/device_arena.h"

#include <string.h>

#include <algorithm>
#include <optional>

#include "common/timing/stopwatch.h"

namespace grader::checker {
namespace {

constexpr std::uint64_t kAlignment = 256;    // as cudaMalloc's
constexpr std::uint64_t kCanaryBytes = 256;  // before each span, and at least as many behind it
constexpr double kWarmUpSeconds = 5e-3;
constexpr unsigned char kCanary = wire::kDeviceCanary;

std::uint64_t RoundedUp(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

bool IsOutput(const wire::Argument& argument) {
  return argument.on_device != 0 && argument.kind == wire::ArgumentKind::kInOut;
}

bool IsInput(const wire::Argument& argument) {
  return argument.on_device != 0 && argument.kind == wire::ArgumentKind::kInput;
}

}  // namespace

void DeviceArena::Lay(const lab::Call& call, wire::Request& request) {
  used_ = kCanaryBytes;  // never empty: wire::Op::kTouch writes to it
  const auto place = [&](bool (*chosen)(const wire::Argument&)) {
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      wire::Argument& argument = request.arguments[i];
      if (chosen(argument)) argument.offset = Place(BytesOf(argument));
    }
  };
  place(IsOutput);
  output_bytes_ = used_;
  place(IsInput);
  Grow(used_);
  const MemoryHandle handle = driver_.Share(shared_->address());
  memcpy(request.device.handle, handle.data(), handle.size());
  request.device.bytes = capacity_;
}

void DeviceArena::Fill(const lab::Call& call, const wire::Request& request) {
  // Sets the canaries and erases the previous call's outputs, as not every test poisons them.
  driver_.Fill(shared_->address(), kCanary, output_bytes_);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const wire::Argument& argument = request.arguments[i];
    if (argument.on_device == 0 || BytesOf(argument) == 0) continue;
    driver_.CopyToDevice(shared_->address() + argument.offset, call.arguments[i].data,
                         BytesOf(argument));
  }
}

void DeviceArena::WarmUp() {
  driver_.EndPersistence();
  const lab::Stopwatch stopwatch;
  do {
    driver_.CopyOnDevice(snapshot_->address(), shared_->address(), capacity_);
  } while (stopwatch.Seconds() < kWarmUpSeconds);
}

void DeviceArena::Snapshot() {
  driver_.CopyOnDevice(snapshot_->address(), shared_->address(), output_bytes_);
}

std::optional<Damage> DeviceArena::Damaged(const wire::Request& request) {
  image_.resize(output_bytes_);
  driver_.CopyToHost(image_.data(), snapshot_->address(), output_bytes_);
  const auto is_whole = [&](std::uint64_t begin, std::uint64_t end) {
    return std::all_of(image_.data() + begin, image_.data() + end,
                       [](std::byte byte) { return byte == std::byte{kCanary}; });
  };
  for (std::size_t i = 0; i < request.argument_count; ++i) {
    const wire::Argument& argument = request.arguments[i];
    if (!IsOutput(argument)) continue;
    const std::uint64_t end = argument.offset + BytesOf(argument);
    if (!is_whole(argument.offset - kCanaryBytes, argument.offset)) return Damage{i, true};
    if (!is_whole(end, RoundedUp(end) + kCanaryBytes)) return Damage{i, false};
  }
  return std::nullopt;
}

void DeviceArena::CopyOut(const lab::Call& call, const wire::Request& request) const {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const wire::Argument& argument = request.arguments[i];
    if (!IsOutput(argument) || BytesOf(argument) == 0) continue;
    memcpy(call.arguments[i].data, image_.data() + argument.offset, BytesOf(argument));
  }
}

std::uint64_t DeviceArena::Place(std::size_t bytes) {
  const std::uint64_t offset = used_ + kCanaryBytes;
  used_ = RoundedUp(offset + bytes) + kCanaryBytes;
  return offset;
}

void DeviceArena::Grow(std::uint64_t bytes) {
  if (bytes <= capacity_) return;
  shared_.reset();
  snapshot_.reset();
  capacity_ = 0;
  shared_.emplace(bytes);
  snapshot_.emplace(bytes);
  capacity_ = bytes;
}

}  // namespace grader::checker
