// Calls in a test that is linked with the functions it calls: made by ranks that the test's process
// starts, with which it shares the memory of the arguments.

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/cudasim/include/cudasim/exit_code.h"
#include "common/lab/call/call.h"
#include "common/lab/exports/exports.h"
#include "common/lab/test_program/find_function.h"
#include "common/lab/test_program/not_written_log.h"
#include "common/lab/testing/timed_pairs.h"
#include "common/mpi/launch/launch.h"
#include "common/mpi/observe/board.h"
#include "common/mpi/observe/rank.h"
#include "common/mpi/observe/traffic.h"

// Null in a program without AddressSanitizer.
extern "C" __attribute__((weak)) void __asan_init();

namespace lab {
namespace {

constexpr std::size_t kArenaBytes = std::size_t{1} << 32;  // reserved; few are touched
constexpr std::size_t kMaxArguments = 256;
constexpr std::size_t kAlignment = 64;

enum class Status { kDone, kNotWritten, kThrew };

struct Answer {
  Status status;
  int line;            // of kNotWritten
  char text[512];      // the file of kNotWritten; what an exception says
  char function[128];  // of kNotWritten
};

// What the ranks share with the test.
struct Shared {
  const ExportedFunction* function;
  std::size_t count;
  Argument arguments[kMaxArguments];
  std::byte result[512];
  Answer answers[mpi::kMaxRanks];
};

template <typename T>
T* Share(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw CallFailed("error: no memory to share with the ranks\n  next: close other programs");
  }
  return static_cast<T*>(memory);
}

Shared& TheShared() {
  static Shared* const shared = Share<Shared>(sizeof(Shared));
  return *shared;
}

void Tell(Answer& answer, Status status, const char* text) {
  answer.status = status;
  strncpy(answer.text, text, sizeof answer.text - 1);
}

void TellNotWritten(Answer& answer, const NotWritten& function) {
  Tell(answer, Status::kNotWritten, function.file().c_str());
  answer.line = function.line();
  strncpy(answer.function, function.function().c_str(), sizeof answer.function - 1);
}

void MakeCall(int rank, Answer& answer) {
  const std::span all(TheShared().arguments, TheShared().count);
  const ExportedFunction& function = *TheShared().function;
  const std::vector<Argument> arguments = ArgumentsOf(all, rank);
  const std::unique_ptr<void, void (*)(void*)> staged(function.stage(arguments), function.release);
  std::array<std::byte, sizeof TheShared().result> result;
  mpi::SetRank(rank);
  mpi::BeginCall(RanksOf(all), getenv("LAB_MPI_STRICT") != nullptr, arguments);
  function.Run(staged.get(), result.data());
  mpi::EndCall();
  function.fetch(staged.get());
  if (rank == 0) memcpy(TheShared().result, result.data(), function.result_size);
  Tell(answer, Status::kDone, "");
}

void AnswerCall(int rank, Answer& answer) {
  try {
    MakeCall(rank, answer);
  } catch (const NotWritten& not_written) {
    TellNotWritten(answer, not_written);
  } catch (const std::exception& error) {
    Tell(answer, Status::kThrew, error.what());
  }
}

struct Pipe {
  int reader;
  int writer;
};

Pipe MakePipe() {
  std::array<int, 2> ends;
  if (pipe(ends.data()) != 0) throw CallFailed("error: cannot make a pipe to a rank");
  return {ends[0], ends[1]};
}

// The processes that make the calls.
class Team {
 public:
  Team() {
    mpi::TheBoard();
    TheShared();
    for (int rank = 0; rank < mpi::kMaxRanks; ++rank) {
      requests_.push_back(MakePipe());
      answers_.push_back(MakePipe());
    }
    processes_ = mpi::LaunchRanks(mpi::kMaxRanks, [this](int rank) { return Serve(rank); });
    for (const Pipe& answer : answers_) close(answer.writer);
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    mpi::EndRanks(processes_);
    mpi::ResetBoard();
    for (const Pipe& request : requests_) close(request.reader), close(request.writer);
    for (const Pipe& answer : answers_) close(answer.reader);
  }

  // Returns the rank that ended instead of answering, if one did.
  std::optional<int> Call(int ranks) {
    const char go = 0;
    std::vector<pollfd> waited;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
      static_cast<void>(write(requests_[rank].writer, &go, 1) == 1);
      waited.push_back({answers_[rank].reader, POLLIN, 0});
    }
    for (int left = ranks; left > 0;) {
      poll(waited.data(), waited.size(), -1);
      for (std::size_t rank = 0; rank < waited.size(); ++rank) {
        if (waited[rank].revents == 0) continue;
        char done;
        if (read(waited[rank].fd, &done, 1) != 1) return static_cast<int>(rank);
        // After an exception the others may wait for this rank for good.
        if (TheShared().answers[rank].status != Status::kDone) return std::nullopt;
        waited[rank].fd = -1;
        --left;
      }
    }
    return std::nullopt;
  }

