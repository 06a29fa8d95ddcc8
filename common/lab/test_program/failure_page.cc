#include "common/lab/test_program/failure_page.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace lab {
namespace {

// The runner of the test keeps Python from finding modules where it stands.
constexpr char kProgram[] =
    "PYTHONPATH=. PYTHONDONTWRITEBYTECODE=1 python3 -m common.lab.failure_pictures.failure_page";

std::string Setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string Quoted(const std::string& path) {
  std::string quoted = "'";
  for (const char letter : path) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

}  // namespace

FailurePage FailurePage::Prepare() {
  const std::string folder = Setting("TEST_TMPDIR"), log = Setting("XML_OUTPUT_FILE");
  if (folder.empty() || log.empty()) return FailurePage("", "");
  setenv("LAB_ERRORS", (folder + "/errors").c_str(), 1);
  setenv("CUDASIM_REPORT", (folder + "/findings.json").c_str(), 0);
  const std::string page = log.substr(0, log.rfind('/') + 1) + "failure.html";
  unlink(page.c_str());
  return FailurePage(folder, page);
}

void FailurePage::Write(const std::string& end) const {
  if (page_.empty()) return;
  std::fflush(stdout);
  const std::string command = std::string(kProgram) + " " + Quoted(folder_) + " " + Quoted(page_) +
                              " " + end + " 2>/dev/null";
  // The test has failed already, and its report is complete without the page.
  static_cast<void>(std::system(command.c_str()) == 0);
}

}  // namespace lab
