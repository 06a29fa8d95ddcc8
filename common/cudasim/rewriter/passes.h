// The rewriting passes.  Each turns one piece of CUDA syntax into C++, in place; each is linear in
// the number of tokens and throws RewriteError where the source is malformed or not simulated.
#pragma once

#include <vector>

#include "common/cudasim/rewriter/scopes.h"
#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {

// What nothing on a CPU can stand for: dynamic parallelism, inline PTX, clusters.  `scopes` are
// those of the unit's tokens, as below.
void RefuseDeviceOnly(const Unit& unit, const std::vector<Scope>& scopes);

// `k<<<config>>>(arguments)` becomes `(::cudasim::Configure("file", line, config), k(arguments))`.
void RewriteLaunches(Unit& unit);

// The body of a `__global__` function becomes a lambda handed to ::cudasim::Enter.
void RewriteKernels(Unit& unit);

// `__device__` functions and variables of this file alone get internal linkage, as in CUDA without
// relocatable device code.  Comes before RewriteDeviceVariables.
void RewriteLinkage(Unit& unit, const std::vector<Scope>& scopes);

// `__device__` and `__constant__` variables go to linker sections; on functions `__device__` and
// `__host__` go.
void RewriteDeviceVariables(Unit& unit);

// `__shared__` variables become references into the block's arena.
void RewriteShared(Unit& unit, const std::vector<Scope>& scopes);

// A call that tells the runtime the names and values of a kernel's arguments, for reports; `open`
// is the `(` of its parameters.  Parameters that are not plain names are left out.
std::string NameArguments(const Unit& unit, std::size_t open);

// `atomicAdd(...);` becomes `atomicAdd(...), ::cudasim::ResultUnused();`, so that profile mode
// knows which instruction a GPU would use.
void RewriteUnusedAtomics(Unit& unit);

// `cudaMalloc(&p, n);` with its result unused is marked, so that a lost error can be told; see
// include/cudasim/discards.h.
void RewriteDiscardedCalls(Unit& unit);

// Puts a table in front of the places where the compiler puts the members of classes that it makes
// itself, see include/cudasim/classes.h.
void ListClasses(Unit& unit);

// True if a statement begins at `index`: behind the end of another one, or under a condition.
bool BeginsStatement(const Unit& unit, std::size_t index);

// `__noinline__`, which is no macro because system headers use that very word.
void RewriteNoinline(Unit& unit);

}  // namespace cudasim::rewriter
