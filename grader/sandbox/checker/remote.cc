#include "grader/sandbox/checker/remote.h"

#include <sys/random.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <system_error>
#include <utility>

#include "common/lab/call/callers.h"
#include "common/lab/call/failing_call.h"
#include "common/lab/call/team_size.h"
#include "common/timing/load_watch.h"
#include "common/timing/stopwatch.h"
#include "grader/sandbox/checker/death.h"
#include "grader/sandbox/checker/exception_words.h"
#include "grader/sandbox/checker/request_timer.h"

namespace grader::checker {
namespace {

constexpr double kStartSeconds = 30;  // of a machine that is very busy
constexpr double kStopSeconds = 5;    // much more than a cooperative thread needs
constexpr double kDeathSeconds = 2;   // after it closed its pipes

std::uint64_t FreshNonce() {
  std::uint64_t nonce = 0;
  if (getrandom(&nonce, sizeof nonce, 0) != sizeof nonce) {
    throw Failure(Verdict::kJudgeError, "the kernel gives no random numbers");
  }
  return nonce;
}

std::string Seconds(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

// Without a test's team size the library chooses one, but with one thread no race would show.
int TeamSizeFor(Mode mode) {
  constexpr int kRacing = 4;
  const int size = lab::CurrentTeamSize();
  return size == 0 && mode == Mode::kRaces ? kRacing : size;
}

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// Text of the program that is to be a function's name; other characters become '?'.
std::string NameIn(std::string_view text) {
  std::string name(text.substr(0, 64));
  std::ranges::replace_if(
      name, [](unsigned char c) { return c != ' ' && c != '_' && !isalnum(c); }, '?');
  return name;
}

// Turns failures of the jail into judge errors.
template <typename Body>
auto Judged(const Body& body) {
  try {
    return body();
  } catch (const JailError& error) {
    throw Failure(Verdict::kJudgeError, FirstLine(error.what()));
  } catch (const std::system_error& error) {
    throw Failure(Verdict::kJudgeError, error.what());
  }
}

}  // namespace

Remote::Remote(const Options& options, std::string worker, std::string library, UsedTime& used_time)
    : options_(options),
      worker_(std::move(worker)),
      library_(std::move(library)),
      used_time_(used_time),
      arenas_(options.gpu, options.ranks ? wire::kMaxRanks : 1) {}

void Remote::Start() {
  Judged([&] { process_.emplace(options_, worker_, library_, FilesOfWorker()); });
  wire::Request request{};
  wire::Reply reply;
  where_ = "before the library was loaded";
  Run(request, wire::Op::kHello, reply);
  trusted_ = false;
  where_ = "before any function was called (in a static initializer)";
  Run(request, wire::Op::kLoad, reply);
  where_ = "between two calls";
}

WorkerFiles Remote::FilesOfWorker() const {
  WorkerFiles files{{arenas_.input_fd(), wire::kInputArenaFd},
                    {arenas_.output_fd(), wire::kOutputArenaFd},
                    {profile_.fd(), wire::kProfileFd},
                    {findings_.fd(), wire::kFindingsFd}};
  int next = wire::kFirstRankFd;
  for (int rank = 1; rank < arenas_.ranks(); ++rank) {
    files.emplace_back(arenas_.input_fd(rank), next++);
    files.emplace_back(arenas_.output_fd(rank), next++);
  }
  return files;
}

void Remote::Call(const lab::Call& call) { CallWithin(call, false, false); }

CallTimes Remote::TimedCall(const lab::Call& call, bool accounted) {
  return CallWithin(call, true, accounted);
}

CallTimes Remote::CallWithin(const lab::Call& call, bool timed, bool accounted) {
  call_ = &call;
  wire::Request request{};
  wire::Reply reply;
  arenas_.Lay(call, request);
  Thaw();
  where_ = std::string("before ") + call.function + " was called";
  Run(request, wire::Op::kMap, reply);
  if (timed) Freeze();
  const double touch_seconds = options_.gpu ? TouchSeconds() : 0;
  arenas_.Fill(call, request);
  request.team_size = static_cast<std::uint32_t>(TeamSizeFor(options_.mode));
  request.others = static_cast<std::uint32_t>(lab::CurrentCallers() - 1);
  request.nested = lab::CallsAreNested() ? 1 : 0;
  request.strict = options_.mode == Mode::kRaces ? 1 : 0;
  // Race detection needs calls that do their work.
  request.failing_call = options_.mode == Mode::kTests ? lab::CurrentFailingCall() : 0;
  if (options_.mode == Mode::kCounters) Judged([&] { profile_.Clear(); });
  where_ = "inside " + Describe(call);
  if (timed) arenas_.WarmUp();
  std::optional<lab::LoadWatch> watch;
  if (accounted) watch.emplace(process_->jail().Program(), std::max(1, lab::CurrentTeamSize()));
  const lab::Stopwatch stopwatch;
  Run(request, wire::Op::kCall, reply);
  // The clock runs until the worker is frozen: work that it does after its reply counts.
  Freeze();
  std::optional<lab::Load> load;
  if (watch) load = watch->Stop(stopwatch.Seconds());
  const lab::Stopwatch snapshot;
  arenas_.Snapshot();
  const double snapshot_seconds = options_.gpu ? snapshot.Seconds() : 0;
  const double stage_seconds = static_cast<double>(reply.stage_nanoseconds) * 1e-9;
  const CallTimes times{stopwatch.Seconds(), touch_seconds + stage_seconds + snapshot_seconds, load,
                        reply.shares};
  if (!process_->IsQuiet()) ThrowForged();
  if (const std::optional<Damage> damage = arenas_.Damaged(request)) {
    const char* const where =
        damage->before ? " wrote before the first element" : " wrote behind the last element";
    throw Failure(Verdict::kOutOfBounds,
                  Describe(call) + where + " of argument " + std::to_string(damage->argument + 1));
  }
  if (request.failing_call == 0) CheckAccount(call, reply);
  lab::SetFailingCallReport({reply.can_fail_calls == 1, reply.threw == 1, reply.device_failed == 1,
                             reply.runtime_calls, NameIn(wire::Text(reply)), reply.objects_left});
  arenas_.CopyOut(call, request);
  if (call.result_size > 0) memcpy(call.result, reply.result, call.result_size);
  if (options_.mode == Mode::kCounters) text_ = Judged([&] { return profile_.Read(); });
  if (!timed) Thaw();
  where_ = std::string("after ") + call.function + " had returned";
  call_ = nullptr;
  return times;
}

double Remote::TouchSeconds() {
  wire::Request request{};
  wire::Reply reply;
  arenas_.WarmUp();
  const lab::Stopwatch stopwatch;
  Run(request, wire::Op::kTouch, reply);
  Freeze();
  return stopwatch.Seconds();
}

SharedText Remote::Profile() {
  if (text_.text.empty()) {
    throw Failure(Verdict::kRuntimeError,
                  "the simulator's counters are missing: the program closed or emptied a file that "
                  "is not its own");
  }
  return std::move(text_);
}

void Remote::Quit() {
  Thaw();
  wire::Request request{};
  wire::Reply reply;
  where_ = "at exit";
  Run(request, wire::Op::kQuit, reply);
  const auto status = Judged([&] { return process_->End(In(options_.call_seconds)); });
  if (process_->output().over_limit()) Check(Process::Event::kOutputLimit, reply);
  if (!process_->IsQuiet()) ThrowForged();
  if (!status.has_value()) Check(Process::Event::kDeadline, reply);
  if (status->code != 0 || status->signal != 0) {
    throw Explain({options_.mode, status, process_->jail().OutOfMemory(), options_.memory_mb,
                   process_->fault(), process_->fault_text(), ErrorOutput(), where_, nullptr});
  }
}

std::string Remote::ErrorOutput() const {
  return process_.has_value() ? process_->output().ErrorTail() : "";
}

std::string Remote::Findings() const {
  // Without a simulator or an observer, whatever stands there is the program's own.
  const bool has_findings = std::ranges::any_of(options_.env, [](const auto& variable) {
    return variable.first == "CUDASIM_LOG" || variable.first == "LAB_MPI_LOG";
  });
  if (!has_findings) return "";
  return Judged([&] { return findings_.Read().text; });
}

std::vector<std::string> Remote::protections_lost() const {
  if (!process_.has_value()) return {};
  return process_->jail().protections_lost();
}

void Remote::Run(wire::Request& request, wire::Op op, wire::Reply& reply) {
  if (!process_->IsQuiet()) ThrowForged();
  request.magic = wire::kMagic;
  request.nonce = FreshNonce();
  request.op = op;
  Thaw();
  RequestTimer timer(process_->jail(), trusted_ ? kStartSeconds : options_.call_seconds);
  process_->Send(request);
  Process::Event event;
  do {
    event = process_->Wait(request.nonce, timer.deadline(), reply);
  } while (event == Process::Event::kDeadline && timer.Extend());
  if (op == wire::Op::kCall) {
    used_time_.AddCall(timer.Used());
  } else {
    used_time_.AddBetweenCalls(timer.Used());
  }
  if (event == Process::Event::kDeadline && timer.MachineWasTooBusy()) ThrowTooBusy();
  Check(event, reply);
  if (used_time_.IsOver()) {
    throw Failure(Verdict::kTimeLimit, "the tests' calls took more than " +
                                           Seconds(used_time_.limit_seconds()) + " in all");
  }
}

void Remote::Check(Process::Event event, const wire::Reply& reply) {
  switch (event) {
    case Process::Event::kReply:
      return CheckStatus(reply);
    case Process::Event::kDied:
      ThrowDeath();
    case Process::Event::kForged:
      ThrowForged();
    case Process::Event::kOutputLimit:
      throw Failure(Verdict::kOutputLimit, "the program printed more than the limit of " +
                                               std::to_string(options_.output_kb) + " KiB " +
                                               where_);
    case Process::Event::kDeadline:
      break;
  }
  if (trusted_) throw Failure(Verdict::kJudgeError, "the worker did not start in time");
  if (process_->jail().OutOfMemory()) ThrowDeath();
  stacks_ = process_->AskForStacks();
  const std::string what = call_ != nullptr ? Describe(*call_) + " did not return"
                                            : "the program did not answer " + where_;
  throw Failure(Verdict::kTimeLimit,
                what + " within " + Seconds(options_.call_seconds) + LimitNote());
}

// The program may have written the reply, so only the loader's text, which precedes any input, is
// passed on verbatim.
void Remote::CheckStatus(const wire::Reply& reply) {
  const std::string text(wire::Text(reply));
  const std::string function = call_ == nullptr ? "it" : call_->function;
  switch (reply.status) {
    case wire::Status::kDone:
      return;
    case wire::Status::kNotWritten:
      throw Failure(Verdict::kNotWritten, function + " is not written yet");
    case wire::Status::kException:
      if (text == "std::bad_alloc") {
        throw Failure(Verdict::kMemoryLimit, "the program got no more memory (std::bad_alloc) " +
                                                 where_ + ", limit " +
                                                 std::to_string(options_.memory_mb) + " MiB");
      }
      throw Failure(Verdict::kRuntimeError, "the program threw an exception " + where_ +
                                                ExceptionWords(text) + LimitNote());
    case wire::Status::kLoadFailed:
      throw Failure(Verdict::kRuntimeError, "the program does not load: " + text);
    case wire::Status::kNoSuchFunction:
      throw Failure(Verdict::kRuntimeError,
                    "the program has no function " + function + " of the type in the header");
    case wire::Status::kUnable:
      throw Failure(Verdict::kRuntimeError, "the program's process cannot map its data " + where_);
    case wire::Status::kFault:
    case wire::Status::kStack:  // not an answer to a request
      break;
  }
  ThrowForged();
}

void Remote::CheckAccount(const lab::Call& call, const wire::Reply& reply) const {
  const auto limit = options_.host_bytes.find(call.function);
  if (limit == options_.host_bytes.end()) return;
  if (static_cast<double>(reply.output_bytes_from_host) > limit->second) {
    throw Failure(Verdict::kPolicy, Describe(call) + ": " +
                                        std::to_string(reply.output_bytes_from_host) +
                                        " bytes of an output come from the host, by " +
                                        std::string(wire::Text(reply)) + ", limit " +
                                        std::to_string(static_cast<long long>(limit->second)) +
                                        ": a kernel must compute them");
  }
  // Small calls may need no input at all; those that are counted need them.
  if (options_.mode == Mode::kCounters && reply.unread_inputs > 0) {
    throw Failure(Verdict::kPolicy, Describe(call) + ": nothing reads " +
                                        std::to_string(reply.unread_inputs) +
                                        " of its inputs: a kernel must do the work");
  }
}

void Remote::ThrowDeath() {
  const auto status = Judged([&] { return process_->End(In(kDeathSeconds)); });
  if (!trusted_) stacks_ = process_->fault_stack();
  if (process_->output().over_limit()) Check(Process::Event::kOutputLimit, {});
  if (trusted_) {
    throw Failure(Verdict::kJudgeError,
                  "the worker died before it loaded the library: " + FirstLine(ErrorOutput()));
  }
  if (!status.has_value() && !process_->fault().has_value()) {
    throw Failure(Verdict::kRuntimeError, "the program closed the grader's pipe " + where_);
  }
  const Failure failure =
      Explain({options_.mode, status, process_->jail().OutOfMemory(), options_.memory_mb,
               process_->fault(), process_->fault_text(), ErrorOutput(), where_, call_});
  throw Failure(failure.verdict(), failure.what() + LimitNote());
}

void Remote::ThrowTooBusy() const {
  throw Failure(Verdict::kJudgeError, "the machine was too busy to judge the program " + where_ +
                                          ": other programs had the cores nearly all of the time");
}

void Remote::ThrowForged() {
  throw Failure(Verdict::kTampering,
                "the program wrote to the grader's own pipe: an unsolicited frame came " + where_);
}

void Remote::Freeze() {
  if (frozen_) return;
  RequestTimer timer(process_->jail(), kStopSeconds);
  do {
    frozen_ = Judged([&] { return process_->jail().Freeze(timer.deadline()); });
  } while (!frozen_ && timer.Extend());
  used_time_.AddBetweenCalls(timer.Used());
  if (frozen_) return;
  if (timer.MachineWasTooBusy()) ThrowTooBusy();
  throw Failure(Verdict::kTimeLimit, "a thread of the program could not be frozen within " +
                                         Seconds(kStopSeconds) + " " + where_);
}

void Remote::Thaw() {
  if (!frozen_) return;
  Judged([&] { process_->jail().Thaw(); });
  frozen_ = false;
}

std::string Remote::LimitNote() const {
  if (!process_->jail().PidsExceeded()) return "";
  return " (the limit of " + std::to_string(options_.pids) + " processes and threads was reached)";
}

}  // namespace grader::checker
