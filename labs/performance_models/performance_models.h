#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

// Twelve functions that compute the cost of a program from its description. Each returns no value,
// std::nullopt, for a question without a meaning; what that is, its comment says. All other
// questions have an answer, however large their numbers: counts are at most 2^62, and what you
// compute on the way to them must not overflow. Where a product may exceed 32 bits, use 64.
//
// Thread safety: several callers may call any of them at the same time.

// ---- Part 1: speedup ----

/// The speedup of a program by Amdahl's law: its problem stays the same on every machine.
///
/// @param serial_fraction  The share of the time on one processor that only one processor can
///                         spend, 0 to 1.
/// @param processors       How many there are, at least 1.
/// @return  Time on one processor / time on all of them, to a relative error of 1e-9 for up to 2^20
///          processors. No value if the fraction is outside [0, 1] or NaN, or processors < 1.
std::optional<double> AmdahlSpeedup(double serial_fraction, std::int64_t processors);

/// The scaled speedup of a program by Gustafson's law: its problem grows with the machine, so that
/// the time stays the same.
///
/// @param serial_fraction  The share of the time on *all* processors in which only one of them
///                         works, 0 to 1.
/// @param processors       How many there are, at least 1.
/// @return  Time that one processor would take for the problem / time on all of them, to a relative
///          error of 1e-9 for up to 2^20 processors. No value where AmdahlSpeedup has none.
std::optional<double> GustafsonSpeedup(double serial_fraction, std::int64_t processors);

// ---- Part 2: work and span ----

/// Task `after` may not begin before task `before` has ended.
struct Dependence {
  std::int32_t before;
  std::int32_t after;
};

struct WorkAndSpan {
  std::int64_t work;  ///< the time of one processor
  std::int64_t span;  ///< the time of any number of processors
};

/// The work and the span of a set of tasks.
///
/// @param costs        The time of each task, n >= 0 numbers. Times may be 0.
/// @param dependences  m >= 0 of them, in any order; the same one may appear more than once. They
///                     name tasks by their index in `costs`.
/// @return  {0, 0} for n = 0. No value if a time is negative, an index is not one of a task, or the
///          dependences form a cycle, so that some task can never begin.
/// @par Complexity  O(n + m) time and memory, also for a chain of n tasks. n and m may be 10^6.
std::optional<WorkAndSpan> MeasureTasks(std::span<const std::int64_t> costs,
                                        std::span<const Dependence> dependences);

struct TimeBounds {
  std::int64_t least;
  std::int64_t most;
};

/// Between which times p processors finish tasks of that work and span, if each task takes time 1
/// and no processor is idle while a task is ready (a greedy schedule).
///
/// @param tasks       0 <= span <= work <= 2^62, and span >= 1 if work >= 1.
/// @param processors  At least 1, up to 2^63 - 1.
/// @return  least  the smallest time that the work law and the span law allow;
///          most   the largest time that Brent's theorem allows.
///          Both are whole numbers, as every such schedule takes a whole number of steps: the
///          bounds are as close as that permits. No value if an argument is not as above.
std::optional<TimeBounds> BoundTime(WorkAndSpan tasks, std::int64_t processors);

// ---- Part 3: occupancy ----

/// The threads of a warp.
inline constexpr int kWarpLanes = 32;

/// What a streaming multiprocessor has. All numbers are at least 1, except that `shared_reserved`
/// may be 0; `max_threads` is a multiple of kWarpLanes, `registers` one of `schedulers`.
struct Multiprocessor {
  std::int32_t max_threads;               ///< that are resident at a time
  std::int32_t max_blocks;                ///< that are resident at a time
  std::int32_t max_threads_per_block;     ///< a launch with more fails
  std::int32_t schedulers;                ///< each has an equal share of the registers
  std::int32_t registers;                 ///< of all schedulers together
  std::int32_t register_unit;             ///< a warp gets a multiple of this many
  std::int32_t max_registers_per_thread;  ///< a kernel with more does not exist
  std::int32_t shared_bytes;              ///< of shared memory
  std::int32_t shared_unit;               ///< a block gets a multiple of this many bytes
  std::int32_t shared_reserved;           ///< bytes that the system adds to what a block asks for
};

