// The rewriting passes.  Each turns one piece of CUDA syntax into C++, in place; each is linear in
// the number of tokens and throws RewriteError where the source is malformed or not simulated.
#pragma once

#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {

// `k<<<config>>>(arguments)` becomes `(::cudasim::Configure("file", line, config), k(arguments))`.
void RewriteLaunches(Unit& unit);

// The body of a `__global__` function becomes a lambda handed to ::cudasim::Enter.  A launch inside
// such a body (dynamic parallelism) is refused.
void RewriteKernels(Unit& unit);

// `__device__` and `__constant__` variables go to linker sections; `__device__` on functions goes.
void RewriteDeviceVariables(Unit& unit);

// `__shared__` variables become references into the block's arena.
void RewriteShared(Unit& unit);

// `__noinline__`, which is no macro because system headers use that very word.
void RewriteNoinline(Unit& unit);

}  // namespace cudasim::rewriter
