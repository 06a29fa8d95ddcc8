#pragma once

#include <cstdint>
#include <string>

namespace lab {

// What a function did while one of its calls of the CUDA runtime failed.
struct FailingCallReport {
  bool is_known = false;            // false: there is no simulator
  bool threw = false;               // the function reported a failure by an exception
  bool device_failed = false;       // a kernel then failed, and with it every later runtime call
  std::uint64_t runtime_calls = 0;  // that could fail and were made
  std::string failed_call;          // the name of the one that did: "cudaMalloc"
  std::uint64_t objects_left = 0;   // allocations, streams and events more than before
};

}  // namespace lab