/// Compute capability 9.0 (Hopper) and 7.5 (Turing).
inline constexpr Multiprocessor kH100{2048, 32, 1024, 4, 65536, 256, 255, 233472, 128, 1024};
inline constexpr Multiprocessor kT4{1024, 16, 1024, 4, 65536, 256, 255, 65536, 256, 0};

struct Launch {
  std::int32_t threads_per_block;       ///< at least 1
  std::int32_t registers_per_thread;    ///< at least 0
  std::int32_t shared_bytes_per_block;  ///< at least 0
};

/// What keeps one more block out.
enum class Limit : std::int32_t { kThreads, kBlocks, kRegisters, kSharedMemory };

struct Occupancy {
  std::int32_t blocks;  ///< that are resident on one multiprocessor at a time
  std::int32_t warps;   ///< of these blocks
  Limit limit;
};

/// How many blocks of a launch one multiprocessor holds at a time, and why not more:
///   * threads: max_threads / kWarpLanes warps. A block has whole warps.
///   * blocks: max_blocks.
///   * registers: a warp gets kWarpLanes * registers_per_thread of them, rounded up to a multiple
///   of
///     register_unit, all from one scheduler. A scheduler holds as many warps as fit into its share
///     of the registers; all schedulers together hold the warps of as many whole blocks as they
///     can. Without registers (0) there is no such limit.
///   * shared memory: a block gets shared_bytes_per_block + shared_reserved bytes, rounded up to a
///     multiple of shared_unit. If that is 0, there is no such limit.
///
/// @return  The largest number of blocks that all four allow. `limit` is the one that allows the
///          fewest; of several, the first in the order above. 0 blocks, a launch that fails, is an
///          answer: also for more than max_threads_per_block threads (limit: threads) or more than
///          max_registers_per_thread registers (limit: registers).
///          No value if a number of the launch is less than it may be.
std::optional<Occupancy> FitBlocks(Multiprocessor machine, Launch launch);

// ---- Part 4: the addresses of a warp ----

/// The addresses that the threads of a warp access with one instruction.
struct WarpAccess {
  std::array<std::uint64_t, kWarpLanes> address;  ///< of each lane's first byte; any if not active
  std::uint32_t active;                           ///< bit i (1 << i) is set: lane i takes part
  std::uint32_t bytes;                            ///< that each lane accesses: 1, 2, 4, 8 or 16
};

/// How many sectors of global memory the access moves. A sector is 32 bytes that begin at a
/// multiple of 32; it is moved once, however many lanes want something in it.
///
/// @return  0 if no lane is active. No value if `bytes` is none of the five, or the address of an
///          active lane is not a multiple of it.
std::optional<std::int32_t> CountSectors(WarpAccess access);

struct BankCost {
  std::int32_t wavefronts;  ///< passes through shared memory
  std::int32_t conflicts;   ///< how many of them are more than needed without conflicts
};

/// What a *store* to shared memory costs. Shared memory has 32 banks; words of 4 bytes lie in them
/// in turn, that of address a in bank a / 4 % 32. In one wavefront each bank serves one word.
///   * Up to 4 bytes: all 32 lanes are one group. 8 bytes: lanes 0 to 15 are one group, 16 to 31
///   the
///     next. 16 bytes: four groups of eight lanes. Lanes count that way whether active or not.
///   * The groups are served one after the other. One with an active lane takes as many wavefronts
///   as
///     there are *different* words in the bank where there are most; one without takes none.
///   * Without conflicts each group with an active lane takes one wavefront.
///
/// @return  {0, 0} if no lane is active. No value where CountSectors has none.
std::optional<BankCost> CountWavefronts(WarpAccess access);

// ---- Part 5: the roofline ----

