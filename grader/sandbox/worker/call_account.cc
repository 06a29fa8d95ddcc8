#include "grader/sandbox/worker/call_account.h"

#include "grader/sandbox/worker/find_in.h"

namespace grader::worker {

void CallAccount::Find(void* library) {
  FindIn(library, "cudasimBeginCall", begin_);
  FindIn(library, "cudasimEndCall", end_);
}

void CallAccount::Begin() const {
  if (begin_ != nullptr) begin_();
}

void CallAccount::End(wire::Reply& reply) const {
  if (end_ == nullptr) return;
  CudasimCallAccount account{};
  end_(&account);
  reply.output_bytes_from_host = account.output_bytes_from_host;
  reply.unread_inputs = account.unread_inputs;
  wire::SetText(reply, account.copy);
}

}  // namespace grader::worker
