#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "common/lab/call/call.h"
#include "common/lab/exports/exports.h"

namespace lab {

// The table's function for a call. Throws CallFailed if there is none of its name and signature.
inline const ExportedFunction& FindFunction(const ExportTable& table, const Call& call) {
  const std::span functions(table.functions, table.count);
  const auto function = std::ranges::find_if(functions, [&](const ExportedFunction& candidate) {
    return std::string_view(candidate.name) == call.function;
  });
  if (function == functions.end()) {
    throw CallFailed("error: no such function: " + std::string(call.function) +
                     "\n  next: name it in functions = [...] of the lab's BUILD file");
  }
  if (function->signature != call.signature || function->result_size != call.result_size) {
    throw CallFailed(
        "error: the test and the lab disagree on the signature: " + std::string(call.function) +
        "\n  next: build both from the same contract header");
  }
  return *function;
}

}  // namespace lab
