#include "grader/sandbox/worker/ranks/launcher.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "common/lab/call/call.h"
#include "common/mpi/launch/launch.h"
#include "common/mpi/observe/board.h"
#include "common/mpi/observe/rank.h"
#include "grader/sandbox/worker/faults.h"
#include "grader/sandbox/worker/server.h"

namespace grader::worker {
namespace {

static_assert(lab::mpi::kMaxRanks <= wire::kMaxRanks);

std::array<int, 2> MakePipe() {
  std::array<int, 2> ends;
  if (pipe(ends.data()) != 0) throw std::runtime_error("cannot make a pipe to a rank");
  return ends;
}

bool IsOf(const wire::Argument& argument, std::size_t rank) {
  return argument.rank == lab::Argument::kEveryRank ||
         argument.rank == static_cast<std::int32_t>(rank);
}

// The request for one rank, with its own arguments.
wire::Request RequestOf(const wire::Request& request, std::size_t rank) {
  wire::Request own = request;
  own.argument_count = 0;
  for (std::size_t i = 0; i < request.argument_count; ++i) {
    if (IsOf(request.arguments[i], rank))
      own.arguments[own.argument_count++] = request.arguments[i];
  }
  return own;
}

// The place among all arguments of one of the rank's own.
std::int32_t PlaceOf(const wire::Request& request, std::size_t rank, std::int32_t argument) {
  for (std::size_t i = 0; i < request.argument_count; ++i) {
    if (IsOf(request.arguments[i], rank) && argument-- == 0) return static_cast<std::int32_t>(i);
  }
  return -1;
}

// Leaves the rank's own arenas open, where a worker has them, and closes those of the others.
void KeepOwnArenas(int rank) {
  const int own = wire::kFirstRankFd + 2 * (rank - 1);
  if (rank > 0) {
    dup2(own, wire::kInputArenaFd);
    dup2(own + 1, wire::kOutputArenaFd);
  }
  for (int other = 0; other < 2 * (wire::kMaxRanks - 1); ++other) close(wire::kFirstRankFd + other);
}

// From here on the process may only compute: MPI has opened what it needs.
void CloseFilter() {
  std::array<sock_filter, BPF_MAXINSNS> filter;
  const ssize_t bytes = pread(wire::kFilterFd, filter.data(), sizeof filter, 0);
  close(wire::kFilterFd);
  if (bytes <= 0) throw std::runtime_error("cannot read the filter of a rank's system calls");
  sock_fprog program{
      static_cast<unsigned short>(static_cast<std::size_t>(bytes) / sizeof(sock_filter)),
      filter.data()};
  // For all of its threads: MPI has started one.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) {
    throw std::runtime_error(std::string("cannot restrict a rank's system calls: ") +
                             strerror(errno));
  }
}

}  // namespace

void Launcher::Start() {
  lab::mpi::TheBoard();
  std::array<std::array<int, 2>, lab::mpi::kMaxRanks> requests;
  std::array<std::array<int, 2>, lab::mpi::kMaxRanks> replies;
  for (auto& ends : requests) ends = MakePipe();
  for (auto& ends : replies) ends = MakePipe();
  const std::vector<pid_t> processes = lab::mpi::LaunchRanks(lab::mpi::kMaxRanks, [&](int rank) {
    const auto own = static_cast<std::size_t>(rank);
    dup2(requests[own][0], wire::kRequestFd);
    dup2(replies[own][1], wire::kReplyFd);
    for (const auto& pipes : {requests, replies}) {
      for (const auto& ends : pipes) close(ends[0]), close(ends[1]);
    }
    return BeRank(rank);
  });
  for (std::size_t rank = 0; rank < processes.size(); ++rank) {
    close(requests[rank][0]);
    close(replies[rank][1]);
    ranks_.push_back({processes[rank], requests[rank][1], replies[rank][0]});
  }
  // The checker asks all threads in the jail for their stacks; this process has none to tell.
  signal(wire::kStackSignal, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);  // of a rank that has just ended
  // No rank may reach its memory and descriptors. Ranks need each other's: UCX opens what they
  // share.
  if (prctl(PR_SET_DUMPABLE, 0) != 0) throw std::runtime_error("cannot hide from the ranks");
}

