#include "common/lab/race_checker/race_log.h"

#include <glob.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace lab {
namespace {

constexpr char kOptions[] = "TSAN_OPTIONS";
// The runner of the test keeps Python from finding modules where it stands.
constexpr char kSummary[] = "PYTHONPATH=. python3 -m common.lab.race_checker.tsan_summary";

std::string Setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::vector<std::string> FilesThatBeginWith(const std::string& prefix) {
  glob_t found = {};
  std::vector<std::string> files;
  if (glob((prefix + "*").c_str(), 0, nullptr, &found) == 0) {
    for (std::size_t i = 0; i < found.gl_pathc; ++i) files.emplace_back(found.gl_pathv[i]);
  }
  globfree(&found);
  return files;
}

// A path with a space or an apostrophe, for the shell and for the race checker's options.
std::string Quoted(const std::string& path) { return '"' + path + '"'; }

// Whether the summary of reports could be printed.
bool PrintSummary(const std::string& arguments) {
  return std::system((std::string(kSummary) + " " + arguments + " 2>/dev/null").c_str()) == 0;
}

}  // namespace

RaceLog RaceLog::Redirect() {
  const std::string options = Setting(kOptions), folder = Setting("TEST_TMPDIR");
  if (options.empty() || folder.empty() || !Setting("LAB_WHOLE_REPORT").empty()) {
    return RaceLog("");
  }
  const std::string prefix = folder + "/race";
  setenv(kOptions, (options + ":log_path=" + Quoted(prefix)).c_str(), 1);
  setenv("LAB_PAUSES", (folder + "/pauses").c_str(), 1);
  return RaceLog(prefix);
}

bool RaceLog::Print() const {
  if (prefix_.empty()) return false;
  const std::vector<std::string> files = FilesThatBeginWith(prefix_);
  for (const std::string& file : files) {
    if (PrintSummary(Quoted(file))) {
      std::printf(
          "  next: the whole report: bazel test --config=tsan --test_env=LAB_WHOLE_REPORT=1 %s\n",
          Setting("TEST_TARGET").c_str());
    } else {
      std::cout << std::ifstream(file).rdbuf() << std::flush;
    }
  }
  std::fflush(stdout);
  return !files.empty();
}

void RaceLog::PrintPauses(const char* end) const {
  if (!prefix_.empty()) PrintSummary(Quoted(Setting("LAB_PAUSES")) + " " + end);
}

}  // namespace lab
