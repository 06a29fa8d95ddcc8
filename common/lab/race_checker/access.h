#pragma once

// For our definitions of library functions, under ThreadSanitizer: tells it what they access.

#include <cstddef>
#include <cstring>
#include <tuple>

#include "common/lab/race_checker/next_function.h"

extern "C" void __tsan_read_range(const void* begin, std::size_t bytes);
extern "C" void __tsan_write_range(void* begin, std::size_t bytes);

// Has no frame of its own in reports.
#define LAB_NO_FRAME __attribute__((always_inline, nodebug)) inline

namespace lab {

// Calls the function that the caller's definition stands in for.
template <FunctionName name, typename Result = int, typename... Arguments>
LAB_NO_FRAME Result Next(Arguments... arguments) {
  return NextFunction<name, Result(Arguments...)>::Get()(arguments...);
}

LAB_NO_FRAME void ReadText(const char* text) { __tsan_read_range(text, std::strlen(text) + 1); }

template <typename T>
LAB_NO_FRAME void ReadIfAny(const T* object) {
  if (object != nullptr) __tsan_read_range(object, sizeof *object);
}

// Calls a function that changes the object to which its first argument points.
template <FunctionName name, typename Result = int, typename T, typename... Arguments>
LAB_NO_FRAME Result Change(T* object, Arguments... arguments) {
  __tsan_write_range(object, sizeof *object);
  return Next<name, Result>(object, arguments...);
}

// Calls a function that reads the object to which its first argument points.
template <FunctionName name, typename Result = int, typename T, typename... Arguments>
LAB_NO_FRAME Result Use(T* object, Arguments... arguments) {
  __tsan_read_range(object, sizeof *object);
  return Next<name, Result>(object, arguments...);
}

// Calls a function that reads what its last argument points to: a time, or attributes, which may be
// null, the default ones.
template <FunctionName name, typename... Arguments>
LAB_NO_FRAME int UseLast(Arguments... arguments) {
  ReadIfAny(std::get<sizeof...(arguments) - 1>(std::tuple(arguments...)));
  return Next<name>(arguments...);
}

// Calls a function that reads an object and writes what it finds where its last argument points.
template <FunctionName name, typename T, typename Value>
LAB_NO_FRAME int Tell(const T* object, Value* value) {
  Value found{};
  const int error = Use<name>(object, &found);
  if (error == 0) *value = found;
  return error;
}

}  // namespace lab