/// What a kernel does to one element, or in all: only the ratios matter. Each count is at least 0,
/// at most 2^40; element_bytes is at least 1.
struct KernelCounts {
  std::int64_t operations;     ///< floating-point operations
  std::int64_t loads;          ///< numbers read from memory
  std::int64_t stores;         ///< numbers written to memory
  std::int32_t element_bytes;  ///< size of a number
};

/// Both greater than 0 and finite.
struct Machine {
  double gflops;                ///< 10^9 operations per second that its cores can do at most
  double gigabytes_per_second;  ///< 10^9 bytes per second that its memory can move at most
};

struct Rating {
  double intensity;      ///< arithmetic intensity: operations per byte
  double gflops;         ///< the roof: 10^9 operations per second that the kernel can reach
  bool is_memory_bound;  ///< the roof is below the machine's gflops
};

/// The roofline model of a kernel on a machine.
///
/// @return  Both numbers to a relative error of 1e-12. The intensity of a kernel that accesses no
///          memory is infinite. No value if a number is not as above, or if the kernel neither
///          computes nor accesses memory.
std::optional<Rating> RateKernel(KernelCounts kernel, Machine machine);

// ---- Part 6: sparse formats ----

struct FormatBytes {
  std::int64_t csr;
  std::int64_t ell;
  bool ell_is_smaller;  ///< false for a tie
};

/// The size of a sparse matrix in two formats:
///   * CSR: for each entry its column (an index) and its value; for each row the index of its first
///     entry, and one more index for the end.
///   * ELL: all rows have as many slots as the longest has entries; for each slot an index and a
///     value, used or not.
///
/// @param row_lengths               The number of entries of each row, n >= 0 rows.
/// @param index_bytes, value_bytes  The size of an index and of a value, at least 1.
/// @return  No value if a length is negative or a size less than 1.
/// @par Complexity  O(n).
std::optional<FormatBytes> CompareFormats(std::span<const std::int32_t> row_lengths,
                                          std::int32_t index_bytes, std::int32_t value_bytes);

struct HybridLayout {
  std::int32_t width;
  std::int64_t bytes;  ///< of both parts
};

/// The best hybrid of ELL and COO: each row's first `width` entries are in an ELL part with that
/// many slots a row, the others in a COO part, with two indices (row and column) and a value for
/// each entry.
///
/// @return  The width for which both parts together are smallest; of several the smallest width. No
///          value where CompareFormats has none.
/// @par Complexity  O(n log n), whatever the lengths are: a single row may have 2^31 - 1 entries.
std::optional<HybridLayout> ChooseHybridWidth(std::span<const std::int32_t> row_lengths,
                                              std::int32_t index_bytes, std::int32_t value_bytes);

// ---- Part 7: halo and tile ----

/// Which neighbours a cell needs within a radius: those along the axes, or the whole square or
/// cube.
enum class Stencil : std::int32_t { kStar, kBox };

struct HaloCells {
  std::int64_t tile;
  std::int64_t halo;  ///< cells outside the tile that some cell of the tile needs
};

/// The cells of a tile and of its halo.
///
/// @param extents  The tile's size in each of 1, 2 or 3 dimensions, in cells, each at least 1.
/// @param radius   At least 0.
/// @return  No value for another number of dimensions, an extent below 1 or a radius below 0.
std::optional<HaloCells> CountHalo(std::span<const std::int64_t> extents, std::int64_t radius,
                                   Stencil stencil);

/// The largest tile with all edges equal that fits into shared memory with its halo, corners
/// included.
///
/// @param shared_bytes   What a block may use, 0 to 2^62.
/// @param element_bytes  The size of a cell, at least 1.
/// @param dimensions     1, 2 or 3.
/// @param radius         0 to 2^20.
/// @return  The tile's edge in cells, without the halo; 0 if not even one cell fits. No value if an
///          argument is not as above.
/// @par Complexity  At most some hundred steps, also for one dimension.
std::optional<std::int64_t> LargestTile(std::int64_t shared_bytes, std::int32_t element_bytes,
                                        std::int32_t dimensions, std::int64_t radius);
