// Builds JSON as text.
#pragma once

#include <cstdint>
#include <string>

#include "common/cudasim/runtime/diagnostics/json.h"

namespace cudasim {

// With up to nine digits.
std::string JsonNumber(double value);

// An object, its fields in the order in which they are added.
class Fields {
 public:
  void Add(const std::string& name, const std::string& json) {
    text_ += (text_.empty() ? "" : ", ") + JsonQuoted(name) + ": " + json;
  }
  void Add(const std::string& name, double value) { Add(name, JsonNumber(value)); }
  void Add(const std::string& name, std::uint64_t value) { Add(name, std::to_string(value)); }
  void Add(const std::string& name, int value) { Add(name, std::to_string(value)); }
  std::string Take() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

// An array of what json_of(entry) returns for each entry.
template <class Entries, class JsonOf>
std::string JsonArray(const Entries& entries, const JsonOf& json_of) {
  std::string text;
  for (const auto& entry : entries) text += (text.empty() ? "" : ", ") + json_of(entry);
  return "[" + text + "]";
}

}  // namespace cudasim
