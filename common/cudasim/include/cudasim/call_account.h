// What one call of a function under test did with its arguments, for the grader.  Needs no CUDA
// header.  Defined in the libraries of check and profile mode; absent in plain mode: declare
// them weak.
//
// Arguments are the live allocations that cudasimNameArgument() named, before the call or while it
// is under way; what was copied to them until then does not count.  The arguments of calls that run
// concurrently count too, each on its own.
#pragma once

#include <cstddef>
#include <cstdint>

struct CudasimCallAccount {
  // For the output argument with most of them, the bytes that the host wrote last in this call: by
  // copies from host memory, stores to managed memory, or fills.  A fill counts at most the width
  // of its value, one byte for cudaMemset, however many bytes of the output it wrote.  Copies
  // within the device and from it copy the marks of their source.  Bytes that a kernel wrote last,
  // or that were not written in this call, do not count.  In managed and pinned memory the latter
  // do: there the host can write unseen, so a kernel or a copy must have written what is free.
  std::uint64_t output_bytes_from_host;
  // The operation that wrote most of them, "cudaMemcpyAsync at reduction.cu:41"; empty if none.
  // For up to 16 bytes without the line, which takes long to find.
  //
  // Profile mode: if all inputs lie in memory that the host reaches, also the bytes that kernels
  // read and that are the host's own, as no input holds them, and those of outputs in the host's
  // own memory that never were on the device (see instrument/host_data.h), whichever are more.
  char copy[256];
  // Input arguments of which no kernel, and in managed or pinned memory no instrumented code of the
  // host, read a byte and no copy was made, of `inputs`.
  std::uint64_t unread_inputs;
  std::uint64_t inputs;
  std::uint64_t outputs;
};

extern "C" {

// Forgets all earlier calls: memory counts as untouched from now on.  In profile mode also begins
// the "call" of the JSON and its timeline anew; kernels add up until simulatorResetProfile().
void simulatorBeginCall();

// After the call's work has been waited for, before its outputs are fetched.  Linear in the bytes
// of the outputs that the host wrote to.  Begin and end are called by one thread at a time, while
// no other thread calls the runtime.
void simulatorEndCall(CudasimCallAccount* account);

// The call that is under way has an argument in the host's own memory.  What it holds now is the
// input.
void cudasimNameHostArgument(const void* begin, std::size_t bytes, int is_output);

}  // extern "C"
