#pragma once

// What a test program needs of the machine, such as a GPU. A program whose machine lacks it runs no
// test and says so; it does not pass.

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
  // Gives nothing if the machine has what is needed. It may not throw.
  using Check = std::optional<Missing> (*)();

  // Registers `check`; for use before main(), by one thread.
  explicit Requirement(Check check);

  // What the first check that fails found missing.
  static std::optional<Missing> FirstMissing();
};

}  // namespace lab
