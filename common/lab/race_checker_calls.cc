// C library functions that read or write where their caller asks, or that lock, and that
// ThreadSanitizer does not intercept. Here it sees what they access, and the locks are taken by
// functions that it knows.
//
// Linked into the program itself, so that a library that is loaded later calls these, too. Where
// programs are graded, they may call no other such function. Not used without ThreadSanitizer.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#include <pthread.h>
#include <time.h>

#include <cstdlib>
#include <cstring>

#include "common/lab/next_function.h"

extern "C" int __interceptor_pthread_join(pthread_t thread, void** result);
extern "C" void __tsan_read_range(const void* begin, std::size_t bytes);

namespace {

template <lab::FunctionName name, typename Number, typename... Base>
Number Read(const char* text, char** end, Base... base) {
  char* found = nullptr;
  using F = Number(const char*, char**, Base...);
  const Number number = lab::NextFunction<name, F>::Get()(text, &found, base...);
  __tsan_read_range(text, static_cast<std::size_t>(found - text) + 1);
  if (end != nullptr) *end = found;
  return number;
}

// Calls a function that changes an object of its own type, then writes it.
template <lab::FunctionName name, typename T, typename... Arguments>
int Change(T* object, Arguments... arguments) {
  T copy = *object;
  const int error = lab::NextFunction<name, int(T*, Arguments...)>::Get()(&copy, arguments...);
  *object = copy;
  return error;
}

// The time of the real-time clock when another clock will show `end`.
timespec OfRealTime(clockid_t clock, const timespec& end) {
  constexpr long kSecond = 1'000'000'000;
  timespec now{};
  timespec real{};
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &real);
  const long nanoseconds = real.tv_nsec + end.tv_nsec - now.tv_nsec + kSecond;  // > 0
  real.tv_sec += end.tv_sec - now.tv_sec - 1 + nanoseconds / kSecond;
  real.tv_nsec = nanoseconds % kSecond;
  return real;
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

int pthread_attr_init(pthread_attr_t* attributes) noexcept {
  return Change<"pthread_attr_init">(attributes);
}
int pthread_attr_setdetachstate(pthread_attr_t* attributes, int state) noexcept {
  return Change<"pthread_attr_setdetachstate">(attributes, state);
}
int pthread_attr_setstacksize(pthread_attr_t* attributes, std::size_t bytes) noexcept {
  return Change<"pthread_attr_setstacksize">(attributes, bytes);
}
int pthread_mutexattr_init(pthread_mutexattr_t* attributes) noexcept {
  return Change<"pthread_mutexattr_init">(attributes);
}
int pthread_mutexattr_settype(pthread_mutexattr_t* attributes, int type) noexcept {
  return Change<"pthread_mutexattr_settype">(attributes, type);
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* end) {
  const timespec real = OfRealTime(clock, *end);
  return pthread_mutex_timedlock(mutex, &real);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* end) {
  const timespec real = OfRealTime(clock, *end);
  return pthread_rwlock_timedrdlock(lock, &real);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* end) {
  const timespec real = OfRealTime(clock, *end);
  return pthread_rwlock_timedwrlock(lock, &real);
}

int pthread_join(pthread_t thread, void** result) {
  void* returned = nullptr;
  const int error = __interceptor_pthread_join(thread, &returned);
  if (error == 0 && result != nullptr) *result = returned;
  return error;
}
#endif
#endif
