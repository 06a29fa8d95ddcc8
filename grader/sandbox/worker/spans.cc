#include "grader/sandbox/worker/spans.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <system_error>

namespace grader::worker {
namespace {

// Address space only. Wide enough that an index that is off by a row still lands in it.
constexpr std::size_t kGuardBytes = std::size_t{1} << 20;

std::array<MappedSpan, wire::kMaxArguments> known_spans;
volatile std::size_t known_count = 0;

[[noreturn]] void ThrowErrno(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

MappedSpan MapOne(const wire::Argument& argument) {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = argument.count * argument.element_size;
  const std::uint64_t first_page = argument.offset / page * page;
  const std::size_t mapped = bytes == 0 ? 0 : argument.offset + bytes - first_page;
  const std::size_t reserved = mapped + 2 * kGuardBytes;
  void* region =
      mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) ThrowErrno("cannot reserve memory for an argument");
  auto* const pages = static_cast<std::byte*>(region) + kGuardBytes;
  if (mapped > 0) {
    const bool input = argument.kind == wire::ArgumentKind::kInput;
    void* const placed =
        mmap(pages, mapped, input ? PROT_READ : PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED | MAP_POPULATE,
             input ? wire::kInputArenaFd : wire::kOutputArenaFd, static_cast<off_t>(first_page));
    if (placed == MAP_FAILED) ThrowErrno("cannot map an argument");
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(region);
  return {begin, begin + kGuardBytes + mapped - bytes, bytes, begin + reserved};
}

}  // namespace

SpanMap::~SpanMap() { Clear(); }

void SpanMap::Map(std::span<const wire::Argument> arguments) {
  if (arguments.size() == arguments_.size() &&
      memcmp(arguments.data(), arguments_.data(), arguments.size_bytes()) == 0) {
    return;
  }
  Clear();
  for (const wire::Argument& argument : arguments) {
    const bool host = argument.kind != wire::ArgumentKind::kScalar && argument.on_device == 0;
    spans_.push_back(host ? MapOne(argument) : MappedSpan{});
    known_spans[known_count] = spans_.back();
    known_count = known_count + 1;
  }
  arguments_.assign(arguments.begin(), arguments.end());
}

void* SpanMap::Data(std::size_t index) const { return reinterpret_cast<void*>(spans_[index].data); }

void SpanMap::Clear() {
  known_count = 0;
  for (const MappedSpan& span : spans_) {
    if (span.begin != 0) munmap(reinterpret_cast<void*>(span.begin), span.end - span.begin);
  }
  spans_.clear();
  arguments_.clear();
}

KnownSpans SpansOfThisCall() { return {known_spans.data(), known_count}; }

}  // namespace grader::worker
