#include "common/cudasim/runtime/report.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>

#include "common/cudasim/runtime/block.h"
#include "common/cudasim/runtime/check_hooks.h"
#include "common/cudasim/runtime/json.h"

namespace cudasim {
namespace {

struct Findings {
  std::mutex mutex;
  std::vector<Finding> all;
  std::set<std::string> seen;
};

Findings& Collected() {
  static auto* const findings = new Findings;
  return *findings;
}

std::string Json(const Finding& finding) {
  std::string text = "{\"kind\": \"" + JsonEscaped(finding.kind) + "\", \"message\": \"" +
                     JsonEscaped(finding.message) + "\", \"details\": [";
  for (std::size_t i = 0; i < finding.details.size(); ++i) {
    text += (i ? ", \"" : "\"") + JsonEscaped(finding.details[i]) + "\"";
  }
  return text + "]}";
}

// Written anew after each finding: the process may end at any of them.
void WriteJson(const std::vector<Finding>& findings) {
  const char* const path = std::getenv("CUDASIM_REPORT");
  if (path == nullptr) return;
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) return;
  std::fputs("{\"findings\": [", file);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    std::fprintf(file, "%s\n  %s", i ? "," : "", Json(findings[i]).c_str());
  }
  std::fputs("\n]}\n", file);
  std::fclose(file);
}

void Print(const Finding& finding) {
  std::string text = "cudasim: " + finding.kind + ": " + finding.message + "\n";
  for (const std::string& detail : finding.details) text += "  " + detail + "\n";
  std::fflush(stdout);
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

// What the process was started with: code under check cannot set this for itself.
bool Continues() {
  std::ifstream file("/proc/self/environ");
  for (std::string entry; std::getline(file, entry, '\0');) {
    if (entry == "CUDASIM_CONTINUE=1") return true;
  }
  return false;
}

// The program's own exit status would hide what was found.
struct ExitWithFindings {
  ~ExitWithFindings() {
    if (!kCheckMode || Collected().all.empty()) return;
    std::fflush(nullptr);
    _exit(kFindingExitCode);
  }
};

}  // namespace

void Report(const Finding& finding) {
  static const ExitWithFindings at_exit;
  Findings& findings = Collected();
  const std::lock_guard lock(findings.mutex);
  if (!findings.seen.insert(finding.kind + finding.message).second) return;
  findings.all.push_back(finding);
  Print(finding);
  WriteJson(findings.all);
  if (!kCheckMode || Continues()) return;
  std::fflush(nullptr);
  _exit(kFindingExitCode);
}

void Warn(const std::string& kind, const std::string& message) {
  std::fprintf(stderr, "cudasim: warning: %s: %s\n", kind.c_str(), message.c_str());
}

void ReportInvalidLaunch(const KernelSource& source, const Site& at, const std::string& fault) {
  if (!kCheckMode) return;  // CUDA leaves it at the error code
  Report({"invalid_launch",
          "kernel " + std::string(source.name) + " launched at " + ToString(at) + ": " + fault,
          {"the kernel does not run; cudaGetLastError() tells of it on a GPU"}});
}

std::string ToString(const uint3& index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

std::string ToString(const Site& site) {
  return std::string(site.file) + ":" + std::to_string(site.line);
}

std::string DescribeCurrentThread() {
  return "thread " + ToString(threadIdx) + " of block " + ToString(blockIdx);
}

std::string Bytes(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

}  // namespace cudasim
