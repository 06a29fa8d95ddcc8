// The counters of a kernel, by the names that the JSON and lab.toml use; counters.bzl lists them.
#pragma once

#include <string>
#include <vector>

#include "common/cudasim/profile/kernel_profile.h"

namespace cudasim {

// A counter is a number, or a word where `text` is not empty.
struct Counter {
  std::string name;
  double value = 0;
  std::string text;
};

// All counters, in a fixed order.
std::vector<Counter> CountersOf(const KernelProfile& profile);

// Counters that no points may depend on, each with the reason: they may differ from a GPU's count.
struct NotGradable {
  const char* name;
  const char* reason;
};
const std::vector<NotGradable>& CountersNotGradable();

}  // namespace cudasim
