#include "grader/sandbox/checker/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "grader/sandbox/checker/stop.h"
#include "grader/sandbox/gpu/gpu_files.h"
#include "grader/sandbox/jail/files.h"

namespace grader::checker {
namespace {

// A worker that says it got a fatal signal has this long to die of it.
constexpr double kDyingSeconds = 1;

constexpr double kStackSeconds = 0.5;
constexpr int kMaxStacks = 16;
constexpr std::size_t kMaxName = 64;

bool IsNamePart(char c) { return isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The program may have written the reply, so this bounds the line's form and length.
std::string StackLine(const wire::Reply& reply) {
  wire::Stack stack;
  memcpy(&stack, reply.result, sizeof stack);
  std::string line(wire::Text(reply).substr(0, kMaxName));
  if (line.empty()) line = "-";
  if (line != "-" && !std::all_of(line.begin(), line.end(), IsNamePart)) line = "?";
  const std::size_t count = std::min<std::uint64_t>(stack.count, wire::kMaxFrames);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, 32> offset;
    snprintf(offset.data(), offset.size(), " %llx",
             static_cast<unsigned long long>(stack.offsets[i]));
    line += offset.data();
  }
  return line + "\n";
}

// Memory of the driver and the CUDA runtime in one process, added to the program's limit.
constexpr long kGpuMegabytes = 2048;

void ShowGpu(JailSpec& spec) {
  const GpuFiles files = FindGpuFiles();
  spec.devices = files.devices;
  spec.binds.push_back({files.library_folder, "/gpu", false});
  spec.env.emplace_back("LD_LIBRARY_PATH", "/gpu");
  spec.memory_mb += kGpuMegabytes;
  spec.huge_address_space = true;
}

// What OpenMP's runtimes read when they start, unless the kit sets it. Waiting threads sleep: a
// spinning one would take a core from those that are measured. `cancel` is not ignored.
constexpr std::pair<const char*, const char*> kOpenMp[] = {
    {"OMP_WAIT_POLICY", "passive"},
    {"OMP_CANCELLATION", "true"},
};

JailSpec SpecFor(const Options& options, const std::string& worker, const std::string& library) {
  JailSpec spec;
  spec.argv = {"/worker", "/submission.so"};
  spec.binds = {{worker, "/worker", false}, {library, "/submission.so", false}};
  for (const auto& variable : kOpenMp) {
    const auto is_same = [&](const auto& other) { return other.first == variable.first; };
    if (std::ranges::none_of(options.env, is_same)) spec.env.emplace_back(variable);
  }
  spec.env.insert(spec.env.end(), options.env.begin(), options.env.end());
  spec.memory_mb = options.memory_mb;
  spec.pids = options.pids;
  spec.file_mb = options.file_mb;
  spec.tmp_mb = options.tmp_mb;
  spec.stack_mb = options.stack_mb;
  spec.reserved_mb = options.reserved_mb;
  const bool instrumented = options.mode == Mode::kRaces || options.mode == Mode::kCounters;
  spec.disable_aslr = instrumented;
  spec.huge_address_space = instrumented;
  spec.starts_ranks = options.ranks;
  spec.allow_unjailed = options.allow_unjailed;
  if (options.gpu) ShowGpu(spec);
  return spec;
}

}  // namespace

Deadline In(double seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<Deadline::duration>(std::chrono::duration<double>(seconds));
}

Process::Process(const Options& options, const std::string& worker, const std::string& library,
                 const WorkerFiles& files)
    : output_(static_cast<std::size_t>(options.output_kb) << 10) {
  Descriptor request_reader;
  Descriptor reply_writer;
  std::tie(request_reader, requests_) = MakePipe();
  std::tie(replies_, reply_writer) = MakePipe();
  fcntl(requests_.get(), F_SETFL, O_NONBLOCK);
  fcntl(replies_.get(), F_SETFL, O_NONBLOCK);
  JailSpec spec = SpecFor(options, worker, library);
  spec.fds = {{output_.stdout_writer(), STDOUT_FILENO},
              {output_.stderr_writer(), STDERR_FILENO},
              {request_reader.get(), wire::kRequestFd},
              {reply_writer.get(), wire::kReplyFd}};
  spec.fds.insert(spec.fds.end(), files.begin(), files.end());
  Descriptor filter;
  if (options.ranks) {
    filter = MakeMemoryFile("filter", ProgramFilter({}));
    spec.fds.emplace_back(filter.get(), wire::kFilterFd);
  }
  jail_.emplace(Jail::Start(spec));
  output_.CloseWriters();
}

void Process::Send(const wire::Request& request) {
  wire::WriteFrame(requests_.get(), &request, sizeof request);
}

Process::Event Process::Wait(std::uint64_t nonce, Deadline deadline, wire::Reply& reply) {
  for (;;) {
    const bool ended = Sleep(replies_.get(), deadline);
    output_.Drain();
    if (output_.over_limit()) return Event::kOutputLimit;
    if (const std::optional<Event> event = TakeReply(nonce, reply)) return *event;
    if (ended) return Event::kDied;
    if (std::chrono::steady_clock::now() >= deadline) {
      return fault_.has_value() ? Event::kDied : Event::kDeadline;
    }
    if (fault_.has_value()) deadline = std::min(deadline, In(kDyingSeconds));
  }
}

std::string Process::AskForStacks() {
  const Deadline deadline = In(kStackSeconds);
  int left = jail_->SignalThreads(wire::kStackSignal, kMaxStacks);
  std::string stacks;
  while (left > 0 && std::chrono::steady_clock::now() < deadline) {
    const bool ended = Sleep(replies_.get(), deadline);
    output_.Drain();
    wire::Reply reply;
    for (Frame frame; left > 0 && (frame = ReadReply(reply)) != Frame::kNone; --left) {
      if (frame != Frame::kWhole) return stacks;
      if (reply.magic == wire::kMagic && reply.status == wire::Status::kStack) {
        stacks += StackLine(reply);
      }
    }
    if (ended) break;
  }
  return stacks;
}

bool Process::IsQuiet() {
  constexpr std::size_t kFramesInAPipe = (64 << 10) / sizeof(wire::Reply);
  wire::Reply reply;
  // Whoever writes more writes while they are read, and may never end.
  for (std::size_t frame = 0; frame <= kFramesInAPipe; ++frame) {
    switch (ReadReply(reply)) {
      case Frame::kNone:
      case Frame::kEnd:
        return true;
      case Frame::kPartial:
        return false;
      case Frame::kWhole:
        if (reply.magic != wire::kMagic || !KeepFault(reply)) return false;
    }
  }
  return false;
}

std::optional<ExitStatus> Process::End(Deadline deadline) {
  std::optional<ExitStatus> status;
  // In steps, so that a worker with much left to print isn't blocked by a full pipe.
  while (!status.has_value() && std::chrono::steady_clock::now() < deadline) {
    Sleep(-1, deadline);
    output_.Drain();
    if (output_.over_limit()) break;
    status = jail_->Poll();
  }
  jail_->Kill();
  output_.Drain();
  return status;
}

Process::Frame Process::ReadReply(wire::Reply& reply) {
  std::array<std::byte, sizeof(wire::Reply)> buffer;
  for (;;) {
    const ssize_t got = read(replies_.get(), buffer.data(), sizeof reply - partial_.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return partial_.empty() ? Frame::kNone : Frame::kPartial;
    if (got == 0) return Frame::kEnd;
    partial_.insert(partial_.end(), buffer.data(), buffer.data() + got);
    if (partial_.size() < sizeof reply) continue;
    memcpy(&reply, partial_.data(), sizeof reply);
    partial_.clear();
    return Frame::kWhole;
  }
}

bool Process::Sleep(int replies, Deadline deadline) {
  const std::array<pollfd, 2> streams = output_.PollSet();
  std::array<pollfd, 5> set{{{replies, POLLIN, 0},
                             {jail_->pidfd(), POLLIN, 0},
                             streams[0],
                             streams[1],
                             {StopRequests(), POLLIN, 0}}};
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  poll(set.data(), set.size(), static_cast<int>(std::max<long>(left.count(), 0)));
  if ((set[4].revents & POLLIN) != 0) Stop();
  return (set[1].revents & POLLIN) != 0;
}

std::optional<Process::Event> Process::TakeReply(std::uint64_t nonce, wire::Reply& reply) {
  switch (ReadReply(reply)) {
    case Frame::kNone:
      return std::nullopt;
    case Frame::kPartial:
      return Event::kForged;  // the worker's own frames arrive whole
    case Frame::kEnd:
      return Event::kDied;
    case Frame::kWhole:
      break;
  }
  if (reply.magic != wire::kMagic) return Event::kForged;
  if (KeepFault(reply)) return std::nullopt;
  return reply.nonce == nonce ? Event::kReply : Event::kForged;
}

bool Process::KeepFault(const wire::Reply& reply) {
  if (reply.status == wire::Status::kStack && fault_.has_value()) {
    if (fault_stack_.empty()) fault_stack_ = StackLine(reply);
    return true;
  }
  if (reply.status != wire::Status::kFault) return false;
  if (fault_.has_value()) return true;
  fault_ = reply.fault;
  // The program may have written the reply: any other text could hold inputs of the test.
  for (const std::string_view cause :
       {wire::kNullPointer, wire::kNoAddress, wire::kStackOverflow}) {
    if (wire::Text(reply) == cause) fault_text_ = cause;
  }
  return true;
}

}  // namespace grader::checker
