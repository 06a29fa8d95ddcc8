#include "common/cudasim/check/initialised.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "common/cudasim/check/shadow.h"

namespace cudasim {
namespace {

// Disjoint, non-adjacent ranges: a map from begin to end.
struct Ranges {
  std::mutex mutex;
  std::map<const char*, const char*> ends;
};

Ranges& Written() {
  static auto* const ranges = new Ranges;
  return *ranges;
}

}  // namespace

void NoteInitialised(const void* begin, std::size_t bytes) {
  const auto* first = static_cast<const char*>(begin);
  const char* last = first + bytes;
  Ranges& written = Written();
  const std::lock_guard lock(written.mutex);
  auto next = written.ends.upper_bound(first);
  if (next != written.ends.begin() && std::prev(next)->second >= first) --next;
  while (next != written.ends.end() && next->first <= last) {
    first = std::min(first, next->first);
    last = std::max(last, next->second);
    next = written.ends.erase(next);
  }
  written.ends[first] = last;
}

void ForgetInitialised(const void* begin, std::size_t bytes) {
  const auto* const first = static_cast<const char*>(begin);
  const char* const last = first + bytes;
  Ranges& written = Written();
  const std::lock_guard lock(written.mutex);
  auto next = written.ends.upper_bound(first);
  if (next != written.ends.begin() && std::prev(next)->second > first) --next;
  while (next != written.ends.end() && next->first < last) {
    const auto [old_first, old_last] = *next;
    next = written.ends.erase(next);
    if (old_first < first) written.ends[old_first] = first;
    if (old_last > last) written.ends[last] = old_last;
  }
}

void MarkInitialised(const char* begin, std::size_t words, ShadowCell* cells) {
  const char* const end = begin + words * kWordBytes;
  Ranges& written = Written();
  const std::lock_guard lock(written.mutex);
  auto range = written.ends.upper_bound(begin);
  if (range != written.ends.begin()) --range;
  for (; range != written.ends.end() && range->first < end; ++range) {
    const char* const first = std::max(range->first, begin);
    const char* const last = std::min(range->second, end);
    for (const char* byte = first; byte < last; ++byte) {
      const std::ptrdiff_t at = byte - begin;
      cells[at / kWordBytes] |= ShadowCell{1} << at % kWordBytes;
    }
  }
}

}  // namespace cudasim
