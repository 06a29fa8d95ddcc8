#pragma once

// A type-erased call of a lab's function, from a test to the function. The test and the function
// may live in one process or in two; lab::Invoke connects them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <stdexcept>
#include <vector>

#include "common/lab/not_written.h"

namespace lab {

// One argument. It borrows the memory of the caller for as long as the call lasts.
struct Argument {
  enum class Kind : std::uint32_t {
    kScalar = 0,  // by value; count is 1
    kInput = 1,   // span<const T>: the contents travel to the function
    kInOut = 2,   // span<T>: the contents travel to the function and back
  };

  Kind kind;
  std::uint32_t element_size;  // bytes
  std::uint32_t alignment;     // bytes, of one element
  void* data;                  // not owned; may be null when count is 0; kInput is never written
  std::size_t count;           // elements
  bool device_span = false;    // the function gets the elements in device memory
  bool on_device = false;      // data is an address in that memory already
  int rank = kEveryRank;       // of a message-passing program, which gets it

  static constexpr int kEveryRank = -1;
};

// Ranks that make the call; 0: it is none of a message-passing program.
inline int RanksOf(std::span<const Argument> arguments) {
  int ranks = 0;
  for (const Argument& argument : arguments) ranks = std::max(ranks, argument.rank + 1);
  return ranks;
}

// What one rank gets, in order.
inline std::vector<Argument> ArgumentsOf(std::span<const Argument> arguments, int rank) {
  std::vector<Argument> own;
  std::ranges::copy_if(arguments, std::back_inserter(own), [rank](const Argument& argument) {
    return argument.rank == Argument::kEveryRank || argument.rank == rank;
  });
  return own;
}

// One call. `function` is the name in the contract header, `signature` is lab::kSignature of its
// type, `result` has room for `result_size` bytes (null and 0 for void). Owns nothing.
struct Call {
  const char* function;
  std::uint64_t signature;
  std::span<Argument> arguments;
  void* result;
  std::size_t result_size;
};

// The call could not be made, or did not come back: not the function's own exception.
class CallFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Makes the call. Exactly one library of a test defines it: //common/lab/test_program:in_process
// calls the function directly, the grader's checker ships the call to a jailed worker. Returns when
// the outputs and the result are in place. Throws NotWritten if the function is still the stub,
// CallFailed if there is no such function (or it has another signature) or the worker did not
// survive the call. In process, whatever the function throws passes through. Call it from one
// thread at a time.
void Invoke(const Call& call);

}  // namespace lab
