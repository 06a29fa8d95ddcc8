// The reference: litmus tests by the states that threads can reach, all else by definition.

#include "labs/memory_models/memory_models.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <deque>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace {

constexpr std::int32_t kThreads = 4;
constexpr std::int32_t kVariables = 4;
constexpr std::int32_t kRegisters = 4;
constexpr std::int32_t kValues = 4;
constexpr std::size_t kMostToFence = 8;
constexpr std::int64_t kMostUnits = 1 << 20;

bool IsBelow(std::int64_t value, std::int64_t limit) { return value >= 0 && value < limit; }

bool IsModel(Model model) { return IsBelow(static_cast<std::int32_t>(model), 4); }

bool IsLoadOrStore(Kind kind) { return kind == Kind::kLoad || kind == Kind::kStore; }

bool IsKind(Kind kind) { return IsLoadOrStore(kind) || kind == Kind::kFence; }

bool IsValid(Model model, std::span<const Instruction> program) {
  if (!IsModel(model) || program.size() > kMostInstructions) return false;
  std::uint32_t filled = 0;
  for (const Instruction& each : program) {
    if (!IsBelow(each.thread, kThreads) || !IsKind(each.kind)) return false;
    if (each.kind == Kind::kFence) continue;
    if (!IsBelow(each.variable, kVariables)) return false;
    if (each.kind == Kind::kStore && !(each.value >= 1 && each.value < kValues)) return false;
    if (each.kind == Kind::kLoad) {
      if (!IsBelow(each.value, kRegisters) || (filled >> each.value & 1) != 0) return false;
      filled |= 1U << each.value;
    }
  }
  return true;
}

// Whether `earlier` takes effect before `later` of the same thread.
bool KeepsOrder(Model model, const Instruction& earlier, const Instruction& later) {
  if (earlier.kind == Kind::kFence || later.kind == Kind::kFence) return true;
  const bool is_same = earlier.variable == later.variable;
  const bool is_store = earlier.kind == Kind::kStore;
  if (is_store && later.kind == Kind::kLoad) return model == Model::kSequential;
  if (is_same) return true;
  if (is_store) return model <= Model::kTotalStoreOrder;
  return model != Model::kRelaxed;
}

// A state: which instructions have taken effect, and two bits for each variable and register.
struct State {
  std::uint32_t done;
  std::uint32_t memory;
  std::uint32_t registers;

  std::uint32_t Key() const { return done << 16 | memory << 8 | registers; }
};

std::uint32_t Field(std::uint32_t fields, std::int32_t index) { return fields >> 2 * index & 3; }

std::uint32_t WithField(std::uint32_t fields, std::int32_t index, std::int32_t value) {
  return (fields & ~(3U << 2 * index)) | static_cast<std::uint32_t>(value) << 2 * index;
}

class Exploration {
 public:
  Exploration(Model model, std::span<const Instruction> program)
      : program_(program), waits_for_(program.size()) {
    for (std::size_t later = 0; later < program.size(); ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        if (program[earlier].thread == program[later].thread &&
            KeepsOrder(model, program[earlier], program[later])) {
          waits_for_[later] |= 1U << earlier;
        }
      }
    }
  }

  OutcomeSet Outcomes() {
    Reach({0, 0, 0});
    while (!left_.empty()) {
      const State state = left_.back();
      left_.pop_back();
      for (std::size_t i = 0; i < program_.size(); ++i) {
        const bool is_ready = (waits_for_[i] & ~state.done) == 0;
        if ((state.done >> i & 1) == 0 && is_ready) Reach(After(state, i));
      }
    }
    return outcomes_;
  }

 private:
  void Reach(const State& state) {
    if (!seen_.insert(state.Key()).second) return;
    left_.push_back(state);
    if (state.done + 1 != 1U << program_.size()) return;
    outcomes_.words[state.registers / 64] |= std::uint64_t{1} << state.registers % 64;
  }

  State After(State state, std::size_t i) const {
    const Instruction& each = program_[i];
    if (each.kind == Kind::kStore) {
      state.memory = WithField(state.memory, each.variable, each.value);
    } else if (each.kind == Kind::kLoad) {
      state.registers = WithField(state.registers, each.value, Loaded(state, i));
    }
    state.done |= 1U << i;
    return state;
  }

  std::int32_t Loaded(const State& state, std::size_t load) const {
    for (std::size_t i = load; i-- > 0;) {
      const Instruction& each = program_[i];
      if (each.thread == program_[load].thread && each.kind == Kind::kStore &&
          each.variable == program_[load].variable) {
        if ((state.done >> i & 1) == 0) return each.value;
        break;
      }
    }
    return static_cast<std::int32_t>(Field(state.memory, program_[load].variable));
  }

  std::span<const Instruction> program_;
  std::vector<std::uint32_t> waits_for_;
  std::unordered_set<std::uint32_t> seen_;
  std::vector<State> left_;
  OutcomeSet outcomes_{};
};