  // Of a rank that ends. The team makes no more calls.
  int WaitFor(int rank) {
    int status = 0;
    const auto ended = processes_.begin() + rank;
    waitpid(*ended, &status, 0);
    processes_.erase(ended);  // its number may be another process's from now on
    return status;
  }

 private:
  int Serve(int rank) const {
    const auto own = static_cast<std::size_t>(rank);
    // What only the others write to must end with them.
    for (const Pipe& answer : answers_) {
      if (&answer != &answers_[own]) close(answer.writer);
    }
    for (char go; read(requests_[own].reader, &go, 1) == 1;) {
      AnswerCall(rank, TheShared().answers[own]);
      fflush(nullptr);
      if (write(answers_[own].writer, &go, 1) != 1) return 1;
    }
    return 0;
  }

  std::vector<Pipe> requests_;
  std::vector<Pipe> answers_;
  std::vector<pid_t> processes_;
};

std::unique_ptr<Team>& TheTeam() {
  static std::unique_ptr<Team> team;
  return team;
}

std::byte* ArenaBegin() {
  static std::byte* const arena = Share<std::byte>(kArenaBytes);
  return arena;
}

// Moves the arguments' contents to shared memory.
void ShareArguments(const Call& call) {
  std::byte* next = ArenaBegin();
  TheShared().count = call.arguments.size();
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    Argument& shared = TheShared().arguments[i];
    shared = call.arguments[i];
    const std::size_t bytes = shared.count * shared.element_size;
    if (bytes > 0) memcpy(next, shared.data, bytes);
    shared.data = next;
    next += (bytes + kAlignment) / kAlignment * kAlignment;
  }
}

void FetchArguments(const Call& call) {
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument& argument = call.arguments[i];
    const std::size_t bytes = argument.count * argument.element_size;
    if (argument.kind != Argument::Kind::kInOut || bytes == 0) continue;
    memcpy(argument.data, TheShared().arguments[i].data, bytes);
  }
}

[[noreturn]] void FailForEnd(int rank, const Call& call) {
  const int status = TheTeam()->WaitFor(rank);
  if (WIFEXITED(status) && WEXITSTATUS(status) == cudasim::kFindingExitCode) {
    fflush(nullptr);
    _exit(cudasim::kFindingExitCode);
  }
  TheTeam().reset();
  const std::string how = WIFSIGNALED(status)
                              ? std::string("died of SIG") + sigabbrev_np(WTERMSIG(status))
                              : "called exit(" + std::to_string(WEXITSTATUS(status)) + ")";
  const char* const next = &__asan_init != nullptr
                               ? "look for the first line of your file in the report above"
                               : "build with --config=asan, which names the line";
  throw CallFailed("error: rank " + std::to_string(rank) + " " + how + " in " + call.function +
                   "\n  next: " + next);
}

void CheckAnswers(int ranks) {
  for (const Answer& answer :
       std::span(TheShared().answers).first(static_cast<std::size_t>(ranks))) {
    if (answer.status == Status::kDone) continue;
    TheTeam().reset();
    if (answer.status == Status::kThrew) throw CallFailed(answer.text);
    const NotWritten not_written(answer.text, answer.line, answer.function);
    NotWrittenLog::Global().Add(not_written);
    throw not_written;
  }
}

void CheckSize(const Call& call) {
  const int ranks = RanksOf(call.arguments);
  if (ranks >= 1 && ranks <= mpi::kMaxRanks &&
      call.arguments.size() <= std::size(TheShared().arguments)) {
    return;
  }
  throw CallFailed("error: a call of " + std::string(call.function) + " by " +
                   std::to_string(ranks) + " ranks\n  next: pass the shares of 1 to " +
                   std::to_string(mpi::kMaxRanks) + " ranks");
}

}  // namespace

void Invoke(const Call& call) {
  CheckSize(call);
  TheShared().function = &FindFunction(*LabExports(), call);
  for (Answer& answer : TheShared().answers) answer = {};
  ShareArguments(call);
  if (TheTeam() == nullptr) TheTeam() = std::make_unique<Team>();
  const int ranks = RanksOf(call.arguments);
  if (const std::optional<int> ended = TheTeam()->Call(ranks)) FailForEnd(*ended, call);
  CheckAnswers(ranks);
  mpi::AppendTraffic(call.function, ranks);
  FetchArguments(call);
  if (call.result_size > 0) memcpy(call.result, TheShared().result, call.result_size);
}

void RunTimedPairs(const Work&, const std::function<std::function<void()>(Random&)>& make_case) {
  Random random;
  make_case(random)();
}

}  // namespace lab