int Launcher::BeRank(int rank) const {
  lab::mpi::SetRank(rank);
  KeepOwnArenas(rank);
  CloseFilter();
  ReportFaults();
  Server server(library_);
  return server.Run() ? 0 : 2;
}

bool Launcher::Run() {
  while (WaitForChecker()) {
    wire::Request request;
    if (!wire::ReadFrame(wire::kRequestFd, &request, sizeof request)) return false;
    const wire::Reply reply = Ask(request);
    if (!wire::WriteFrame(wire::kReplyFd, &reply, sizeof reply)) return false;
    if (request.op == wire::Op::kQuit) return true;
  }
  return false;
}

bool Launcher::WaitForChecker() {
  for (;;) {
    std::vector<pollfd> polled{{wire::kRequestFd, POLLIN, 0}};
    for (const Rank& rank : ranks_) polled.push_back({rank.replies, POLLIN, 0});
    if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) return false;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (polled[rank + 1].revents != 0) Hear(rank, nullptr);
    }
    if (polled[0].revents != 0) return true;
  }
}

wire::Reply Launcher::Ask(const wire::Request& request) {
  const bool is_for_all = request.op != wire::Op::kMap && request.op != wire::Op::kCall;
  const std::size_t asked =
      is_for_all ? ranks_.size() : std::min<std::size_t>(request.ranks, ranks_.size());
  if (asked == 0) {
    wire::Reply reply{};
    reply.magic = wire::kMagic;
    reply.nonce = request.nonce;
    reply.status = wire::Status::kUnable;
    wire::SetText(reply, "no rank has a part of any argument");
    return reply;
  }
  for (std::size_t rank = 0; rank < asked; ++rank) {
    ranks_[rank].reply.reset();
    const wire::Request own = RequestOf(request, rank);
    wire::WriteFrame(ranks_[rank].requests, &own, sizeof own);
  }
  std::vector<pollfd> polled;
  for (std::size_t rank = 0; rank < asked; ++rank) {
    polled.push_back({ranks_[rank].replies, POLLIN, 0});
  }
  for (std::size_t left = asked; left > 0;) {
    if (poll(polled.data(), polled.size(), -1) < 0) continue;
    for (std::size_t rank = 0; rank < asked; ++rank) {
      if (polled[rank].revents == 0) continue;
      Hear(rank, &request);
      const std::optional<wire::Reply>& reply = ranks_[rank].reply;
      if (!reply) continue;
      // The others may wait for this one for good.
      if (reply->status != wire::Status::kDone) return *reply;
      polled[rank].fd = -1;
      --left;
    }
  }
  return *ranks_[0].reply;
}

void Launcher::Hear(std::size_t rank, const wire::Request* request) {
  wire::Reply reply;
  if (!wire::ReadFrame(ranks_[rank].replies, &reply, sizeof reply)) EndAs(ranks_[rank]);
  const bool is_answer = request != nullptr && !ranks_[rank].reply && reply.magic == wire::kMagic &&
                         reply.nonce == request->nonce && reply.status != wire::Status::kFault &&
                         reply.status != wire::Status::kStack;
  if (is_answer) {
    ranks_[rank].reply = reply;
    return;
  }
  if (request != nullptr && reply.status == wire::Status::kFault && reply.fault.argument >= 0) {
    reply.fault.argument = PlaceOf(*request, rank, reply.fault.argument);
  }
  wire::WriteFrame(wire::kReplyFd, &reply, sizeof reply);
}

void Launcher::EndAs(const Rank& rank) {
  int status = 0;
  waitpid(rank.process, &status, 0);
  for (const Rank& other : ranks_) kill(other.process, SIGKILL);
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  _exit(1);
}

}  // namespace grader::worker