bool Contains(const OutcomeSet& set, std::int32_t outcome) {
  return (set.words[outcome / 64] >> outcome % 64 & 1) != 0;
}

// The program with a fence after each instruction whose bit is set.
std::vector<Instruction> Fenced(std::span<const Instruction> program, std::uint32_t places) {
  std::vector<Instruction> fenced;
  for (std::size_t i = 0; i < program.size(); ++i) {
    fenced.push_back(program[i]);
    if ((places >> i & 1) != 0) fenced.push_back({program[i].thread, Kind::kFence, 0, 0});
  }
  return fenced;
}

// A snooping bus under MESI, and the caches on it.
class Bus {
 public:
  explicit Bus(std::uint64_t line_bytes) : line_bytes_(line_bytes) {}

  MesiTraffic traffic() const { return traffic_; }

  void Access(const CoherentAccess& access) {
    ++now_;
    Line& line = lines_.try_emplace(access.address / line_bytes_, lines_.size()).first->second;
    const std::uint64_t own = std::uint64_t{1} << access.processor;
    if ((line.holders & own) == 0) {
      Miss(line, access);
    } else if (access.kind == Kind::kStore && !line.is_exclusive) {
      ++traffic_.upgrades;
    }
    if (access.kind == Kind::kStore) {
      Invalidate(line, line.holders & ~own);
      line.is_exclusive = line.is_modified = true;
      stored_at_[access.address] = now_;
    }
    line.holders |= own;
  }

 private:
  struct Line {
    explicit Line(std::size_t place) : number(place) {}

    std::size_t number;
    std::uint64_t holders = 0;  // a bit for each processor
    bool is_exclusive = false;  // E or M: there is one holder
    bool is_modified = false;
  };

  void Miss(Line& line, const CoherentAccess& access) {
    ++(access.kind == Kind::kStore ? traffic_.exclusive_reads : traffic_.reads);
    traffic_.write_backs += line.is_modified;
    line.is_modified = false;
    line.is_exclusive = line.holders == 0;
    const auto lost = lost_at_.find(Copy(line, access.processor));
    if (lost == lost_at_.end()) return;
    const auto stored = stored_at_.find(access.address);
    traffic_.false_sharing += stored == stored_at_.end() || stored->second < lost->second;
    lost_at_.erase(lost);
  }

  void Invalidate(Line& line, std::uint64_t others) {
    traffic_.invalidations += std::popcount(others);
    line.holders &= ~others;
    for (; others != 0; others &= others - 1) lost_at_[Copy(line, std::countr_zero(others))] = now_;
  }

  static std::uint64_t Copy(const Line& line, int processor) {
    return line.number * 64 + static_cast<std::uint64_t>(processor);
  }

  std::uint64_t line_bytes_;
  std::int64_t now_ = 0;
  MesiTraffic traffic_{};
  std::unordered_map<std::uint64_t, Line> lines_;
  std::unordered_map<std::uint64_t, std::int64_t> stored_at_;  // word -> time of its last store
  std::unordered_map<std::uint64_t, std::int64_t> lost_at_;    // copy -> when it was invalidated
};

