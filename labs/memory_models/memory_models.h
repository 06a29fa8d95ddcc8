#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

// Eight functions that compute what memory may do to a parallel program, and what it costs. Each
// returns no value, std::nullopt, for a question without a meaning; what that is, its comment says.
//
// Thread safety: several callers may call any of them at the same time.

// ---- Part 1: litmus tests ----

/// Which instructions of a thread take effect in the program's order. Two instructions on the
/// *same* variable always do, in every model, but for a store and a later load of it, which may
/// take effect in either order (see below) in all models but the first. For *different* variables:
enum class Model : std::int32_t {
  kSequential,         ///< SC: all do
  kTotalStoreOrder,    ///< TSO, as x86: all but a store and a later load
  kPartialStoreOrder,  ///< PSO: all but a store and a later load or a later store
  kRelaxed,            ///< none do
};

enum class Kind : std::int32_t { kStore, kLoad, kFence };

/// One instruction of a litmus test.
struct Instruction {
  std::int32_t thread;  ///< 0 to 3
  Kind kind;            ///< kFence: what stands before it takes effect before what stands after it
  std::int32_t variable;  ///< 0 to 3; anything for a fence
  std::int32_t value;     ///< of a store, 1 to 3; of a load the register that it fills, 0 to 3;
                          ///< anything for a fence
};

inline constexpr std::size_t kMostInstructions = 12;

/// A set of outcomes. An outcome is what the four registers hold in the end, as one number
/// r0 + 4 r1 + 16 r2 + 64 r3; a register that no load fills holds 0. Bit o % 64 of words[o / 64] is
/// set if outcome o is in the set.
struct OutcomeSet {
  std::array<std::uint64_t, 4> words;
};

/// All outcomes that a model allows. Variables hold 0 at first. The instructions of all threads
/// take effect one after the other, in any order that the model allows; a store then changes its
/// variable for all threads at once. A load gets the value of the last store to the variable that
/// stands before it *in its own thread*, if that has not taken effect yet (store forwarding), else
/// what the variable holds.
///
/// @param program  Up to kMostInstructions of them; those of one thread are in its program's order.
/// @return  No value if there are more instructions, a model, kind, thread, variable or value is
///          none of the above, or two loads fill the same register.
/// @par Complexity  Far fewer steps than there are orders: twelve instructions have 12! of them.
std::optional<OutcomeSet> LitmusOutcomes(Model model, std::span<const Instruction> program);

/// The fewest fences that forbid an outcome, each put between two instructions that follow each
/// other in one thread.
///
/// @param program  Up to 8 instructions.
/// @param outcome  0 to 255.
/// @return  0 if the model does not allow the outcome. No value where LitmusOutcomes has none, for
///          more than 8 instructions or another outcome, and if no number of fences forbids it.
std::optional<std::int32_t> FewestFences(Model model, std::span<const Instruction> program,
                                         std::int32_t outcome);

// ---- Part 2: a store buffer ----

struct MemoryOperation {
  Kind kind;
  std::uint64_t address;  ///< anything for a fence
};

struct BufferReport {
  std::int64_t cycles;     ///< until the last instruction has ended
  std::int64_t waited;     ///< how many of them the processor waited
  std::int64_t forwarded;  ///< loads that got their value from the buffer
};

/// The time of a program on a processor that puts its stores into a buffer.
///   * The instructions are executed in order. Each takes one cycle once it can begin, and the next
///     begins at the end of that cycle at the earliest. The first begins at time 0.
///   * A store can begin when the buffer has a free place. It is in the buffer from the end of its
///     cycle on. A fence can begin when the buffer is empty. A load can always begin.
///   * Memory takes the stores in order, one at a time, each in `drain_cycles`. It begins with a
///     store as soon as that is in the buffer and the one before has left, and the store leaves,
///     and frees its place, at the end of that time.
///   * A load is forwarded if a store to its address is in the buffer at the time at which it
///   begins.
///
/// @param entries       Places of the buffer, 1 to 2^20.
/// @param drain_cycles  1 to 2^20.
/// @return  No value if a kind or a number is not as above.
/// @par Complexity  O(n) or O(n log n) for n instructions, whatever `entries` is. n may be 10^6.
std::optional<BufferReport> RunStoreBuffer(std::span<const MemoryOperation> program,
                                           std::int32_t entries, std::int64_t drain_cycles);

// ---- Part 3: coherence ----

/// An access to a word of 4 bytes.
struct CoherentAccess {
  std::int32_t processor;
  Kind kind;              ///< kStore or kLoad
  std::uint64_t address;  ///< a multiple of 4
};

struct MesiTraffic {
  std::int64_t reads;            ///< BusRd: a load misses
  std::int64_t exclusive_reads;  ///< BusRdX: a store misses
  std::int64_t upgrades;         ///< BusUpgr: a store hits a shared line
  std::int64_t invalidations;    ///< copies of others that stores made invalid
  std::int64_t write_backs;      ///< modified lines written to memory, as another wants them
  std::int64_t false_sharing;    ///< misses by false sharing
};

