// What submissions do, right, wrong and hostile, in one library: the environment's BEHAVIOUR says
// which one it is.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "common/lab/not_written.h"
#include "grader/sandbox/checker/tests/hanging_behaviours.h"
#include "grader/sandbox/checker/tests/roots.h"
#include "grader/sandbox/wire/wire.h"

namespace {

using behaviours::Deadlock;
using behaviours::Results;
using behaviours::Values;

// Newton's method, so that it takes more than a millisecond.
void Right(Values values, Results roots) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    float root = values[i];
    for (int step = 0; step < 12; ++step) root = (root + values[i] / root) / 2;
    roots[i] = root;
  }
}

void Wrong(Values values, Results roots) {
  for (std::size_t i = 0; i < values.size(); ++i) roots[i] = values[i] / 2;
}

void NotANumber(Values /*values*/, Results roots) {
  for (float& root : roots) root = std::numeric_limits<float>::quiet_NaN();
}

void Untouched(Values /*values*/, Results /*roots*/) {}

void OneInSeven(Values values, Results roots) {
  for (std::size_t i = 0; i < values.size(); i += 7) roots[i] = std::sqrt(values[i]);
}

void Slow(Values values, Results roots) {
  for (int i = 0; i < 12; ++i) {
    Right(values, roots);
    asm volatile("" ::: "memory");
  }
}

void SlowAtFirst(Values values, Results roots) {
  static bool is_first = true;
  // By far, whatever else the machine does meanwhile.
  for (int i = 0; is_first && i < 10; ++i) Slow(values, roots);
  is_first = false;
  Right(values, roots);
}

void NotWritten(Values /*values*/, Results /*roots*/) { LAB_NOT_WRITTEN(); }

// On x86-64 a general protection fault, which has no address.
void VectorOffItsAlignment(Values /*values*/, Results /*roots*/) {
  using Vector = float __attribute__((vector_size(16)));
  alignas(16) float numbers[8] = {};
  float* volatile begin = numbers + 1;
  *reinterpret_cast<volatile Vector*>(begin) = Vector{};
}

void NullPointer(Values values, Results /*roots*/) {
  volatile float* volatile nowhere = nullptr;
  *nowhere = static_cast<float>(values.size());
}

int Recurse(int depth) {
  static int (*volatile again)(int) = Recurse;  // the compiler would rightly warn
  volatile char frame[1024];
  frame[0] = static_cast<char>(depth);
  return again(depth + 1) + frame[0];
}
void EndlessRecursion(Values /*values*/, Results roots) {
  if (!roots.empty()) roots[0] = static_cast<float>(Recurse(0));
}

void Exits(Values /*values*/, Results /*roots*/) { exit(0); }
void ExitsAtOnce(Values /*values*/, Results /*roots*/) { _exit(3); }
void Aborts(Values /*values*/, Results /*roots*/) { abort(); }
void Throws(Values /*values*/, Results /*roots*/) { throw std::out_of_range("no such bin"); }
void ThrowsOnAThread(Values /*values*/, Results /*roots*/) {
  std::thread([] { throw std::runtime_error("lost"); }).join();
}
void DropsAThread(Values /*values*/, Results /*roots*/) {
  const std::thread dropped([] {});
}
void SaysUnaskedWhereItIs(Values values, Results roots) {
  Right(values, roots);
  raise(grader::wire::kStackSignal);
}

void WritesPastTheEnd(Values values, Results roots) {
  Right(values, roots);
  volatile float* const data = roots.data();
  data[roots.size()] = 1;
}
void ReadsPastTheEnd(Values values, Results roots) {
  Right(values, roots);
  const volatile float* const data = values.data();
  if (data[values.size()] == 0) roots[0] = 0;
}
void ReadsFarPastTheEnd(Values values, Results roots) {
  Right(values, roots);
  const volatile float* const data = values.data();
  if (data[values.size() + 1000] == 0) roots[0] = 0;
}
void WritesBeforeTheStart(Values values, Results roots) {
  Right(values, roots);
  volatile float* const data = roots.data();
  if (!roots.empty()) data[-1] = 1;
}
void WritesToItsInput(Values values, Results roots) {
  Right(values, roots);
  if (!values.empty()) const_cast<volatile float&>(values[0]) = 1;
}

