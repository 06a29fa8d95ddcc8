// What the C++ library does outside its headers when text is written to a stream, so that
// ThreadSanitizer sees it: else threads that write to one std::ostringstream would race unseen.
//
// Threads may write to std::cout and its like at once ([iostream.objects.overview]): these have no
// room for characters, and what the C++ library changes in the streams themselves is not told.
//
// Linked as race_checker_text.cc is. Not used without ThreadSanitizer.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <ostream>
#include <sstream>
#include <streambuf>

#include "common/lab/race_checker/access.h"

// Compiled here, they are instrumented.
template class std::basic_streambuf<char>;
template class std::basic_stringbuf<char>;
template class std::basic_ostringstream<char>;
template class std::basic_stringstream<char>;

namespace {

// Has access to what is protected there.
struct Room : std::streambuf {
  // For functions that write characters one by one, unseen.
  LAB_NO_FRAME static void Write(std::streambuf* buffer, std::streamsize most) {
    char* const begin = (buffer->*&Room::pptr)();
    const auto characters = std::min(most, (buffer->*&Room::epptr)() - begin);
    if (characters == 0) return;
    __tsan_write_range(begin, static_cast<std::size_t>(characters));
    __tsan_write_range(buffer, sizeof *buffer);
  }
};

}  // namespace

// Everything that writes to a stream begins with it.
extern "C" void LabSentry(std::ostream::sentry*, std::ostream&) __asm__("_ZNSo6sentryC1ERSo");
void LabSentry(std::ostream::sentry* sentry, std::ostream& stream) {
  std::streamsize characters = 1;
  if (&stream != &std::cout && &stream != &std::cerr && &stream != &std::clog) {
    characters = std::max(characters, stream.width());
    stream.width(stream.width());
  }
  if (stream.rdbuf() != nullptr) Room::Write(stream.rdbuf(), characters);
  lab::Next<"_ZNSo6sentryC1ERSo", void>(sentry, &stream);
}
extern "C" void LabBaseSentry(std::ostream::sentry*, std::ostream&) __asm__("_ZNSo6sentryC2ERSo")
    __attribute__((alias("_ZNSo6sentryC1ERSo")));
#endif
#endif
