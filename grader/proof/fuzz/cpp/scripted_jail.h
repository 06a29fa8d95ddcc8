// A simulated jail without a process: a script of bytes determines what the worker does, one step
// each time the checker waits. Linked in place of grader/sandbox/jail/jail.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace grader::fuzz {

// Bytes from which decisions are taken one after another; zeros once they are used up.
class Script {
 public:
  explicit Script(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool IsOver() const { return bytes_.empty(); }

  std::uint8_t Byte() { return Number<std::uint8_t>(); }

  template <typename T>
  T Number() {
    T value{};
    const auto taken = Bytes(sizeof value);
    if (!taken.empty()) memcpy(&value, taken.data(), taken.size());
    return value;
  }

  // The next `count`, or all that is left.
  std::span<const std::uint8_t> Bytes(std::size_t count) {
    const auto taken = bytes_.first(count < bytes_.size() ? count : bytes_.size());
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

// The script of the next jail; not owned. The first request, kHello, is answered as the real worker
// does, before the script begins. A worker that `rests` may let the checker wait until a deadline,
// in real time.
void SetScript(Script* script, bool rests);

}  // namespace grader::fuzz
