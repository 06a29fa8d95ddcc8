#include "common/lab/call/call_observer.h"

namespace lab {
namespace {

CallObserver* current = nullptr;

}  // namespace

CallObserver::CallObserver() : before_(current) { current = this; }

CallObserver::~CallObserver() { current = before_; }

ObservedCall::ObservedCall(const Call& call) : observer_(current) {
  if (observer_ != nullptr) observer_->Begin(call);
}

ObservedCall::~ObservedCall() {
  if (observer_ != nullptr) observer_->End();
}

}  // namespace lab