// Every way to get at the input's pages that a sealed file must refuse; then a right answer.
void TriesToUnsealItsInput(Values values, Results roots) {
  const int arena = grader::wire::kInputArenaFd;
  const char zero = 0;
  const bool written =
      pwrite(arena, &zero, 1, 0) == 1 || ftruncate(arena, 0) == 0 ||
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, arena, 0) != MAP_FAILED ||
      ftruncate(grader::wire::kOutputArenaFd, 0) == 0;
  if (!values.empty()) {
    const auto page = reinterpret_cast<std::uintptr_t>(values.data()) & ~std::uintptr_t{4095};
    if (mprotect(reinterpret_cast<void*>(page), 4096, PROT_READ | PROT_WRITE) == 0) exit(9);
  }
  if (written) exit(9);
  Right(values, roots);
}

// One system call of many seconds, which nothing interrupts but the program's end. The memory is
// never written to.
void PopulatesMemory(Values values, Results roots) {
  constexpr std::size_t kBytes = std::size_t{400} << 30;
  constexpr int kPopulateRead = 22;  // MADV_POPULATE_READ
  Right(values, roots);
  std::thread([] {
    void* const memory =
        mmap(nullptr, kBytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    madvise(memory, kBytes, MADV_NOHUGEPAGE);
    madvise(memory, kBytes, kPopulateRead);
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void Naps(Values values, Results roots) {
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  Right(values, roots);
}

// Delays the grader's next request once after each call.
void StallsBetweenCalls(Values values, Results roots) {
  static std::atomic<bool> in_call;
  in_call = true;
  struct sigaction stall = {};
  stall.sa_handler = [](int) {
    if (!in_call) usleep(300'000);
  };
  stall.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &stall, nullptr);
  Right(values, roots);
  in_call = false;
  const itimerval soon{{}, {0, 1'000}};
  setitimer(ITIMER_REAL, &soon, nullptr);
}

// Returns before the work is done.
void ReturnsEarly(Values values, Results roots) {
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    Right(values, roots);
  }).detach();
}
// As above, without a pause in which it could be frozen cheaply. Seconds of work for large inputs.
void ReturnsEarlyAndHurries(Values values, Results roots) {
  std::thread([=] {
    std::vector<float> scratch(roots.size());
    for (int i = 0; i < 100; ++i) Slow(values, scratch);
    Right(values, roots);
  }).detach();
}

void NoticesTheBenchmark(Values values, Results roots) {
  static int calls = 0;
  ++calls;
  if (values.size() < 10000 || calls < 4) Right(values, roots);
}

void MemoryBomb(Values /*values*/, Results roots) {
  std::vector<void*> all;
  for (;;) {
    void* const block = malloc(16 << 20);
    if (block != nullptr) memset(block, 1, 16 << 20);
    all.push_back(block);
    if (!roots.empty()) roots[0] = static_cast<float>(all.size());
  }
}
void ManyThreads(Values values, Results roots) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 1000; ++i) {
    threads.emplace_back([] { std::this_thread::sleep_for(std::chrono::seconds(60)); });
  }
  Right(values, roots);
}
void PrintsForever(Values /*values*/, Results /*roots*/) {
  for (;;) {
    puts("a debug print in the innermost loop");
    fputs("and another", stderr);
  }
}
void PrintsALittle(Values values, Results roots) {
  puts("[  PASSED  ] 100 tests.");
  fputs("{\"verdict\":\"accepted\"}\n", stderr);
  Right(values, roots);
}

void WriteFrame(std::uint64_t nonce) {
  grader::wire::Reply reply{};
  reply.magic = grader::wire::kMagic;
  reply.nonce = nonce;
  reply.status = grader::wire::Status::kDone;
  grader::wire::WriteFrame(grader::wire::kReplyFd, &reply, sizeof reply);
}
void ForgesAReply(Values /*values*/, Results /*roots*/) { WriteFrame(0); }
void ForgesHalfAReply(Values /*values*/, Results /*roots*/) {
  if (write(grader::wire::kReplyFd, "done", 4) != 4) exit(9);
  for (;;) pause();
}
void ForgesAReplyForLater(Values values, Results roots) {
  Right(values, roots);
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (;;) WriteFrame(0);
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
}
void ForgesAFaultAndGoesOn(Values /*values*/, Results /*roots*/) {
  grader::wire::Reply reply{};
  reply.magic = grader::wire::kMagic;
  reply.status = grader::wire::Status::kFault;
  reply.fault = {11, 1 << 20, -7, grader::wire::Access::kWrite, 0};
  grader::wire::WriteFrame(grader::wire::kReplyFd, &reply, sizeof reply);
  for (;;) pause();
}

void DiesAfterReturning(Values values, Results roots) {
  Right(values, roots);
  std::thread([] { _exit(4); }).detach();
}
void ClosesAllFiles(Values /*values*/, Results /*roots*/) {
  for (int fd = 0; fd < 64; ++fd) close(fd);
  for (;;) pause();
}

struct Behaviour {
  std::string_view name;
  void (*run)(Values values, Results roots);
};

constexpr Behaviour kBehaviours[] = {
    {"right", Right},
    {"wrong", Wrong},
    {"not_a_number", NotANumber},
    {"untouched", Untouched},
    {"one_in_seven", OneInSeven},
    {"slow", Slow},
    {"slow_at_first", SlowAtFirst},
    {"populates_memory", PopulatesMemory},
    {"naps", Naps},
    {"stalls_between_calls", StallsBetweenCalls},
    {"not_written", NotWritten},
    {"null_pointer", NullPointer},
    {"vector_off_its_alignment", VectorOffItsAlignment},
    {"endless_recursion", EndlessRecursion},
    {"exits", Exits},
    {"exits_at_once", ExitsAtOnce},
    {"aborts", Aborts},
    {"throws", Throws},
    {"throws_on_a_thread", ThrowsOnAThread},
    {"drops_a_thread", DropsAThread},
    {"endless_loop", behaviours::EndlessLoop},
    {"takes_most_of_a_second", behaviours::TakesMostOfASecond},
    {"takes_most_of_a_second_in_short_threads", behaviours::TakesMostOfASecondInShortThreads},
    {"deadlock", Deadlock},
    {"two_locks_in_opposite_order", behaviours::TwoLocksInOppositeOrder},
    {"joins_what_never_ends", behaviours::JoinsWhatNeverEnds},
    {"hangs_with_all_signals_blocked", behaviours::HangsWithAllSignalsBlocked},
    {"lies_about_its_threads", behaviours::LiesAboutItsThreads},
    {"says_unasked_where_it_is", SaysUnaskedWhereItIs},
    {"writes_past_the_end", WritesPastTheEnd},
    {"reads_past_the_end", ReadsPastTheEnd},
    {"reads_far_past_the_end", ReadsFarPastTheEnd},
    {"writes_before_the_start", WritesBeforeTheStart},
    {"writes_to_its_input", WritesToItsInput},
    {"tries_to_unseal_its_input", TriesToUnsealItsInput},
    {"returns_early", ReturnsEarly},
    {"returns_early_and_hurries", ReturnsEarlyAndHurries},
    {"notices_the_benchmark", NoticesTheBenchmark},
    {"memory_bomb", MemoryBomb},
    {"many_threads", ManyThreads},
    {"prints_forever", PrintsForever},
    {"prints_a_little", PrintsALittle},
    {"forges_a_reply", ForgesAReply},
    {"forges_half_a_reply", ForgesHalfAReply},
    {"forges_a_reply_for_later", ForgesAReplyForLater},
    {"forges_a_fault_and_goes_on", ForgesAFaultAndGoesOn},
    {"closes_all_files", ClosesAllFiles},
    {"dies_after_returning", DiesAfterReturning},
};

std::string_view Chosen() {
  const char* const chosen = getenv("BEHAVIOUR");
  return chosen == nullptr ? "right" : chosen;
}

// Student code that runs before any function is called, and after all have been.
struct AtLoad {
  AtLoad() {
    if (Chosen() == "exits_when_loaded") _exit(0);
    if (Chosen() == "crashes_when_loaded") NullPointer({}, {});
  }
  ~AtLoad() {
    if (Chosen() == "crashes_at_exit") abort();
    if (Chosen() == "hangs_at_exit") Deadlock({}, {});
  }
} at_load;

}  // namespace

void Roots(std::span<const float> values, std::span<float> roots) {
  for (const Behaviour& behaviour : kBehaviours) {
    if (behaviour.name == Chosen()) return behaviour.run(values, roots);
  }
  Right(values, roots);
}

// Whether another call runs at the same time as this one.
bool IsBesideOthers() {
  static std::atomic<int> here = 0;
  ++here;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const bool others = here > 1;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  --here;
  return others;
}

void TeamRoots(std::span<const float> values, std::span<float> roots, int num_threads) {
  static std::mutex mutex;
  if (Chosen() == "wrong_in_a_team" && num_threads > 1) return Wrong(values, roots);
  if (Chosen() == "wrong_beside_others" && IsBesideOthers()) return Wrong(values, roots);
  InTeam(values, roots, num_threads, [](Values own_values, Results own_roots) {
    std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
    if (Chosen() == "holds_a_lock") lock.lock();
    Right(own_values, own_roots);
  });
}

double Total(std::span<const double> values, int base) {
  double total = base;
  for (const double value : values) total += value;
  return total;
}
