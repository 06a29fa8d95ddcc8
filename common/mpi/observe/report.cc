#include "common/mpi/observe/report.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/cudasim/include/cudasim/exit_code.h"
#include "common/mpi/observe/rank.h"

namespace lab::mpi {
namespace {

void Write(const std::string& text) {
  const char* const path = getenv("LAB_MPI_LOG");
  const int file = path == nullptr ? STDERR_FILENO : open(path, O_WRONLY | O_APPEND);
  static_cast<void>(write(file, text.data(), text.size()) == 0);
}

// Waits for good if another rank reports.
void BecomeTheReporter() {
  if (TheBoard().finding.exchange(1) == 0) return;
  while (true) pause();
}

}  // namespace

std::string PlaceOf(int line) {
  const char* const file = getenv("LAB_MPI_FILE");
  return std::string(file == nullptr ? "line" : file) + ":" + std::to_string(line);
}

void Report(const char* kind, const std::string& sentence, const std::vector<std::string>& rows) {
  BecomeTheReporter();
  std::string text = std::string("mpi: ") + kind + ": " + sentence + "\n";
  for (const std::string& row : rows) text += "  " + row + "\n";
  Write(text);
  _exit(cudasim::kFindingExitCode);
}

void ReportBadArgument(const std::string& what) {
  Report("bad_argument", "an argument at " + PlaceOf(CurrentLine()) + " is " + what);
}

void Check(int code, const char* name) {
  if (code == MPI_SUCCESS) return;
  Report("failed_call", std::string(name) + "() at " + PlaceOf(CurrentLine()) + " fails");
}

}  // namespace lab::mpi

// AddressSanitizer calls it before it writes a report: those of several ranks must not mix.
extern "C" void __asan_on_error() { lab::mpi::BecomeTheReporter(); }
