#pragma once

// What a test program needs of the machine, such as a GPU. On a machine that lacks it a program
// runs no test, says so and fails.

#include <optional>
#include <string>

namespace lab {

// A global object of this class makes the lab's main() ask `check` before the first test.
class Requirement {
 public:
  struct Missing {
    std::string what;  // `no GPU: …`
    std::string next;  // what to do about it
  };
  // Returns nullopt if the machine has what is needed. Must not throw.
  using Check = std::optional<Missing> (*)();

  // Registers `check`; for use before main(), by one thread.
  explicit Requirement(Check check);

  // What the first check that fails found missing.
  static std::optional<Missing> FirstMissing();
};

}  // namespace lab
