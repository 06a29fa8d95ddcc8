#pragma once

// The function's side of a call: a table of the functions that a lab's file defines.
//
//   #include "labs/histogram/histogram.h"
//   #include "common/lab/exports/exports.h"
//   LAB_EXPORTS(LAB_EXPORT(Histogram), LAB_EXPORT(MergeHistograms));
//
// defines `extern "C" const lab::ExportTable* LabExports()`. A CUDA lab includes
// common/cuda/exports.h before this header.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "common/lab/call/call.h"
#include "common/lab/call/parameter.h"
#include "common/lab/exports/atomic_objects.h"
#include "common/lab/exports/staging.h"
#include "common/lab/race_checker/atomics.h"
#include "common/lab/race_checker/openmp_locks.h"
#include "common/lab/race_checker/openmp_loops.h"
#include "common/lab/race_checker/task_dependences.h"
#include "common/lab/race_checker/task_memory.h"
#include "common/lab/race_checker/task_reductions.h"
#include "common/lab/race_checker/task_stealing.h"

namespace lab {

// One function. A call is stage, start, finish, fetch, release, in this order and on one thread;
// from start to fetch it may repeat. `argument_count` counts what a test passes.
struct ExportedFunction {
  const char* name;
  std::uint64_t signature;
  std::size_t argument_count;
  std::size_t result_size;

  // Puts the inputs where the function reads them. The arguments' memory must stay until release.
  // Throws std::invalid_argument if the arguments do not fit, std::runtime_error if device memory
  // runs out.
  void* (*stage)(std::span<const Argument> arguments);
  // Calls the function. `result` has room for result_size bytes, any alignment. Throws what the
  // function throws.
  void (*start)(void* staged, void* result);
  // Waits until the work on its stream is done. Throws std::runtime_error on a device error.
  void (*finish)(void* staged);
  // Brings outputs back into the arguments' memory.
  void (*fetch)(void* staged);
  // Frees what stage made. May be called right after a start or finish that threw.
  void (*release)(void* staged);

  void Run(void* staged, void* result) const {
    start(staged, result);
    finish(staged);
  }
};

struct ExportTable {
  const ExportedFunction* functions;
  std::size_t count;
};

namespace internal {

// Hands out the arguments in order; a parameter that the harness supplies takes none.
class ArgumentCursor {
 public:
  explicit ArgumentCursor(std::span<const Argument> arguments) : arguments_(arguments) {}

  template <typename P>
  Staging<P> Take() {
    if constexpr (kPassedByTest<P>) {
      return Staging<P>(arguments_[next_++]);
    } else {
      return Staging<P>();
    }
  }

 private:
  std::span<const Argument> arguments_;
  std::size_t next_ = 0;
};

// One Staging per parameter. Built through a base per parameter, in order, so that a Staging need
// not move and those already made are destroyed if a later one throws.
template <std::size_t kIndex, typename P>
struct StagedParameter {
  explicit StagedParameter(ArgumentCursor& cursor) : staging(cursor.Take<P>()) {}
  Staging<P> staging;
};

template <typename Indices, typename... P>
class StagedCall;

template <std::size_t... kIndex, typename... P>
class StagedCall<std::index_sequence<kIndex...>, P...> : private StagedParameter<kIndex, P>... {
 public:
  explicit StagedCall([[maybe_unused]] ArgumentCursor cursor)
      : StagedParameter<kIndex, P>(cursor)... {}

  template <typename R>
  R Start(R (*function)(P...)) {
    return function(StagedParameter<kIndex, P>::staging.Value()...);
  }

  void Finish() { (StagedParameter<kIndex, P>::staging.Finish(), ...); }
  void Fetch() { (StagedParameter<kIndex, P>::staging.Fetch(), ...); }
};

template <auto kFunction, typename F = std::remove_pointer_t<decltype(kFunction)>>
struct Exporter;

template <auto kFunction, typename R, typename... P>
struct Exporter<kFunction, R(P...)> {
  using Staged = StagedCall<std::index_sequence_for<P...>, P...>;
  static constexpr std::size_t kArguments = (std::size_t{kPassedByTest<P>} + ... + 0);
  static_assert(!((ParameterTraits<P>::kPlace == Place::kDevice) || ...) ||
                    kArguments < sizeof...(P),
                "a function with device spans takes a cudaStream_t: it is what finish waits for");

  static void* Stage(std::span<const Argument> arguments) {
    if (arguments.size() != kArguments) {
      throw std::invalid_argument(std::to_string(arguments.size()) +
                                  " arguments, the contract says " + std::to_string(kArguments));
    }
    return new Staged(ArgumentCursor(arguments));
  }

  static void Start(void* staged, void* result) {
    if constexpr (std::is_void_v<R>) {
      static_cast<Staged*>(staged)->template Start<R>(kFunction);
    } else {
      const R value = static_cast<Staged*>(staged)->template Start<R>(kFunction);
      std::memcpy(result, &value, sizeof(R));
    }
  }

  static void Finish(void* staged) { static_cast<Staged*>(staged)->Finish(); }
  static void Fetch(void* staged) { static_cast<Staged*>(staged)->Fetch(); }
  static void Release(void* staged) { delete static_cast<Staged*>(staged); }

  static constexpr ExportedFunction Make(const char* name) {
    std::size_t result_size = 0;
    if constexpr (!std::is_void_v<R>) result_size = sizeof(R);
    return {name,   kSignature<R(P...)>, kArguments, result_size, Stage, Start, Finish, Fetch,
            Release};
  }
};

template <auto kFunction, typename R, typename... P>
struct Exporter<kFunction, R(P...) noexcept> {
  static constexpr std::uint64_t kRefused = kSignature<R(P...) noexcept>;
};

}  // namespace internal
}  // namespace lab

// The functions that are linked into this program or library. The table is constant and lives as
// long as the library is loaded.
extern "C" __attribute__((visibility("default"))) const ::lab::ExportTable* LabExports();

#define LAB_EXPORT(function) ::lab::internal::Exporter<&function>::Make(#function)

#define LAB_EXPORTS(...)                                                           \
  extern "C" const ::lab::ExportTable* LabExports() {                              \
    static constexpr ::lab::ExportedFunction kFunctions[] = {__VA_ARGS__};         \
    static constexpr ::lab::ExportTable kTable{kFunctions, std::size(kFunctions)}; \
    return &kTable;                                                                \
  }                                                                                \
  static_assert(true)
