// The rewriting passes.  Each turns one piece of CUDA syntax into C++, in place; each is linear in
// the number of tokens and throws RewriteError where the source is malformed or not simulated.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/cudasim/rewriter/scopes.h"
#include "common/cudasim/rewriter/token.h"

namespace cudasim::rewriter {

// Throws if the preprocessor has taken a header from an installed CUDA toolkit, because the
// simulator lacks it: its declarations clash with the simulator's.  Reads the folders that line
// markers name.
void RefuseToolkitHeaders(std::string_view source);

// Throws for what is not simulated, and for calls that only the host may make.
// `scopes` are those of the unit's tokens, also in the passes below.
void RefuseDeviceOnly(const Unit& unit, const std::vector<Scope>& scopes);

// Throws for the launch, by its plain name, of a function of the unit without `__global__`.  A name
// that is also a kernel's passes.
void RefuseHostLaunches(const Unit& unit, const std::vector<Scope>& scopes);

// Throws for a call of a function from device code, if every declaration of its name in the unit is
// of a function that only the host can call, as nvcc does.
void RefuseHostCalls(const Unit& unit, const std::vector<Scope>& scopes);

// True if the text of the system's headers has the name as a word.
bool HeadersDeclare(const Unit& unit, std::string_view name);

// Inline PTX becomes C++.  Throws for instructions that are not simulated.
void RewriteAssembly(Unit& unit, const std::vector<Scope>& scopes);

// `k<<<config>>>(arguments)` becomes `(::cudasim::Configure("file", line, config), k(arguments))`.
void RewriteLaunches(Unit& unit);

// The body of a `__global__` function becomes a lambda handed to ::cudasim::Enter.
void RewriteKernels(Unit& unit);

// Functions and variables that are only `__device__` get internal linkage, as in CUDA without
// relocatable device code.  Comes before RewriteDeviceVariables.
void RewriteLinkage(Unit& unit, const std::vector<Scope>& scopes);

// `__device__` and `__constant__` variables are placed in linker sections; on functions
// `__device__` and `__host__` are removed.
void RewriteDeviceVariables(Unit& unit);

// A note, with the compiler's place in front and a next step behind it, for each `extern
// __shared__` array that a function uses together with an earlier one: both begin at one address.
// None where there are more than 64 such arrays.
std::vector<std::string> NoteSharedAddresses(const Unit& unit, const std::vector<Scope>& scopes);

// `__shared__` variables become references into the block's arena.
void RewriteShared(Unit& unit, const std::vector<Scope>& scopes);

// Returns a call that passes the names and values of a kernel's arguments to the runtime, for
// reports; `open` is the `(` of the kernel's parameters.  Parameters that are not plain names are
// left out.
std::string NameArguments(const Unit& unit, std::size_t open);

// How the lambda that a kernel's body becomes holds the parameters, as nvcc passes them: a
// reference is the host's address, a class is copied by its bytes.
struct Captures {
  std::string list;          // behind `=`
  std::string declarations;  // at the beginning of the body
};

// `open` is the `(` of the parameters, `body` the `{` of the body.
Captures CaptureArguments(const Unit& unit, std::size_t open, std::size_t body);

// `atomicAdd(...);` becomes `atomicAdd(...), ::cudasim::ResultUnused();`, so that profile mode
// knows which instruction a GPU would use. Likewise atomicExch(), so that check mode knows whether
// the thread looks at what it replaces.
void RewriteUnusedAtomics(Unit& unit);

// Marks device code's assignments to elements that may be volatile, where the headers declare
// InLockstep(): in plain mode.  See include/cudasim/lockstep.h.
void RewriteVolatileAssignments(Unit& unit, const std::vector<Scope>& scopes);

// Marks calls like `cudaMalloc(&p, n);`, whose result is not used, so that a lost error can be
// reported; see include/cudasim/discards.h.
void RewriteDiscardedCalls(Unit& unit);

// Prepends a table of the source lines to which the compiler attributes implicit members of
// classes; see include/cudasim/classes.h.
void ListClasses(Unit& unit);

// Prepends a table of the lines with an index like `tile[0][i]`, which may leave the row; see
// include/cudasim/sanitizer_calls.h.
void ListFlatIndices(Unit& unit);

// Puts the text, whole lines, where no unfinished declaration of the source can precede it: behind
// the headers that the file begins with, whose text is then the same in all files, or in front.
void PrependDeclarations(Unit& unit, const std::string& text);

// True if a statement begins at `index`: behind the end of another one, or under a condition.
bool BeginsStatement(const Unit& unit, std::size_t index);

// Replaces `__noinline__`, which cannot be a macro because system headers use this word.
void RewriteNoinline(Unit& unit);

}  // namespace cudasim::rewriter
