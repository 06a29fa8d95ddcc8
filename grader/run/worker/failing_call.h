#pragma once

#include <cstdint>

#include "grader/run/wire/wire.h"

namespace grader::worker {

// Lets a runtime call of a library that was built for the CUDA simulator fail; does nothing for
// others.
class FailingCall {
 public:
  void Find(void* library);

  // Around one call of a function, however it ends; nothing happens where `number` is 0.
  class Scope {
   public:
    Scope(const FailingCall& owner, std::uint64_t number, wire::Reply& reply);
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope();

   private:
    const FailingCall& owner_;
    wire::Reply& reply_;
    bool is_on_;
    std::uint64_t before_ = 0;
  };

 private:
  void (*fail_)(std::uint64_t, int) = nullptr;
  std::uint64_t (*calls_made_)() = nullptr;
  std::uint64_t (*live_objects_)() = nullptr;
};

}  // namespace grader::worker