// ceil(log2(count)) for count >= 1.
std::int64_t LogUp(std::uint64_t count) { return std::bit_width(count - 1); }

std::int64_t DivideUp(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0); }

}  // namespace

std::optional<OutcomeSet> LitmusOutcomes(Model model, std::span<const Instruction> program) {
  if (!IsValid(model, program)) return std::nullopt;
  return Exploration(model, program).Outcomes();
}

std::optional<std::int32_t> FewestFences(Model model, std::span<const Instruction> program,
                                         std::int32_t outcome) {
  if (!IsValid(model, program) || program.size() > kMostToFence || !IsBelow(outcome, 256)) {
    return std::nullopt;
  }
  std::uint32_t between = 0;
  for (std::size_t i = 0; i < program.size(); ++i) {
    for (std::size_t j = i + 1; j < program.size(); ++j) {
      if (program[i].thread == program[j].thread) between |= 1U << i;
    }
  }
  std::optional<std::int32_t> fewest;
  for (std::uint32_t places = 0; places < 1U << program.size(); ++places) {
    const std::int32_t fences = std::popcount(places);
    if ((places & ~between) != 0 || (fewest && fences >= *fewest)) continue;
    const std::vector<Instruction> fenced = Fenced(program, places);
    if (!Contains(Exploration(model, fenced).Outcomes(), outcome)) fewest = fences;
  }
  return fewest;
}

std::optional<BufferReport> RunStoreBuffer(std::span<const MemoryOperation> program,
                                           std::int32_t entries, std::int64_t drain_cycles) {
  if (entries < 1 || entries > 1 << 20 || drain_cycles < 1 || drain_cycles > 1 << 20) {
    return std::nullopt;
  }
  std::deque<std::int64_t> leaves;  // of the stores in the buffer, oldest first
  std::unordered_map<std::uint64_t, std::int64_t> last;  // address -> when its last store leaves
  std::int64_t last_leave = 0;
  BufferReport report{};
  for (const MemoryOperation& each : program) {
    if (!IsKind(each.kind)) return std::nullopt;
    std::int64_t begin = report.cycles;
    while (!leaves.empty() && leaves.front() <= begin) leaves.pop_front();
    if (each.kind == Kind::kStore && leaves.size() == static_cast<std::size_t>(entries)) {
      begin = leaves.front();
      leaves.pop_front();
    } else if (each.kind == Kind::kFence) {
      begin = std::max(begin, last_leave);
    } else if (each.kind == Kind::kLoad) {
      const auto found = last.find(each.address);
      if (found != last.end() && found->second > begin) ++report.forwarded;
    }
    report.waited += begin - report.cycles;
    report.cycles = begin + 1;
    if (each.kind == Kind::kStore) {
      last_leave = std::max(last_leave, report.cycles) + drain_cycles;
      leaves.push_back(last_leave);
      last[each.address] = last_leave;
    }
  }
  return report;
}

std::optional<MesiTraffic> CountMesi(std::span<const CoherentAccess> accesses,
                                     std::int32_t processors, std::int32_t line_bytes) {
  if (processors < 1 || processors > 64 || line_bytes < 4 || line_bytes > 4096 ||
      !std::has_single_bit(static_cast<std::uint32_t>(line_bytes))) {
    return std::nullopt;
  }
  Bus bus(static_cast<std::uint64_t>(line_bytes));
  for (const CoherentAccess& each : accesses) {
    if (!IsBelow(each.processor, processors) || !IsLoadOrStore(each.kind) ||
        each.address % 4 != 0) {
      return std::nullopt;
    }
    bus.Access(each);
  }
  return bus.traffic();
}

