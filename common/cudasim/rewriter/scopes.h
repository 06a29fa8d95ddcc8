// The kind of scope that each token lies in.
#pragma once

#include <cstdint>
#include <vector>

#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {

enum class Scope : std::uint8_t {
  kNamespace,           // also extern "C" { }
  kClass,               // class, struct, union, enum
  kInitialiser,         // of a variable outside functions
  kHostFunction,        // everything inside a function, at any depth of braces
  kHostDeviceFunction,  // __host__ __device__
  kDeviceFunction,      // __device__ or __global__, also a __device__ lambda
};

// Returns the scope of each token; that of a brace is the scope outside it.
// Linear time.
std::vector<Scope> FindScopes(const Unit& unit);

// True inside functions of any kind.
constexpr bool IsFunction(Scope scope) { return scope >= Scope::kHostFunction; }

// True inside functions that run on the device, `__host__ __device__` ones included.
constexpr bool IsDevice(Scope scope) { return scope >= Scope::kHostDeviceFunction; }

}  // namespace cudasim::rewriter
