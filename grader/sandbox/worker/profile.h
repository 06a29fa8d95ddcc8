#pragma once

#include <string>

namespace grader::worker {

// The counters of a worker with the CUDA simulator in profile mode; does nothing in others, and
// where the environment names no file for them (CUDASIM_PROFILE).
class Profile {
 public:
  // Before any code of the library has run, which might change the environment.
  Profile();

  // Around one call: what is counted in between is written.
  void Begin() const;
  void End() const;

 private:
  std::string path_;
};

}  // namespace grader::worker
