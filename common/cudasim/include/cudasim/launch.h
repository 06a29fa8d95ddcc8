// What the rewriter makes of `kernel<<<...>>>(...)` and of a kernel's body.
//
//   kernel<<<config>>>(arguments)   ->  (::cudasim::Configure("file", line, config),
//   kernel(arguments))
//   __global__ void kernel(...) {}  ->  void kernel(...) {
//                                         static constexpr KernelSource source{...};
//                                         if (called by address) answer;
//                                         ::cudasim::Enter(source, [=]() mutable {}); }
//                                       references are captured as such, classes as Argument
//
// so overload resolution, template deduction and conversions are those of C++ itself.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "cudasim/driver_types.h"
#include "cudasim/run_threads.h"
#include "cudasim/vector_types.h"

namespace cudasim {

// The cluster that `__cluster_dims__` asks for, in blocks; x is 0 without it.
struct ClusterExtent {
  unsigned x = 0;
  unsigned y = 1;
  unsigned z = 1;
};

// Where a kernel is defined.  The strings live as long as the program.
struct KernelSource {
  const char* name;
  const char* file;
  int line;
  int last_line = 0;
  ClusterExtent cluster{};
  bool is_library = false;  // a sequential algorithm that stands for a library's parallel one
};

// How a launch that waits in a stream copies and destroys its arguments.
struct BodyType {
  ThreadLoop loop;
  void* (*copy)(const void* body);
  void (*destroy)(void* body);
  std::size_t bytes;  // of the arguments
};

// Remembers the configuration of the launch that the same expression makes next.
void Configure(const char* file, int line, dim3 grid, dim3 block, std::size_t shared_bytes = 0,
               cudaStream_t stream = nullptr);

// Runs the configured grid, or queues it in its stream.  Errors go where CUDA puts them:
// cudaGetLastError().  `source` is one object for each kernel or instance of a template, which
// lives as long as the program; a library's algorithm makes one for each launch.
void Launch(const KernelSource& source, const void* body, const BodyType& type);

// Set while a kernel is called by its address alone, without its arguments: it must not touch them.
// Instrumented code declares it const, like the registers: launches by kernels read it, too.
#if defined(CUDASIM_CHECK) && !defined(CUDASIM_RUNTIME)
extern __thread const bool called_by_address __attribute__((tls_model("initial-exec")));
#else
extern __thread bool called_by_address __attribute__((tls_model("initial-exec")));
#endif

// A kernel that was called so identifies itself.  If it is to be called again with arguments,
// returns their addresses, and its own in *kernel; else returns null.
void** TakeCallByAddress(const KernelSource& source, const void** kernel);

template <class... P, std::size_t... kIndex>
void CallWith(void (*kernel)(P...), [[maybe_unused]] void** arguments,
              std::index_sequence<kIndex...>) {
  kernel(static_cast<P>(*static_cast<std::remove_reference_t<P>*>(arguments[kIndex]))...);
}

// The function pointer only gives the types of the kernel's parameters.
template <class... P>
__attribute__((noinline)) void AnswerCallByAddress(const KernelSource& source, void (*)(P...)) {
  const void* kernel = nullptr;
  void** const arguments = TakeCallByAddress(source, &kernel);
  if (kernel == nullptr) return;
  CallWith(reinterpret_cast<void (*)(P...)>(const_cast<void*>(kernel)), arguments,
           std::index_sequence_for<P...>());
}

template <class Body>
void* CopyBody(const void* body) {
  return new Body(*static_cast<const Body*>(body));
}

template <class Body>
void DestroyBody(void* body) {
  delete static_cast<Body*>(body);
}

template <class Body>
constexpr BodyType kBodyType{RunThreads<Body>, CopyBody<Body>, DestroyBody<Body>, sizeof(Body)};

// A kernel's argument of a class, as nvcc passes it: its bytes, without copy constructor or
// destructor.
template <class T, bool = std::is_trivially_copyable_v<T>>
class Argument {
 public:
  CUDASIM_INLINE explicit Argument(const T& value) : value_(value) {}
  CUDASIM_INLINE T& value() { return value_; }

 private:
  T value_;
};

template <class T>
class Argument<T, false> {
 public:
  CUDASIM_NOT_INSTRUMENTED explicit Argument(const T& value) {
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&value);
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes_[i] = bytes[i];
  }
  CUDASIM_INLINE T& value() { return *reinterpret_cast<T*>(bytes_); }

 private:
  alignas(T) unsigned char bytes_[sizeof(T)];
};

// A template's argument may be a reference's type.
template <class T>
class Argument<T&, false> {
 public:
  CUDASIM_INLINE explicit Argument(T& value) : value_(&value) {}
  CUDASIM_INLINE T& value() { return *value_; }

 private:
  T* value_;
};

template <class Body>
CUDASIM_INLINE void Enter(const KernelSource& source, Body body) {
  Launch(source, &body, kBodyType<Body>);
}

}  // namespace cudasim
