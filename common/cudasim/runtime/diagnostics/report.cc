#include "common/cudasim/runtime/diagnostics/report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>

#include "common/cudasim/hooks/mode.h"
#include "common/cudasim/runtime/diagnostics/json.h"
#include "common/cudasim/runtime/diagnostics/settings.h"

namespace cudasim {
namespace {

struct Found {
  Finding finding;
  std::string kernel;  // empty if on the host
  std::string thread;
  std::string block;
  unsigned long long count = 1;
  unsigned long long told = 1;  // how many of them were printed
};

struct Findings {
  std::mutex mutex;
  std::vector<Found> all;
  std::map<std::string, FindingNumber> numbers;
  std::string last_detail;
};

const char* running_kernel = nullptr;  // null between launches

Findings& Collected() {
  static auto* const findings = new Findings;
  return *findings;
}

std::string Json(const FoundAccess& access) {
  return "{\"operation\": " + JsonQuoted(access.operation) +
         ", \"file\": " + JsonQuoted(access.place.file) +
         ", \"line\": " + std::to_string(access.place.line) +
         ", \"thread\": " + JsonQuoted(access.thread) + ", \"block\": " + JsonQuoted(access.block) +
         "}";
}

template <class Items, class ToText>
std::string List(const Items& items, const ToText& to_text) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + to_text(item);
  return "[" + text + "]";
}

std::string Json(const Found& found) {
  const Finding& finding = found.finding;
  std::string text = "{\"kind\": " + JsonQuoted(finding.kind.name()) +
                     ", \"message\": " + JsonQuoted(finding.message) +
                     ", \"details\": " + List(finding.details, JsonQuoted) +
                     ", \"count\": " + std::to_string(found.count);
  if (!found.kernel.empty()) text += ", \"kernel\": " + JsonQuoted(found.kernel);
  if (!found.thread.empty()) {
    text += ", \"thread\": " + JsonQuoted(found.thread) + ", \"block\": " + JsonQuoted(found.block);
  }
  if (!finding.variable.empty()) text += ", \"variable\": " + JsonQuoted(finding.variable);
  if (finding.index >= 0) text += ", \"index\": " + std::to_string(finding.index);
  const auto access = [](const FoundAccess& a) { return Json(a); };
  return text + ", \"accesses\": " + List(finding.accesses, access) + "}";
}

// Written anew after each finding: the process may end at any of them.
void WriteJson(const std::vector<Found>& findings) {
  const char* const path = ReportFileSetting();
  if (path == nullptr) return;
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) {
    std::fprintf(
        stderr, "error: cannot write the report: %s\n  next: set CUDASIM_REPORT to a file\n", path);
    return;
  }
  std::fputs("{\"findings\": [", file);
  for (std::size_t i = 0; i < findings.size(); ++i) {
    std::fprintf(file, "%s\n  %s", i ? "," : "", Json(findings[i]).c_str());
  }
  std::fputs("\n]}\n", file);
  std::fclose(file);
}

// With the kernel, thread and block, as far as known.
Found Complete(const Finding& finding) {
  Found found{finding, "", "", ""};
  if (running_kernel != nullptr) found.kernel = running_kernel;
  if (!finding.accesses.empty()) {
    found.thread = finding.accesses[0].thread;
    found.block = finding.accesses[0].block;
  } else if (current_fiber != nullptr) {
    found.thread = ToString(threadIdx);
    found.block = ToString(blockIdx);
  }
  return found;
}

