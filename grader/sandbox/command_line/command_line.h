// What the command lines of the checker and the jail have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace grader {

// An invalid command line. what() has a line with the problem and a line with the next step.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Parses the words, without the program's name. Throws UsageError.
void Parse(CLI::App& app, const std::vector<std::string>& words);

// A number from `least` to `most`.
CLI::Validator NumberFrom(double least, double most = 1e9);

// A required option for a resource limit; if it is repeated, the last one counts.
template <typename Number>
void AddLimit(CLI::App& app, const char* name, Number& value, const char* what, double least) {
  app.add_option(name, value, what)->required()->take_last()->check(NumberFrom(least));
}

// NAME=VALUE. Throws UsageError.
std::pair<std::string, std::string> ParseVariable(const std::string& text);

}  // namespace grader
