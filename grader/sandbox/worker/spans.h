#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grader/sandbox/wire/wire.h"

namespace grader::worker {

// One span in this process's memory. [begin, end) is reserved; all of it but the pages of
// [data, data + bytes) is inaccessible, and data + bytes is where a page ends.
struct MappedSpan {
  std::uintptr_t begin;
  std::uintptr_t data;
  std::size_t bytes;
  std::uintptr_t end;
};

// The spans of one call, mapped from the arenas so that one step past the end faults. Inputs are
// mapped read-only. Not thread-safe.
class SpanMap {
 public:
  SpanMap() = default;
  SpanMap(const SpanMap&) = delete;
  SpanMap& operator=(const SpanMap&) = delete;
  ~SpanMap();

  // Replaces the mapped spans by those of `arguments`. Keeps the mapping when they are the same as
  // last time, so that repeated calls don't pay for page faults. Throws std::system_error.
  void Map(std::span<const wire::Argument> arguments);

  // First element of argument `index`; for one on the device and for a scalar nullptr, for an empty
  // span an address that faults.
  void* Data(std::size_t index) const;

 private:
  void Clear();

  std::vector<wire::Argument> arguments_;
  std::vector<MappedSpan> spans_;  // one per argument; all zero where nothing is mapped
};

// The spans that a fault may be near to; read by the signal handler. Async-signal-safe.
struct KnownSpans {
  const MappedSpan* spans;
  std::size_t count;
};
KnownSpans SpansOfThisCall();

}  // namespace grader::worker
