// What kind of braces a token lies in.
#pragma once

#include <cstdint>
#include <vector>

#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {

enum class Scope : std::uint8_t {
  kNamespace,           // also extern "C" { }
  kClass,               // class, struct, union, enum
  kInitialiser,         // of a variable outside functions
  kHostFunction,        // all that lies inside a function, whatever the braces
  kHostDeviceFunction,  // __host__ __device__
  kDeviceFunction,      // __device__ or __global__, also a __device__ lambda
};

// One entry for each token: the scope around it; a brace counts to the scope that it is written in.
// Linear time.
std::vector<Scope> FindScopes(const Unit& unit);

// True inside functions of any kind.
constexpr bool IsFunction(Scope scope) { return scope >= Scope::kHostFunction; }

// True inside functions that run on the device, alone or also.
constexpr bool IsDevice(Scope scope) { return scope >= Scope::kHostDeviceFunction; }

}  // namespace cudasim::rewriter
