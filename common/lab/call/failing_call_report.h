#pragma once

#include <cstdint>
#include <string>

namespace lab {

// What a function did while one of its calls of the CUDA runtime failed.
struct FailingCallReport {
  bool is_known = false;            // false: there is no simulator
  bool threw = false;               // the function reported a failure by an exception
  bool device_failed = false;       // a kernel then failed, and with it every later runtime call
  std::uint64_t runtime_calls = 0;  // made by it, of those that can fail
  std::string failed_call;          // name of the one that failed: "cudaMalloc"
  std::uint64_t objects_left = 0;   // leaked allocations, streams and events
};

}  // namespace lab
