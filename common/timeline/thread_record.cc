#include <algorithm>
#include <utility>

#include "common/timeline/recorder.h"
#include "common/timeline/sampler.h"

namespace lab::timeline {
namespace {

constexpr std::size_t kMostIntervals = 1 << 12;
constexpr std::size_t kMostProgramCounters = 1 << 14;
constexpr std::int64_t kFirstJoined = 20'000;  // nanoseconds
constexpr std::int64_t kMostJoined = 1'000'000'000;
// With more CPU time between them, two tries are not one wait.
constexpr std::int64_t kBetweenTries = 100'000;
// A lock that was free was not waited for.
constexpr std::int64_t kShortestWait = 1'000;
// Reading the kernel's account of a wait takes a microsecond or two.
constexpr std::int64_t kAccountedWait = 30'000;

std::size_t HashOf(const Interval& interval) {
  const std::uint64_t object = interval.kind == Kind::kChunk ? 0 : interval.object;
  const std::uint64_t mixed = (object ^ interval.place[0] << 7) +
                              static_cast<std::uint64_t>(interval.kind) * 131 + interval.depth;
  return mixed * 0x9e37'79b9'7f4a'7c15 >> 56;
}

bool AreAlike(const Interval& one, const Interval& other) {
  return one.kind == other.kind && one.depth == other.depth && one.place == other.place &&
         (one.object == other.object || one.kind == Kind::kChunk);
}

void JoinInto(Interval& one, const Interval& other) {
  one.end_ns = std::max(one.end_ns, other.end_ns);
  one.sum_ns += other.sum_ns;
  one.ready_ns += other.ready_ns;
  one.count += other.count;
  one.detail = other.detail;
}

// Where a thread may sleep, and then wait for a core.
bool IsWait(Kind kind) {
  return kind == Kind::kLock || (kind >= Kind::kCondition && kind <= Kind::kTaskWait);
}

}  // namespace

void ThreadRecord::Begin(Kind kind, std::uint64_t object, std::uint64_t detail, const Place& place,
                         bool may_sleep) {
  ++events;
  if (opened_ < kMostOpen) {
    const bool accounts = may_sleep && IsRecording() && IsWait(kind);
    const std::int64_t ready_ns = accounts ? ReadyNanoseconds(schedstat) : -1;
    open_[opened_] = {kind, false, Now(), ready_ns, object, detail, place};
    if (opened_ > 0) open_[opened_ - 1].has_parts = true;
  }
  ++opened_;
}

void ThreadRecord::End(const Waker& waker) {
  if (opened_ == 0) return;
  --opened_;
  if (opened_ >= kMostOpen || !IsRecording()) return;
  const Open& open = open_[opened_];
  Interval interval{.begin_ns = open.begin_ns,
                    .end_ns = Now(),
                    .object = open.object,
                    .detail = open.detail,
                    .place = open.place,
                    .waker = waker,
                    .kind = open.kind,
                    .depth = static_cast<std::uint8_t>(opened_)};
  interval.begin_ns = std::max(interval.begin_ns, StartNanoseconds());
  interval.sum_ns = interval.end_ns - interval.begin_ns;
  if (open.kind == Kind::kLock && interval.sum_ns < kShortestWait) return;
  if (open.ready_ns >= 0 && !open.has_parts && interval.sum_ns >= kAccountedWait) {
    interval.ready_ns = std::min(ReadyNanoseconds(schedstat) - open.ready_ns, interval.sum_ns);
  }
  Add(interval);
}

bool ThreadRecord::IsIn(Kind kind) const {
  const std::size_t count = std::min(opened_, kMostOpen);
  return std::any_of(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(count),
                     [kind](const Open& open) { return open.kind == kind; });
}

void ThreadRecord::EndKind(Kind kind) {
  if (!IsIn(kind)) return;
  while (opened_ > kMostOpen || open_[opened_ - 1].kind != kind) End();
  End();
}

void ThreadRecord::Acquired(std::uint64_t lock, const Place& place) {
  ++events;
  EndTries();
  if (holds_ < kMostHeld) held_[holds_++] = {lock, Now(), place};
}

void ThreadRecord::Released(std::uint64_t lock, std::uintptr_t frame) {
  ++events;
  SetWaker(lock, *this, frame);
  for (std::size_t i = holds_; i-- > 0;) {
    if (held_[i].lock != lock) continue;
    const std::int64_t now = Now();
    const Hold& hold = held_[i];
    Add({.begin_ns = hold.begin_ns,
         .end_ns = now,
         .sum_ns = now - hold.begin_ns,
         .object = lock,
         .place = hold.place,
         .waker = {.at_ns = now, .frame = frame, .thread = number},
         .kind = Kind::kHeld});
    std::copy(held_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
              held_.begin() + static_cast<std::ptrdiff_t>(holds_),
              held_.begin() + static_cast<std::ptrdiff_t>(i));
    --holds_;
    return;
  }
}

void ThreadRecord::Failed(std::uint64_t lock, const Place& place) {
  const std::int64_t now = Now();
  if (now - tries_.end_ns > kBetweenTries || tries_.lock != lock) {
    const std::int64_t run_ns = RunNanoseconds(id);
    if (tries_.lock != lock ||
        run_ns - tries_.run_ns > tries_.end_ns - tries_.ran_at_ns + kBetweenTries) {
      EndTries();
      tries_ = {.lock = lock, .begin_ns = now, .place = place};
    }
    tries_.run_ns = run_ns;
    tries_.ran_at_ns = now;
  }
  tries_.end_ns = now;
  ++tries_.count;
}

void ThreadRecord::EndTries() {
  if (tries_.count > 1) {
    Add({.begin_ns = tries_.begin_ns,
         .end_ns = tries_.end_ns,
         .sum_ns = tries_.end_ns - tries_.begin_ns,
         .object = tries_.lock,
         .detail = tries_.count,
         .place = tries_.place,
         .kind = Kind::kSpin,
         .depth = static_cast<std::uint8_t>(opened_)});
  }
  tries_ = {};
}

// Whether the interval became a part of one that ended shortly before.
bool ThreadRecord::Join(const Interval& interval, std::uint32_t& recent) {
  if (recent == 0 || recent > intervals.size()) return false;
  Interval& before = intervals[recent - 1];
  if (interval.end_ns - before.begin_ns > joined_ns_ || !AreAlike(before, interval)) return false;
  JoinInto(before, interval);
  return true;
}

void ThreadRecord::Add(Interval interval) {
  if (intervals.size() == kMostIntervals) JoinMore();
  AddOrJoin(interval);
}

void ThreadRecord::AddOrJoin(Interval interval) {
  if (joins_objects_) interval.object = 0;
  std::uint32_t& recent = recent_[HashOf(interval)];
  if (Join(interval, recent) || intervals.size() == kMostIntervals) return;
  intervals.push_back(interval);
  recent = static_cast<std::uint32_t>(intervals.size());
}

// Makes room: joins what lies twice as far apart, and then whatever object it is of.
void ThreadRecord::JoinMore() {
  if (joined_ns_ > kMostJoined) return;
  joined_ns_ *= 2;
  std::vector<Interval> all;
  all.swap(intervals);
  intervals.reserve(kMostIntervals);
  recent_ = {};
  for (const Interval& interval : all) AddOrJoin(interval);
  joins_objects_ = joins_objects_ || intervals.size() > kMostIntervals / 2;
}

void ThreadRecord::AddProgramCounter(const Place& place) {
  if (program_counters.size() < kMostProgramCounters) program_counters.push_back({Now(), place});
}

Account ThreadRecord::ReadAccount() const {
  return {Now(), RunNanoseconds(id), ReadyNanoseconds(schedstat)};
}

void ThreadRecord::Reset() {
  intervals.clear();
  intervals.reserve(kMostIntervals);
  program_counters.clear();
  program_counters.reserve(kMostProgramCounters);
  accounts.clear();
  recent_ = {};
  tries_ = {};
  holds_ = 0;
  joined_ns_ = kFirstJoined;
  joins_objects_ = false;
  events = 0;
  begin_ns = end_ns = 0;
  creator = {};
}

void ThreadRecord::CloseAll(std::int64_t at_ns) {
  EndTries();
  while (opened_ > kMostOpen) --opened_;
  for (std::size_t depth = opened_; depth-- > 0;) {
    const Open& open = open_[depth];
    Add({.begin_ns = std::max(StartNanoseconds(), open.begin_ns),
         .end_ns = at_ns,
         .sum_ns = at_ns - std::max(StartNanoseconds(), open.begin_ns),
         .object = open.object,
         .detail = open.detail,
         .place = open.place,
         .kind = open.kind,
         .depth = static_cast<std::uint8_t>(depth)});
  }
}

}  // namespace lab::timeline
