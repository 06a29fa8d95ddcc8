#include "grader/sandbox/command_line/command_line.h"

#include <algorithm>
#include <charconv>

namespace grader {
namespace {

std::string Text(double number) {
  char text[32];
  snprintf(text, sizeof text, "%g", number);
  return text;
}

}  // namespace

void Parse(CLI::App& app, const std::vector<std::string>& words) {
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 wants them
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    throw UsageError(app.get_name() + ": " + error.what() + "\n  next: see `" + app.get_name() +
                     " --help`");
  }
}

CLI::Validator NumberFrom(double least, double most) {
  const auto problem = [least, most](const std::string& text) -> std::string {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (whole && value >= least && value <= most) return "";
    return "'" + text + "' is not a number from " + Text(least) + " to " + Text(most);
  };
  return CLI::Validator(problem, "NUMBER", "");
}

std::pair<std::string, std::string> ParseVariable(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError("--env: '" + text + "' is not NAME=VALUE\n  next: correct that option");
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace grader
