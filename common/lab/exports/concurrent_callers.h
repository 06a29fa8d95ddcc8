#pragma once

// The functions' side of common/lab/call/callers.h.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "common/lab/call/call.h"
#include "common/lab/exports/exports.h"

namespace lab {

// What body() throws, null if nothing.
template <typename Body>
std::exception_ptr ThrownBy(const Body& body) {
  try {
    body();
  } catch (const std::exception&) {
    return std::current_exception();
  } catch (const char*) {
    return std::current_exception();
  }
  return nullptr;
}

// The functions of cudasim/expect_callers.h; null without the simulator.
struct SimulatedCallers {
  void (*expect)(unsigned) = nullptr;
  void (*is_done)() = nullptr;

  void Expect(std::size_t callers) const {
    if (expect != nullptr) expect(static_cast<unsigned>(callers));
  }
  void IsDone() const {
    if (is_done != nullptr) is_done();
  }
};

// Calls the function, and waits for its work only after all callers have called it, so that on a
// GPU the work of different streams overlaps. Returns what is thrown, null if nothing.
inline std::exception_ptr RunBeside(const ExportedFunction& function, void* staged, void* result,
                                    const SimulatedCallers& simulated, std::latch& started) {
  const std::exception_ptr thrown = ThrownBy([&] { function.start(staged, result); });
  simulated.IsDone();
  started.arrive_and_wait();
  return thrown ? thrown : ThrownBy([&] { function.finish(staged); });
}

// An additional concurrent caller, with its own copies of the arrays that the function writes.
class AddedCaller {
 public:
  // Stages the call; throws what that throws. `arguments` are those of the original call; it reads
  // their inputs for as long as it lives.
  AddedCaller(const ExportedFunction& function, std::span<const Argument> arguments)
      : function_(function),
        arguments_(arguments.begin(), arguments.end()),
        result_(function.result_size),
        staged_(nullptr, function.release) {
    for (Argument& argument : arguments_) {
      if (argument.kind != Argument::Kind::kInOut || argument.count == 0) continue;
      const std::size_t bytes = argument.count * argument.element_size;
      auto& copy = copies_.emplace_back(bytes / sizeof(std::max_align_t) + 1);
      std::memcpy(copy.data(), argument.data, bytes);
      argument.data = copy.data();
    }
    staged_.reset(function.stage(arguments_));
  }

  // Calls the function as RunBeside does, and keeps what it throws.
  void Run(const SimulatedCallers& simulated, std::latch& started) {
    thrown_ = RunBeside(function_, staged_.get(), result_.data(), simulated, started);
  }

  const std::exception_ptr& thrown() const { return thrown_; }

 private:
  const ExportedFunction& function_;
  std::vector<Argument> arguments_;
  std::vector<std::vector<std::max_align_t>> copies_;
  std::vector<std::byte> result_;
  std::unique_ptr<void, void (*)(void*)> staged_;
  std::exception_ptr thrown_;
};

// A pool of threads for the additional callers. They never end: LLVM's OpenMP runtime, at least up
// to version 14, mixes up the memory of tasks when threads that have opened regions end.
class CallerThreads {
 public:
  // The only pool; never destroyed.
  static CallerThreads& Global() {
    static auto& global = *new CallerThreads;
    return global;
  }

  // Calls body(0) ... body(others - 1), each on a thread of its own. Returns at once; `body` must
  // live until Wait has returned. One Start and one Wait at a time.
  void Start(std::size_t others, const std::function<void(std::size_t)>& body) {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    others_ = working_ = others;
    ++round_;
    while (threads_ < others) std::thread([this, i = threads_++] { Work(i); }).detach();
    changed_.notify_all();
  }

  // Waits until all have returned.
  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return working_ == 0; });
  }

 private:
  CallerThreads() = default;

  [[noreturn]] void Work(std::size_t i) {
    std::uint64_t last_round = 0;
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return round_ != last_round; });
      last_round = round_;
      if (i >= others_) continue;
      lock.unlock();
      (*body_)(i);
      lock.lock();
      if (--working_ == 0) changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t threads_ = 0;
  std::uint64_t round_ = 0;
  std::size_t others_ = 0;
  std::size_t working_ = 0;
  const std::function<void(std::size_t)>* body_ = nullptr;
};

// Runs the staged call and `others` copies of it concurrently, each copy on a thread of its own
// that calls prepare() first. Throws what the call throws, else what the first copy in order of
// their indices threw, if any. Blocks until all have returned. `simulated` is told how many call
// and when each has returned. Not thread-safe.
template <typename Prepare>
void RunConcurrently(const ExportedFunction& function, std::span<const Argument> arguments,
                     std::size_t others, const Prepare& prepare, void* staged, void* result,
                     const SimulatedCallers& simulated = {}) {
  if (others == 0) return function.Run(staged, result);
  std::vector<std::unique_ptr<AddedCaller>> added;
  for (std::size_t i = 0; i < others; ++i) {
    added.push_back(std::make_unique<AddedCaller>(function, arguments));
  }
  const auto callers = static_cast<std::ptrdiff_t>(others + 1);
  std::latch together(callers);
  std::latch started(callers);
  const std::function<void(std::size_t)> body = [&](std::size_t i) {
    prepare();
    together.arrive_and_wait();
    added[i]->Run(simulated, started);
  };
  simulated.Expect(others + 1);
  CallerThreads::Global().Start(others, body);
  together.arrive_and_wait();
  std::exception_ptr thrown = RunBeside(function, staged, result, simulated, started);
  CallerThreads::Global().Wait();
  for (const std::unique_ptr<AddedCaller>& caller : added) {
    if (!thrown) thrown = caller->thrown();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace lab