/// What the MESI protocol does for a sequence of accesses, in that order. Each processor has a
/// cache that never has to evict, all are empty at first. A line is modified (M), exclusive (E) or
/// shared (S) in a cache, or not in it (I):
///   * A load hits a line in M, E or S. If it misses, the line is read; where it is M it is written
///     back. All copies are S from then on, or the only one is E.
///   * A store to a line in M or E hits, and makes it M without traffic. A store to a line in S is
///   an
///     upgrade, and one that misses an exclusive read, for which a line in M is written back. Both
///     make all other copies invalid, and the own one M.
///   * A miss is one *by false sharing* if the processor lost the line because another stored to
///   it,
///     and no other processor has stored to *the word that it accesses now* since, that store
///     included.
///
/// @param processors  1 to 64.
/// @param line_bytes  A power of two, 4 to 4096.
/// @return  No value if a number or a kind is not as above, or an access names a processor that
///          does not exist.
/// @par Complexity  O(n) or O(n log n) for n accesses. n may be 10^6.
std::optional<MesiTraffic> CountMesi(std::span<const CoherentAccess> accesses,
                                     std::int32_t processors, std::int32_t line_bytes);

// ---- Part 4: the PRAM ----

/// An access of a processor of a PRAM in one step of its program. In a step all loads take place
/// before all stores.
struct PramAccess {
  std::int64_t step;
  std::int64_t processor;
  Kind kind;  ///< kStore or kLoad
  std::int64_t cell;
  std::int64_t value;  ///< of a store; anything for a load
};

/// From the weakest to the strongest.
enum class Pram : std::int32_t {
  kErew,           ///< exclusive read, exclusive write
  kCrew,           ///< concurrent read, exclusive write
  kCommonCrcw,     ///< concurrent write, if all write the same value
  kArbitraryCrcw,  ///< concurrent write of any values; one of them stays
};

struct PramRating {
  Pram weakest;            ///< the weakest variant on which the program may run
  std::int64_t steps;      ///< the number of the last step, plus 1
  std::int64_t erew_time;  ///< what the program takes on an EREW PRAM
};

/// Which PRAM a program needs, and its time on the weakest. An EREW PRAM takes for a step
/// 1 + ceil(log2 r) + ceil(log2 w) units of time, where r is the number of processors that load the
/// cell that most of them load in that step, w the same for stores, each at least 1: a value
/// spreads or is combined along a tree. A step without accesses takes 1.
///
/// @param accesses  In any order.
/// @return  {kErew, 0, 0} without accesses. No value if a step or a processor is negative, a step
///          more than 2^40, a kind none of the two, or if a processor loads or stores twice in a
///          step (it may do one of each).
/// @par Complexity  O(n log n) for n accesses, whatever the numbers of the steps are. n may be
/// 10^6.
std::optional<PramRating> RatePram(std::span<const PramAccess> accesses);

// ---- Part 5: hiding a latency ----

/// All numbers are at least 1. cycles * bytes_per_cycle is at most 2^62; no other product is
/// bounded.
struct MemorySystem {
  std::int64_t cycles;           ///< from a load to its value
  std::int64_t bytes_per_cycle;  ///< that memory delivers to all multiprocessors together
  std::int32_t multiprocessors;
  std::int32_t max_warps;  ///< resident on a multiprocessor
};

struct Hiding {
  std::int64_t bytes_in_flight;  ///< of all multiprocessors together
  std::int64_t warps;            ///< that a multiprocessor needs
  std::int64_t loads;            ///< that each of max_warps warps needs in flight
};

/// What keeps memory busy, by Little's law: what is in flight = time that each takes * rate. A warp
/// has 32 lanes.
///
/// @param bytes_per_load  That one lane loads at a time, at least 1.
/// @param loads_per_warp  Loads of a warp that are in flight at a time, at least 1.
/// @return  warps  the smallest number a multiprocessor with which all together have at least
///                 bytes_in_flight in flight, if each has loads_per_warp; it may exceed max_warps;
///          loads  the smallest number with which max_warps warps a multiprocessor do.
///          No value if a number is less than 1.
std::optional<Hiding> HideLatency(MemorySystem memory, std::int32_t bytes_per_load,
                                  std::int32_t loads_per_warp);

// ---- Part 6: Amdahl's law for chips of many cores ----

/// What a chip makes of its n base units. A core of r units is sqrt(r) times as fast as one of 1.
enum class Chip : std::int32_t {
  kSymmetric,   ///< as many cores of r units as fit; the rest lies idle
  kAsymmetric,  ///< one core of r units, and n - r of 1 unit each; the parallel part runs on all
  kDynamic,     ///< one core of r units for the serial part, n of 1 unit each for the parallel part
};

/// The speedup of a program over its time on one core of 1 unit, by Hill and Marty. The serial part
/// runs on one core of r units, the parallel part on all cores at once.
///
/// @param parallel_fraction  The share of the time on one core that all cores can share, 0 to 1.
/// @param units              n, 1 to 2^20.
/// @param core_units         r, 1 to n.
/// @return  To a relative error of 1e-9. No value if an argument is not as above.
std::optional<double> MulticoreSpeedup(Chip chip, double parallel_fraction, std::int64_t units,
                                       std::int64_t core_units);

struct CoreSize {
  std::int64_t core_units;
  double speedup;
};

/// The best size of a core: of 1 to n units, one with which the speedup is largest, to a relative
/// error of 1e-9; and that speedup. Any will do whose speedup is within that error of the largest.
///
/// @return  No value where MulticoreSpeedup has none for every size.
/// @par Complexity  O(n).
std::optional<CoreSize> BestCoreSize(Chip chip, double parallel_fraction, std::int64_t units);
