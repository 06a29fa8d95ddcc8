#pragma once

#include <cstdint>

namespace lab {

// What a test in one process asks of the CUDA simulator around one call of a function: to let a
// runtime call fail (failing_call.h), and who wrote the outputs. Without the simulator it does
// nothing.
class SimulatorWatch {
 public:
  // Before the function is called; `function` is its name.
  explicit SimulatorWatch(const char* function);
  SimulatorWatch(const SimulatorWatch&) = delete;
  SimulatorWatch& operator=(const SimulatorWatch&) = delete;
  ~SimulatorWatch();

  // Its work is done, outputs are not fetched yet. Tells once of each function whose outputs come
  // from the host: the grader refuses such a part.
  void Returned() const;

  // It threw, after a runtime call that failed on demand.
  void Threw() const;

 private:
  void ReportFailingCall(bool threw) const;

  const char* function_;
  bool lets_fail_;
  std::uint64_t before_ = 0;
};

}  // namespace lab
