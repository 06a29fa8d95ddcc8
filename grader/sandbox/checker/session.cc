#include "grader/sandbox/checker/session.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "grader/sandbox/checker/printable.h"
#include "grader/sandbox/checker/record_profile.h"
#include "grader/sandbox/checker/result.h"
#include "grader/sandbox/gpu/driver.h"

namespace grader::checker {
namespace {

// Of a program whose accesses are counted: it has three times the memory, and each costs a call.
constexpr long kCountedMemoryFactor = 4;
constexpr double kCountedCallFactor = 8;

Session* the_session = nullptr;

std::string Megabytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

// A hash of what the arguments that a call may change hold on the host.
std::size_t HashOf(const lab::Call& call) {
  std::size_t hash = 0;
  for (const lab::Argument& argument : call.arguments) {
    if (argument.on_device || argument.kind != lab::Argument::Kind::kInOut) continue;
    const std::string_view bytes(static_cast<const char*>(argument.data),
                                 argument.count * argument.element_size);
    hash = 31 * hash + std::hash<std::string_view>()(bytes);
  }
  return hash;
}

Options ForCounting(Options options) {
  options.mode = Mode::kRaces;
  options.memory_mb *= kCountedMemoryFactor;
  options.call_seconds *= kCountedCallFactor;
  return options;
}

}  // namespace

Session::Session(Options options)
    : options_(std::move(options)),
      counted_options_(ForCounting(options_)),
      student_time_(options_.run_seconds) {}

void Session::Invoke(const lab::Call& call) {
  const Target target = timed_.value_or(Target::kStudent);
  try {
    Remote& remote = Started(target);
    if (timed_.has_value()) {
      CheckCase(call);
      times_.push_back(remote.TimedCall(call, accounted_));
    } else {
      remote.Call(call);
    }
    if (options_.mode == Mode::kCounters) RecordProfile(remote.Profile());
  } catch (const Failure& failure) {
    Fail(target, failure);
  } catch (const GpuError& error) {
    Fail(target, Failure(Verdict::kJudgeError, error.what()));
  }
}

void Session::CheckCase(const lab::Call& call) {
  if (cases_are_alike_) return;
  const std::size_t contents = HashOf(call);
  if (!case_contents_) {
    case_contents_ = contents;
    return;
  }
  cases_are_alike_ = contents == *case_contents_;
  if (cases_are_alike_) return;
  throw Failure(Verdict::kJudgeError,
                std::string("the timing test calls ") + call.function +
                    " with other outputs the second time: make them in the body");
}

void Session::Fail(Target target, const Failure& failure) {
  const bool is_ours = target == Target::kReference || failure.verdict() == Verdict::kJudgeError;
  const std::optional<Failure> shortage = is_ours ? EndShortage() : std::nullopt;
  const Failure& cause = shortage ? *shortage : failure;
  RecordFailure(shortage ? Target::kStudent : target, cause);
  throw lab::CallFailed(OneLine(cause.what()));
}

std::optional<Failure> Session::EndShortage() {
  if (!options_.gpu || student_ == nullptr) return std::nullopt;
  try {
    const std::size_t left = Driver::Get().FreeBytes();
    student_.reset();
    const std::size_t free = Driver::Get().FreeBytes();
    if (free < 2 * left) return std::nullopt;
    return Failure(Verdict::kMemoryLimit, "the program held " + Megabytes(free - left) +
                                              " of the GPU's memory and left " + Megabytes(left) +
                                              " free");
  } catch (const GpuError&) {
    return std::nullopt;
  }
}

void Session::StartTimed(Target target, bool accounted) {
  timed_ = target;
  accounted_ = accounted;
  times_.clear();
}

std::vector<CallTimes> Session::StopTimed() {
  timed_.reset();
  return std::exchange(times_, {});
}

std::optional<std::string> Session::QuitStudent() {
  if (student_ == nullptr) return std::nullopt;
  try {
    student_->Quit();
    student_.reset();
    return std::nullopt;
  } catch (const Failure& failure) {
    const std::string detail = OneLine(failure.what());
    RecordFailure(Target::kStudent, failure);
    return detail;
  }
}

std::string Session::StudentFindings() const {
  return student_ == nullptr ? "" : student_->Findings();
}

std::string Session::StudentErrorOutput() const {
  return student_ == nullptr ? "" : student_->ErrorOutput();
}

void Session::EndSuite() {
  timed_.reset();
  cases_are_alike_ = false;
  student_.reset();
  reference_.reset();
  counted_.reset();
}

Session::Place Session::PlaceOf(Target target) {
  switch (target) {
    case Target::kReference:
      return {options_, options_.reference_worker, options_.reference, reference_time_, reference_};
    case Target::kCounted:
      return {counted_options_, options_.counted_worker, options_.counted, counted_time_, counted_};
    case Target::kStudent:
      break;
  }
  return {options_, options_.worker, options_.student, student_time_, student_};
}

Remote& Session::Started(Target target) {
  const Place place = PlaceOf(target);
  if (place.remote == nullptr) {
    place.remote =
        std::make_unique<Remote>(place.options, place.worker, place.library, place.used_time);
    place.remote->Start();
    protections_lost_ = place.remote->protections_lost();
  }
  return *place.remote;
}

void Session::RecordFailure(Target target, const Failure& failure) {
  std::unique_ptr<Remote>& remote = PlaceOf(target).remote;
  const std::string error_output = remote == nullptr ? "" : remote->ErrorOutput();
  const std::string findings = remote == nullptr ? "" : remote->Findings();
  const std::string stacks = remote == nullptr ? "" : remote->stacks();
  remote.reset();
  recorded_ = true;
  if (target != Target::kReference) {
    TheResult().Running().stacks = stacks;
    TheResult().Running().findings = findings;
    RecordVerdict(failure.verdict(), failure.what(), error_output);
  } else {
    RecordVerdict(Verdict::kJudgeError, std::string("the reference failed: ") + failure.what(),
                  error_output);
  }
}

void RecordVerdict(Verdict verdict, const std::string& detail, const std::string& error_output) {
  Case& test = TheResult().Running();
  test.verdict = verdict;
  test.detail = detail;
  test.error_output = error_output;
}

void SetSession(Session* session) { the_session = session; }

Session& TheSession() { return *the_session; }

}  // namespace grader::checker