std::optional<PramRating> RatePram(std::span<const PramAccess> accesses) {
  std::vector<PramAccess> sorted(accesses.begin(), accesses.end());
  for (const PramAccess& each : sorted) {
    if (!IsBelow(each.step, (std::int64_t{1} << 40) + 1) || each.processor < 0 ||
        !IsLoadOrStore(each.kind)) {
      return std::nullopt;
    }
  }
  const auto by_processor = [](const PramAccess& each) {
    return std::tuple(each.step, each.kind, each.processor);
  };
  std::sort(sorted.begin(), sorted.end(), [&](const PramAccess& a, const PramAccess& b) {
    return by_processor(a) < by_processor(b);
  });
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (by_processor(sorted[i - 1]) == by_processor(sorted[i])) return std::nullopt;
  }
  const auto by_cell = [](const PramAccess& each) {
    return std::tuple(each.step, each.kind, each.cell);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](const PramAccess& a, const PramAccess& b) { return by_cell(a) < by_cell(b); });
  PramRating rating{};
  if (sorted.empty()) return rating;
  rating.steps = sorted.back().step + 1;
  rating.erew_time = rating.steps;
  std::uint64_t most = 1;  // of one kind in one step
  for (std::size_t first = 0, next = 0; first < sorted.size(); first = next) {
    bool is_common = true;
    for (next = first; next < sorted.size() && by_cell(sorted[next]) == by_cell(sorted[first]);
         ++next) {
      is_common = is_common && sorted[next].value == sorted[first].value;
    }
    const std::uint64_t count = next - first;
    most = std::max(most, count);
    if (count > 1) {
      const Pram needed = sorted[first].kind == Kind::kLoad ? Pram::kCrew
                          : is_common                       ? Pram::kCommonCrcw
                                                            : Pram::kArbitraryCrcw;
      rating.weakest = std::max(rating.weakest, needed);
    }
    if (next == sorted.size() || sorted[next].step != sorted[first].step ||
        sorted[next].kind != sorted[first].kind) {
      rating.erew_time += LogUp(most);
      most = 1;
    }
  }
  return rating;
}

std::optional<Hiding> HideLatency(MemorySystem memory, std::int32_t bytes_per_load,
                                  std::int32_t loads_per_warp) {
  if (memory.cycles < 1 || memory.bytes_per_cycle < 1 || memory.multiprocessors < 1 ||
      memory.max_warps < 1 || bytes_per_load < 1 || loads_per_warp < 1) {
    return std::nullopt;
  }
  const std::int64_t bytes = memory.cycles * memory.bytes_per_cycle;
  // Rounding up in several divisions gives what one division by the product would.
  const std::int64_t loads =
      DivideUp(DivideUp(bytes, memory.multiprocessors), std::int64_t{32} * bytes_per_load);
  return Hiding{bytes, DivideUp(loads, loads_per_warp), DivideUp(loads, memory.max_warps)};
}

std::optional<double> MulticoreSpeedup(Chip chip, double parallel_fraction, std::int64_t units,
                                       std::int64_t core_units) {
  if (!(parallel_fraction >= 0 && parallel_fraction <= 1) || units < 1 || units > kMostUnits ||
      core_units < 1 || core_units > units) {
    return std::nullopt;
  }
  const auto count = [](std::int64_t value) { return static_cast<double>(value); };
  const double large = std::sqrt(count(core_units));
  double together = 0;
  switch (chip) {
    case Chip::kSymmetric:
      together = count(units / core_units) * large;
      break;
    case Chip::kAsymmetric:
      together = large + count(units - core_units);
      break;
    case Chip::kDynamic:
      together = count(units);
      break;
    default:
      return std::nullopt;
  }
  return 1 / ((1 - parallel_fraction) / large + parallel_fraction / together);
}

std::optional<CoreSize> BestCoreSize(Chip chip, double parallel_fraction, std::int64_t units) {
  std::optional<CoreSize> best;
  for (std::int64_t size = 1; size <= std::min(units, kMostUnits + 1); ++size) {
    const std::optional<double> speedup = MulticoreSpeedup(chip, parallel_fraction, units, size);
    if (!speedup) return std::nullopt;
    if (!best || *speedup > best->speedup) best = CoreSize{size, *speedup};
  }
  return best;
}
