#pragma once

#include "common/lab/call/call.h"

namespace lab {

// While it lives, it is told when a call of lab::Invoke in this process enters the lab's function
// and leaves it: not what lab::Invoke and the test do before and after. Not thread-safe.
class CallObserver {
 public:
  CallObserver();
  virtual ~CallObserver();
  CallObserver(const CallObserver&) = delete;
  CallObserver& operator=(const CallObserver&) = delete;

  virtual void Begin(const Call& call) = 0;
  virtual void End() = 0;

 private:
  CallObserver* before_;
};

// Tells the innermost living observer, if any, of a call that lasts as long as this object.
class ObservedCall {
 public:
  explicit ObservedCall(const Call& call);
  ~ObservedCall();
  ObservedCall(const ObservedCall&) = delete;
  ObservedCall& operator=(const ObservedCall&) = delete;

 private:
  CallObserver* observer_;
};

}  // namespace lab
