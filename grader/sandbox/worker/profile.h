#pragma once

#include <string>

namespace grader::worker {

// The counters of a library that was built with the CUDA simulator's profile mode; does nothing for
// others, and where the environment names no file for them (CUDASIM_PROFILE).
class Profile {
 public:
  // Before any code of the library has run, which might change the environment.
  Profile();

  void Find(void* library);

  // Around one call: what is counted in between is written.
  void Begin() const;
  void End() const;

 private:
  std::string path_;
  void (*reset_)() = nullptr;
  int (*write_)() = nullptr;
};

}  // namespace grader::worker
