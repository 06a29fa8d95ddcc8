// A student's file that does what LAB_MISBEHAVIOUR asks for: nothing wrong, if it is empty.

#include "common/lab/tests/misbehaving_lab.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "common/lab/not_written.h"

namespace {

bool Asked(std::string_view behaviour) {
  const char* asked = std::getenv("LAB_MISBEHAVIOUR");
  return asked != nullptr && behaviour == asked;
}

struct GlobalObject {
  GlobalObject() {
    if (Asked("exit in a constructor")) std::_Exit(0);
    if (Asked("filter in a constructor")) setenv("GTEST_FILTER", "-*", 1);
    if (Asked("shards in a constructor")) {
      setenv("GTEST_TOTAL_SHARDS", "9", 1);
      setenv("GTEST_SHARD_INDEX", "8", 1);
    }
    if (Asked("no repetition in a constructor")) setenv("GTEST_REPEAT", "0", 1);
  }
  ~GlobalObject() {
    if (Asked("wrong and exit in a destructor")) std::_Exit(0);
    if (Asked("crash in a destructor")) std::abort();
  }
};

const GlobalObject object;

void Misbehave() {
  if (Asked("exit(0)")) std::exit(0);
  if (Asked("exit(3)")) std::exit(3);
  if (Asked("exit(67)")) std::exit(67);
  if (Asked("quick_exit")) std::quick_exit(0);
  if (Asked("null pointer")) std::raise(SIGSEGV);   // which no sanitizer stops first
  if (Asked("out of memory")) std::raise(SIGKILL);  // as the system does
  if (Asked("endless loop")) std::this_thread::sleep_for(std::chrono::hours(1));
  if (Asked("exception")) throw std::runtime_error("queue is empty");
  if (Asked("exception in a thread")) std::thread([] { throw std::runtime_error("lost"); }).join();
}

double LoseUpdates();

}  // namespace

double Sum(std::span<const float> values) {
  if (Asked("stub") || Asked("stub and wrong") || Asked("half a stub")) LAB_NOT_WRITTEN();
  Misbehave();
  if (Asked("lost update")) return LoseUpdates();
  double sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

void Prefix(std::span<const int> values, std::span<int> sums, int start) {
  if (Asked("stub")) LAB_NOT_WRITTEN();
  const bool wrong =
      Asked("wrong") || Asked("stub and wrong") || Asked("wrong and exit in a destructor");
  const std::size_t end = values.size() - (wrong && !values.empty() ? 1 : 0);
  for (std::size_t i = 0; i < end; ++i) sums[i] = start += values[i];
}

namespace {

// The test's reports tell only of files that could be a student's.
#line 1 "labs/sum/sum.cc"
double LoseUpdates() {
  std::atomic<int> sum = 0;
  std::atomic<bool> ends = false;
  std::thread other([&] {
    while (!ends) ++sum;
  });
  for (int i = 0; i < 32; ++i) {
    const int before = sum.load();
    sum.store(before + 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ends = true;
  other.join();
  return -1;
}

}  // namespace
