#include "grader/sandbox/jail/start_bwrap.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "grader/sandbox/jail/bwrap_arguments.h"
#include "grader/sandbox/jail/files.h"
#include "grader/sandbox/jail/seccomp.h"

namespace grader {
namespace {

// Numbers of bubblewrap's own descriptors: above those of the jailed program.
constexpr int kArgumentsFd = 100;
constexpr int kFilterFd = 101;
constexpr int kStatusFd = 102;
constexpr int kBlockFd = 103;

}  // namespace

std::vector<std::pair<int, int>> WithStandardStreams(const JailSpec& spec, int null) {
  std::vector<std::pair<int, int>> fds = spec.fds;
  for (const int stream : {0, 1, 2}) {
    const auto same = [stream](const auto& fd) { return fd.second == stream; };
    if (std::none_of(fds.begin(), fds.end(), same)) fds.emplace_back(null, stream);
  }
  return fds;
}

WaitingBwrap StartBwrap(const JailSpec& spec, LaunchPlan plan) {
  const Bwrap& bwrap = *FindBwrap();
  std::string options;
  for (const std::string& word : BwrapArguments(spec, bwrap, {kFilterFd, kStatusFd, kBlockFd})) {
    options += word + '\0';
  }
  const Descriptor arguments = MakeMemoryFile("arguments", options);
  const Descriptor filter = MakeMemoryFile("filter", ProgramFilter(NeedsOf(spec)));
  auto [status_reader, status_writer] = MakePipe();
  auto [block_reader, block_writer] = MakePipe();
  const Descriptor null(open("/dev/null", O_RDWR | O_CLOEXEC));
  plan.path = bwrap.path;
  // Under a filter a set-user-id program, as bubblewrap is on old systems, has no privileges.
  if (!bwrap.is_set_user_id) plan.filter = SetupFilter();
  plan.argv = {"bwrap", "--args", std::to_string(kArgumentsFd), "--"};
  plan.argv.insert(plan.argv.end(), spec.argv.begin(), spec.argv.end());
  plan.fds = WithStandardStreams(spec, null.get());
  plan.fds.insert(plan.fds.end(), {{arguments.get(), kArgumentsFd},
                                   {filter.get(), kFilterFd},
                                   {status_writer.get(), kStatusFd},
                                   {block_reader.get(), kBlockFd}});
  WaitingBwrap waiting;
  waiting.launched = StartLaunch(plan);
  waiting.plan = std::move(plan);
  waiting.status = BwrapStatus(std::move(status_reader));
  waiting.go = std::move(block_writer);
  waiting.go_reader = std::move(block_reader);
  return waiting;
}

std::string ExplainFailure(JailSpec spec, LaunchPlan plan) {
  const std::string program = spec.argv[0];
  auto [reader, writer] = MakePipe();
  spec.argv = {"/"};  // cannot be executed: reaching it means that the jail itself is fine
  spec.fds = {{writer.get(), 2}};
  plan.cgroup = -1;
  WaitingBwrap waiting = StartBwrap(spec, std::move(plan));
  writer.Close();
  waiting.go.Close();
  std::string complaint;
  pollfd readable{reader.get(), POLLIN, 0};
  char block[1024];
  while (poll(&readable, 1, 2000) > 0) {
    const ssize_t got = read(reader.get(), block, sizeof block);
    if (got <= 0) break;
    complaint.append(block, static_cast<std::size_t>(got));
  }
  kill(waiting.launched.pid, SIGKILL);
  waitpid(waiting.launched.pid, nullptr, 0);
  while (complaint.ends_with('\n')) complaint.pop_back();
  return ExplainBwrapFailure(complaint, program);
}

}  // namespace grader
