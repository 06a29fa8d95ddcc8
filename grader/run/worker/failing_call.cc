#include "grader/run/worker/failing_call.h"

#include <dlfcn.h>

#include <algorithm>

namespace grader::worker {

void FailingCall::Find(void* library) {
  fail_ = reinterpret_cast<decltype(fail_)>(dlsym(library, "cudasimFailCall"));
  calls_made_ = reinterpret_cast<decltype(calls_made_)>(dlsym(library, "cudasimCallsMade"));
  live_objects_ = reinterpret_cast<decltype(live_objects_)>(dlsym(library, "cudasimLiveObjects"));
}

FailingCall::Scope::Scope(const FailingCall& owner, std::uint64_t number, wire::Reply& reply)
    : owner_(owner), reply_(reply), is_on_(number > 0 && owner.fail_ != nullptr) {
  if (!is_on_) return;
  before_ = owner_.live_objects_();
  owner_.fail_(number, 0);
}

FailingCall::Scope::~Scope() {
  if (!is_on_) return;
  reply_.can_fail_calls = 1;
  reply_.runtime_calls = owner_.calls_made_();
  owner_.fail_(0, 0);
  const std::uint64_t now = owner_.live_objects_();
  reply_.objects_left = std::max(now, before_) - before_;
}

}  // namespace grader::worker
