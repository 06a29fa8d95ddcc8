#pragma once

#include "grader/sandbox/jail/descriptor.h"

namespace grader {

// A user id that no other living jail of this machine has, held until this object dies. The lock is
// an abstract socket's name, so nothing is left behind, however the holder dies.
class UserId {
 public:
  // id 0: any free one; otherwise that one, shared or not. Throws JailError when all are taken.
  explicit UserId(int id);
  int id() const { return id_; }

 private:
  int id_;
  Descriptor lock_;
};

}  // namespace grader
