// The checker's code against a hostile worker: frames, output, memory, exit.
#include <signal.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "common/lab/call/call.h"
#include "grader/proof/fuzz/cpp/scripted_jail.h"
#include "grader/sandbox/checker/printable.h"
#include "grader/sandbox/checker/remote.h"

namespace {

using grader::checker::Mode;
using grader::checker::Remote;

constexpr std::size_t kLongestDetail = 8192;
constexpr std::uint8_t kRests = 0x60;  // rarely, because waiting is slow

void Require(bool holds) {
  if (!holds) __builtin_trap();
}

grader::checker::Options OptionsFor(std::uint8_t choice) {
  constexpr std::array kModes{Mode::kTests, Mode::kRaces, Mode::kTiming, Mode::kCounters};
  grader::checker::Options options;
  options.mode = kModes[choice % kModes.size()];
  options.call_seconds = 0.002;
  options.output_kb = 8;
  if (choice >= 128) options.host_bytes["Sum"] = 64;
  return options;
}

void MakeCall(Remote& remote, Mode mode) {
  std::array<int, 100> input{};
  std::array<float, 10> output{};
  std::array<double, 0> empty{};
  int scalar = 3;
  double result = 0;
  using lab::Argument;
  std::array<Argument, 4> arguments{{
      {Argument::Kind::kScalar, sizeof scalar, alignof(int), &scalar, 1},
      {Argument::Kind::kInput, sizeof(int), alignof(int), input.data(), input.size()},
      {Argument::Kind::kInOut, sizeof(float), alignof(float), output.data(), output.size()},
      {Argument::Kind::kInOut, sizeof(double), alignof(double), empty.data(), empty.size()},
  }};
  const lab::Call call{"Sum", 1, arguments, &result, sizeof result};
  if (mode == Mode::kTiming) {
    remote.TimedCall(call, false);
  } else {
    remote.Call(call);
  }
  if (mode == Mode::kCounters) {
    Require(remote.Profile().text.size() <= grader::checker::kMaxSharedBytes);
  }
}

void CheckFailure(const grader::checker::Failure& failure) {
  // Nothing that a worker does is a judge error.
  Require(failure.verdict() != grader::checker::Verdict::kJudgeError);
  const std::string detail = failure.what();
  Require(detail.size() <= kLongestDetail);
  const std::string line = grader::checker::OneLine(detail);
  Require(line.find('\n') == line.npos && grader::checker::Printable(line) == line);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  signal(SIGPIPE, SIG_IGN);  // as the checker does
  return 0;
}

// The first byte chooses how the checker calls; the rest is the worker's script.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  grader::fuzz::Script script({data, size});
  const std::uint8_t choice = script.Byte();
  const grader::checker::Options options = OptionsFor(choice);
  grader::fuzz::SetScript(&script, (choice & kRests) == kRests);
  grader::checker::UsedTime used_time(options.run_seconds);
  Remote remote(options, "worker", "library", used_time);
  try {
    remote.Start();
    MakeCall(remote, options.mode);
    MakeCall(remote, options.mode);
    remote.Quit();
  } catch (const grader::checker::Failure& failure) {
    CheckFailure(failure);
  }
  Require(remote.ErrorOutput().size() <= grader::checker::Output::kTailBytes);
  return 0;
}
