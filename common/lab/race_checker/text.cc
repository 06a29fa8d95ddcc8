// C library functions that read or write text, memory or times where their caller asks, and that
// ThreadSanitizer does not watch. Here it sees what they access.
//
// Linked into the program itself, so that a library that is loaded later calls these, too. Where
// programs are graded, they may call no other such function. Not used without ThreadSanitizer.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <sys/time.h>
#include <time.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/lab/race_checker/access.h"

namespace {

using lab::Next;
using lab::ReadText;

template <lab::FunctionName name, typename Number, typename... Base>
LAB_NO_FRAME Number Read(const char* text, char** end, Base... base) {
  char* found = nullptr;
  const auto number = Next<name, Number, const char*, char**>(text, &found, base...);
  __tsan_read_range(text, static_cast<std::size_t>(found - text) + 1);
  if (end != nullptr) *end = found;
  return number;
}

}  // namespace

// By their own names, to which glibc gives a prefix under newer standards.
#define LAB_INTEGER(Number, name)                                                        \
  extern "C" Number Lab_##name(const char*, char**, int) __asm__(#name);                 \
  Number Lab_##name(const char* text, char** end, int base) {                            \
    return Read<#name, Number>(text, end, base);                                         \
  }                                                                                      \
  extern "C" Number LabNewer_##name(const char*, char**, int) __asm__("__isoc23_" #name) \
      __attribute__((alias(#name)));
#define LAB_REAL(Number, name) \
  Number name(const char* text, char** end) noexcept { return Read<#name, Number>(text, end); }

LAB_INTEGER(long, strtol)
LAB_INTEGER(long long, strtoll)
LAB_INTEGER(unsigned long, strtoul)
LAB_INTEGER(unsigned long long, strtoull)
LAB_REAL(float, strtof)
LAB_REAL(double, strtod)
LAB_REAL(long double, strtold)

// glibc's headers define these inline.
#define LAB_SHORT(Number, name, full)                            \
  extern "C" Number Lab_##name(const char* text) __asm__(#name); \
  Number Lab_##name(const char* text) { return static_cast<Number>(full); }

LAB_SHORT(int, atoi, std::strtol(text, nullptr, 10))
LAB_SHORT(long, atol, std::strtol(text, nullptr, 10))
LAB_SHORT(long long, atoll, std::strtoll(text, nullptr, 10))
LAB_SHORT(double, atof, std::strtod(text, nullptr))

char* strcat(char* text, const char* other) noexcept {
  std::memcpy(text + std::strlen(text), other, std::strlen(other) + 1);
  return text;
}

char* strncat(char* text, const char* other, std::size_t most) noexcept {
  char* const end = text + std::strlen(text);
  const std::size_t length = strnlen(other, most);
  std::memcpy(end, other, length);
  end[length] = 0;
  return text;
}

char* strdup(const char* text) noexcept {
  ReadText(text);
  return Next<"strdup", char*>(text);
}

char* getenv(const char* name) noexcept {
  ReadText(name);
  return Next<"getenv", char*>(name);
}

#define LAB_NOT_A_NUMBER(Number, name)     \
  Number name(const char* text) noexcept { \
    ReadText(text);                        \
    return Next<#name, Number>(text);      \
  }

LAB_NOT_A_NUMBER(float, nanf)
LAB_NOT_A_NUMBER(double, nan)
LAB_NOT_A_NUMBER(long double, nanl)

// By each name that glibc's headers give it.
extern "C" int LabScan(const char*, const char*, ...) __asm__("__isoc99_sscanf");
int LabScan(const char* text, const char* format, ...) {
  ReadText(text);
  va_list arguments;
  va_start(arguments, format);
  const int read = vsscanf(text, format, arguments);
  va_end(arguments);
  return read;
}
extern "C" int LabOlderScan(const char*, const char*, ...) __asm__("sscanf")
    __attribute__((alias("__isoc99_sscanf")));
extern "C" int LabNewerScan(const char*, const char*, ...) __asm__("__isoc23_sscanf")
    __attribute__((alias("__isoc99_sscanf")));

int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) noexcept {
  void* memory = nullptr;
  const int error = Next<"posix_memalign">(&memory, alignment, bytes);
  if (error == 0) *result = memory;
  return error;
}

int gettimeofday(timeval* time, void* zone) noexcept {
  return lab::Change<"gettimeofday">(time, zone);
}
int nanosleep(const timespec* time, timespec* rest) { return lab::Use<"nanosleep">(time, rest); }
int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
  lab::ReadIfAny(time);
  return Next<"clock_nanosleep">(clock, flags, time, rest);
}

#endif
#endif
