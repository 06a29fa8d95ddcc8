// Reports of what the simulator finds.
//
// A report is one line `cudasim: <kind>: <what, with file:line>` and indented details below it, on
// standard error or, with CUDASIM_LOG=PATH, at the end of that file.  In check mode the first
// finding ends the process with kFindingExitCode, or, with CUDASIM_CONTINUE=1, the end of the
// program does.  With CUDASIM_REPORT=PATH all findings are also written there as JSON.  Repeated
// findings are summed up in one line with a count at the end of the launch.  Plain mode reports
// faults the same way but goes on with CUDA's error code.
#pragma once

#include <string>
#include <vector>

#include "common/cudasim/findings/kind.h"
#include "common/cudasim/include/cuda_runtime.h"
#include "common/cudasim/include/cudasim/exit_code.h"
#include "common/cudasim/runtime/diagnostics/symbolizer.h"

namespace cudasim {

// One of the accesses that a finding is about.
struct FoundAccess {
  std::string operation;  // "read", "write", ...
  Place place;
  std::string thread;  // "(1, 0, 0)"
  std::string block;
};

struct Finding {
  Kind kind;
  std::string message;  // one line
  std::vector<std::string> details;
  // For programs that read the findings; the text above says the same.
  std::vector<FoundAccess> accesses{};  // the one that was noticed first
  std::string variable{};
  long long index = -1;  // in elements; negative if unknown
};

using FindingNumber = std::size_t;

// Prints each distinct finding once and counts the others.  May not return (see above).
// Thread-safe.
FindingNumber Report(const Finding& finding);

// Counts `times` more occurrences of the finding.
void CountAgain(FindingNumber number, unsigned long long times);

// Prints how often findings recurred since the last call.  Called at the end of a launch.
void ReportRepeats();

// While one lives, findings name this kernel.  Launches run one at a time.
class RunningKernel {
 public:
  // The source's strings live as long as this.
  explicit RunningKernel(const KernelSource& source);
  ~RunningKernel();
  RunningKernel(const RunningKernel&) = delete;
  RunningKernel& operator=(const RunningKernel&) = delete;
};

// A line that each later finding ends with; "" for none.  Thread-safe.
void SetLastDetail(const std::string& detail);

// A warning neither ends the process nor changes its exit status.
void Warn(Kind kind, const std::string& message);

void ReportInvalidLaunch(const KernelSource& source, const Site& at, const std::string& fault);

// "thread (1, 0, 0) of block (2, 0, 0)" for the running thread.
std::string DescribeCurrentThread();

// "1 byte", "4 bytes".
std::string Bytes(std::size_t count);

// "(1, 0, 0)" and "lab.cu:12".
std::string ToString(const uint3& index);
std::string ToString(const Site& site);

// The place of the call that returns to `caller`, which takes long to find: PlaceOf() does.
// Thread-safe.
Site SiteOfCall(const void* caller);
Place PlaceOf(const Site& site);

}  // namespace cudasim
