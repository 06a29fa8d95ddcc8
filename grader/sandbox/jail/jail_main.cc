// jail: runs one program that may be hostile, such as a compiler on a student's file.

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "grader/sandbox/jail/descriptor.h"
#include "grader/sandbox/jail/options.h"
#include "grader/sandbox/jail/outcome.h"

namespace grader {
namespace {

constexpr int kJudgeError = 3;

// Readable after a signal to stop, so that the jail and its cgroups are removed first.
Descriptor StopRequests() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&signals, number);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // also when the grader dies
  return Descriptor(signalfd(-1, &signals, SFD_CLOEXEC));
}

bool WriteAll(FILE* file, const std::string& text) {
  return fwrite(text.data(), 1, text.size(), file) == text.size() && fflush(file) == 0;
}

// All or nothing: a reader never sees half a result.
void WriteResult(const std::string& path, const std::string& text) {
  if (path.empty()) {
    if (WriteAll(stdout, text)) return;
    throw JailError(std::string("cannot write the result: ") + strerror(errno) +
                    "\n  next: check where standard output goes");
  }
  const std::string unfinished = path + ".unfinished";
  FILE* file = fopen(unfinished.c_str(), "we");
  const bool written = file != nullptr && WriteAll(file, text);
  const int error = errno;
  const bool closed = file != nullptr && fclose(file) == 0;
  if (written && closed && rename(unfinished.c_str(), path.c_str()) == 0) return;
  unlink(unfinished.c_str());
  throw JailError("cannot write " + path + ": " + strerror(written ? errno : error) +
                  "\n  next: check the folder's permissions and the space on its disk");
}

int Main(const std::vector<std::string>& words) {
  const Options options = ParseOptions(words);
  if (options.help) {
    fputs(options.usage.c_str(), stdout);
    return 0;
  }
  if (options.probe) {
    WriteResult(options.result, ProbeToJson(ProbeProtectionsLost()));
    return 0;
  }
  const Descriptor stop = StopRequests();
  const Outcome outcome =
      RunToEnd(options.spec, static_cast<std::size_t>(options.output_kb) << 10, stop.get());
  WriteResult(options.result, ToJson(outcome));
  return 0;
}

}  // namespace
}  // namespace grader

int main(int argc, char** argv) {
  try {
    return grader::Main(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    fprintf(stderr, "error: %s\n", error.what());
    return grader::kJudgeError;
  }
}
