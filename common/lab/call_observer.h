#pragma once

namespace lab {

// While it lives, it is told when a call through the door in this process enters the lab's function
// and leaves it: not what the door and the test do before and after. Not thread-safe.
class CallObserver {
 public:
  CallObserver();
  virtual ~CallObserver();
  CallObserver(const CallObserver&) = delete;
  CallObserver& operator=(const CallObserver&) = delete;

  // `function` is the part's name.
  virtual void Begin(const char* function) = 0;
  virtual void End() = 0;

 private:
  CallObserver* before_;
};

// Tells the innermost living observer, if any, of a call that lasts as long as this object.
class ObservedCall {
 public:
  explicit ObservedCall(const char* function);
  ~ObservedCall();
  ObservedCall(const ObservedCall&) = delete;
  ObservedCall& operator=(const ObservedCall&) = delete;

 private:
  CallObserver* observer_;
};

}  // namespace lab
