#pragma once

#include "common/cudasim/include/cudasim/call_account.h"
#include "grader/sandbox/wire/wire.h"

namespace grader::worker {

// Who wrote the outputs of a call, as the instrumented CUDA simulator records it; does nothing for
// libraries without one.
class CallAccount {
 public:
  void Find(void* library);

  // Around a call's work, outputs not yet fetched.
  void Begin() const;
  void End(wire::Reply& reply) const;

 private:
  void (*begin_)() = nullptr;
  void (*end_)(CudasimCallAccount*) = nullptr;
};

}  // namespace grader::worker
