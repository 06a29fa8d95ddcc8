#pragma once

#include <stdlib.h>

#include <string>

#include "grader/sandbox/gpu/driver.h"

namespace grader {

// Makes Driver::Get() load fake_driver.cc, which needs no GPU. The first one of a process counts.
struct FakeDriver {
  FakeDriver() {
    static const std::string path = std::string(getenv("TEST_SRCDIR")) + "/" +
                                    getenv("TEST_WORKSPACE") +
                                    "/grader/sandbox/gpu/tests/libfake_driver.so";
    Driver::UseLibrary(path.c_str());
  }
};

}  // namespace grader