// 1234567 as "1,234,567".
std::string Grouped(unsigned long long count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

void Say(const std::string& text) {
  const char* const path = LogFileSetting();
  std::FILE* const log = path == nullptr ? nullptr : std::fopen(path, "a");
  std::fflush(stdout);
  std::fputs(text.c_str(), log == nullptr ? stderr : log);
  log == nullptr ? std::fflush(stderr) : std::fclose(log);
}

void Print(const Finding& finding, const std::string& last_detail) {
  std::string text = std::string("cudasim: ") + finding.kind.name() + ": " + finding.message + "\n";
  for (const std::string& detail : finding.details) text += "  " + detail + "\n";
  if (!last_detail.empty()) text += "  " + last_detail + "\n";
  Say(text);
}

// The file of a Site whose line is an index of these return addresses.
constexpr char kLookedUp[] = "";

struct Calls {
  std::mutex mutex;
  std::vector<const void*> callers;
};

Calls& AllCalls() {
  static auto* const calls = new Calls;
  return *calls;
}

const void* CallOf(const Site& site) {
  const std::lock_guard lock(AllCalls().mutex);
  return AllCalls().callers[static_cast<std::size_t>(site.line)];
}

// Replaces the program's own exit status, which would hide the findings.
struct ExitWithFindings {
  ~ExitWithFindings() {
    if (!kCheckMode || Collected().all.empty()) return;
    ReportRepeats();
    std::fflush(nullptr);
    _exit(kFindingExitCode);
  }
};

}  // namespace

FindingNumber Report(const Finding& finding) {
  static const ExitWithFindings at_exit;
  Findings& findings = Collected();
  const std::lock_guard lock(findings.mutex);
  const auto [entry, is_new] =
      findings.numbers.try_emplace(finding.kind.name() + finding.message, findings.all.size());
  if (!is_new) {
    ++findings.all[entry->second].count;
    return entry->second;
  }
  findings.all.push_back(Complete(finding));
  Print(finding, findings.last_detail);
  WriteJson(findings.all);
  if (!kCheckMode || ContinueSetting()) return entry->second;
  std::fflush(nullptr);
  _exit(kFindingExitCode);
}

void CountAgain(FindingNumber number, unsigned long long times) {
  Findings& findings = Collected();
  const std::lock_guard lock(findings.mutex);
  findings.all[number].count += times;
}

void ReportRepeats() {
  if (!kCheckMode) return;
  Findings& findings = Collected();
  const std::lock_guard lock(findings.mutex);
  bool any = false;
  for (Found& found : findings.all) {
    if (found.count == found.told) continue;
    any = true;
    Say(std::string("cudasim: ") + found.finding.kind.name() + ": and " +
        Grouped(found.count - found.told) + " times more: " + found.finding.message + "\n");
    found.told = found.count;
  }
  if (any) WriteJson(findings.all);
}

RunningKernel::RunningKernel(const KernelSource& source) {
  running_kernel = source.name;
  if (kInstrumented) SetPlaceOfKernel({source.file, source.line, ""});
}
RunningKernel::~RunningKernel() {
  running_kernel = nullptr;
  if (kInstrumented) SetPlaceOfKernel({});
}

void SetLastDetail(const std::string& detail) {
  Findings& findings = Collected();
  const std::lock_guard lock(findings.mutex);
  findings.last_detail = detail;
}

void Warn(Kind kind, const std::string& message) {
  Say(std::string("cudasim: warning: ") + kind.name() + ": " + message + "\n");
}

void ReportInvalidLaunch(const KernelSource& source, const Site& at, const std::string& fault) {
  if (!kCheckMode) return;  // CUDA only sets the error code
  Report({"invalid_launch",
          "kernel " + std::string(source.name) + " launched at " + ToString(at) + ": " + fault,
          {"the kernel does not run; on a GPU cudaGetLastError() returns the error"}});
}

std::string ToString(const uint3& index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

std::string ToString(const Site& site) { return PlaceOf(site).ToString(); }

Place PlaceOf(const Site& site) {
  if (site.file == kLookedUp) return Locate(CallOf(site));
  return {site.file == nullptr ? "" : site.file, site.line, ""};
}

Site SiteOfCall(const void* caller) {
  const std::lock_guard lock(AllCalls().mutex);
  std::vector<const void*>& callers = AllCalls().callers;
  auto found = std::find(callers.begin(), callers.end(), caller);
  if (found == callers.end()) found = callers.insert(found, caller);
  return {kLookedUp, static_cast<int>(found - callers.begin())};
}

std::string DescribeCurrentThread() {
  return "thread " + ToString(threadIdx) + " of block " + ToString(blockIdx);
}

std::string Bytes(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

}  // namespace cudasim
