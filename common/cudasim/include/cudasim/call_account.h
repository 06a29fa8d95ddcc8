// What one call of a function under test did with its arguments, for whoever grades the call.
// Needs no CUDA header.  Defined in the libraries of check and profile mode, which count while the
// functions of the program run; absent in plain mode, so that dlsym() gives null: not known.
//
// Arguments are the live allocations that cudasimNameArgument() named, before the call or while it
// is under way; what was copied to them until then does not count.  Companions that run beside the
// call have arguments of their own, which count too, each on its own.
#pragma once

#include <cstdint>

struct CudasimCallAccount {
  // Bytes that the host wrote last in this call, of the output argument that has most of them: by
  // copies from host memory, by stores to managed memory, by fills.  A fill counts at most the
  // width of its value, one byte for cudaMemset, however many bytes of the output it left.  Copies
  // between two places on the device carry the marks of their source.  What a kernel wrote last,
  // or nobody in this call, does not count.
  std::uint64_t output_bytes_from_host;
  // The operation that left most of them, "cudaMemcpyAsync at reduction.cu:41"; empty if none.  Up
  // to 16 bytes without the place, which takes long to find.
  char copy[256];
  // Input arguments of which no kernel read a byte and no copy was made, of `inputs`.
  std::uint64_t unread_inputs;
  std::uint64_t inputs;
  std::uint64_t outputs;
};

extern "C" {

// Forgets all earlier calls: memory counts as untouched from now on.  In profile mode also begins
// the "call" of the JSON anew, as cudasimResetProfile() does.
void cudasimBeginCall();

// After the call's work has been waited for, before its outputs are fetched.  Linear in the bytes
// of the outputs that the host wrote to.  Begin and end are called by one thread at a time, while
// no other thread calls the runtime.
void cudasimEndCall(CudasimCallAccount* account);

}  // extern "C"
