#pragma once

// Records what the threads of this process do, for a picture: when each waited, for what, who ended
// the wait, which locks it held, in which task or chunk it was. Wrappers of the threads' functions
// (pthreads.cc, openmp.cc) report to it; //common/timeline:show draws what it writes.
//
// Each thread writes to memory of its own, without locks. Only one recording at a time.

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace lab::timeline {

// What a thread may be doing; KindName() says how the record calls it.
enum class Kind : std::uint8_t {
  kLock,       // waits for a mutex, a lock of readers and writers, a critical section
  kHeld,       // holds one; may overlap with every other kind
  kSpin,       // tries a lock again and again, or waits for a spin lock
  kYield,      // offers its core to others
  kCondition,  // waits for a condition variable
  kSemaphore,
  kBarrier,
  kAtomic,  // sleeps until an atomic variable changes: also latches and barriers of C++
  kJoin,    // waits for the end of a thread
  kSleep,   // until a time
  kTaskWait,
  kParallel,  // the thread that began a parallel region, until the region's end
  kRegion,    // its share of that region
  kLoop,      // its share of a loop, of sections, or a `single`
  kChunk,
  kTask,
};
inline constexpr std::size_t kKinds = 16;
const char* KindName(Kind kind);

// Return addresses, innermost first; 0 where there are no more.
using Place = std::array<std::uintptr_t, 4>;

inline constexpr std::uint16_t kNobody = 0xffff;

// Who ended a wait: the thread that released a lock, notified, arrived last.
struct Waker {
  std::int64_t at_ns = 0;
  std::uintptr_t frame = 0;
  std::uint16_t thread = kNobody;
};

struct Interval {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::int64_t sum_ns = 0;    // less than end - begin where `count` short ones were joined
  std::int64_t ready_ns = 0;  // at the end of a wait: could have run, but had no core
  std::uint64_t object = 0;   // address of the lock; first iteration of a chunk; number of a task
  std::uint64_t detail = 0;   // last iteration of a chunk
  Place place{};
  Waker waker{};
  std::uint32_t count = 1;
  Kind kind{};
  std::uint8_t depth = 0;  // how many others contain it
};

// The kernel's account of a thread.
struct Account {
  std::int64_t at_ns = 0;
  std::int64_t run_ns = 0;
  std::int64_t ready_ns = 0;  // in the run queue; -1 where it is not known
};

// Where a thread was on a core.
struct ProgramCounter {
  std::int64_t at_ns;
  Place place;
};

// What one thread does. Its members are for the thread itself, and for others after Stop().
class ThreadRecord {
 public:
  // Around something that the thread does. Begin() and End() nest. Of a wait that `may_sleep` the
  // kernel is asked how long the thread, woken, had no core.
  void Begin(Kind kind, std::uint64_t object, std::uint64_t detail, const Place& place,
             bool may_sleep = true);
  void End(const Waker& waker = {});
  // Ends those of this kind, and what they contain; nothing if there is none.
  void EndKind(Kind kind);
  bool IsIn(Kind kind) const;

  void Acquired(std::uint64_t lock, const Place& place);
  void Released(std::uint64_t lock, std::uintptr_t frame);

  // A try that failed; tries that follow closely are one wait. Another object, or success, ends it.
  void Failed(std::uint64_t lock, const Place& place);
  void EndTries();

  void Add(Interval interval);
  void AddProgramCounter(const Place& place);
  // The kernel's account of this thread.
  Account ReadAccount() const;

  void Reset();
  void CloseAll(std::int64_t at_ns);

  pid_t id = 0;
  std::uint16_t number = 0;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;  // 0: it lives
  Waker creator;
  bool is_openmp = false;  // began by OpenMP's runtime
  std::uint64_t events = 0;
  std::vector<Interval> intervals;
  std::vector<ProgramCounter> program_counters;
  std::vector<Account> accounts;  // by the sampler
  Account first, last;
  int schedstat = -1;

 private:
  struct Open {
    Kind kind;
    bool has_parts;  // others were in it: a thread that waits for tasks executes some
    std::int64_t begin_ns;
    std::int64_t ready_ns;  // of the account
    std::uint64_t object;
    std::uint64_t detail;
    Place place;
  };
  struct Hold {
    std::uint64_t lock;
    std::int64_t begin_ns;
    Place place;
  };
  struct Tries {
    std::uint64_t lock = 0;
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::int64_t run_ns = 0;     // the thread's, when it was last read
    std::int64_t ran_at_ns = 0;  // when that was
    std::uint32_t count = 0;
    Place place{};
  };
  static constexpr std::size_t kMostOpen = 64;
  static constexpr std::size_t kMostHeld = 32;
  static constexpr std::size_t kRecent = 256;

  bool Join(const Interval& interval, std::uint32_t& recent);
  void AddOrJoin(Interval interval);
  void JoinMore();

  std::array<Open, kMostOpen> open_{};
  std::size_t opened_ = 0;  // may exceed kMostOpen
  std::array<Hold, kMostHeld> held_{};
  std::size_t holds_ = 0;
  Tries tries_;
  std::int64_t joined_ns_ = 0;  // intervals that begin so closely are joined
  bool joins_objects_ = false;  // even if they are of several objects, which is then 0
  std::array<std::uint32_t, kRecent> recent_{};  // by what they are: their index, and 1
};

inline std::atomic<bool> is_recording{false};
inline bool IsRecording() { return is_recording.load(std::memory_order_relaxed); }

// Of the monotonic clock.
std::int64_t Now();

// The calling thread's; nullptr where too many threads live, or outside of a recording.
ThreadRecord* Self();
// Whether or not there is a recording.
ThreadRecord* Registered();

// Of the thread that calls, when it begins and ends. `creator` may be nobody.
void BeginThread(const Waker& creator, bool is_openmp = false);
void EndThread();

// The callers of a function with this return address, whose caller has this frame pointer.
Place PlaceOf(const void* return_address, const void* frame);
// The same from the address of any instruction; may be called by a handler of signals.
Place FollowFrames(const void* address, const void* frame);
// Before a thread's first call of the two.
void PreparePlaces();
// The same for an address alone.
inline Place PlaceOf(const void* address) { return {reinterpret_cast<std::uintptr_t>(address)}; }
// Whether the address is in the program itself, or in C++'s library: not in OpenMP's, for example.
bool IsOfProgram(const void* return_address);

// The thread that released, notified or posted an object last.
void SetWaker(std::uint64_t object, const ThreadRecord& thread, std::uintptr_t frame);
Waker WakerOf(std::uint64_t object);

// Begins a recording, and forgets the one before.
void Start();
// Ends it. Threads that have not ended should sleep.
void Stop();
// Whether OpenMP's runtime reports to openmp.cc.
inline std::atomic<bool> has_openmp_tool{false};

std::int64_t StartNanoseconds();
std::int64_t StopNanoseconds();
// Writes the recording as JSON, with the function's name. False, with errno, if that fails.
bool Write(const char* path, const char* function);

// Threads that began when too many others lived.
int ThreadsLeftOut();
// What the report of one event costs: half a lock and unlock, measured at the first call.
std::int64_t EventNanoseconds();

// All that lived in the recording; only outside of one.
std::vector<ThreadRecord*> Threads();
// Those that live; none begins or ends meanwhile.
void ForEachLiving(const std::function<void(ThreadRecord&)>& function);

}  // namespace lab::timeline
