#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cuda/device_span.h"

// Sizes are numbers of elements. All spans lie in device memory, aligned as cudaMalloc does it: to
// 256 bytes. Work is launched on the given stream; a call may return before it is done, so the
// caller waits for the stream. Several calls may be under way at the same time, on
// streams and with workspaces of their own, from several threads.
//
// All sums are taken modulo 2^32, as unsigned arithmetic does it. So the order of the additions
// does not matter, and there is one right answer.

/// How many values one block scans at most in InclusiveScanTile.
inline constexpr std::size_t kTile = 1024;

/// How many values one block scans at most in ExclusiveScanTile.
inline constexpr std::size_t kWideTile = 2048;

/// How many words of 64 bits the workspace of a scan of n values has: eight of them for every 1,024
/// values, and 1,024 more.
constexpr std::size_t WorkspaceSize(std::size_t n) { return n / 128 + 1024; }

/// The inclusive scan of up to kTile values with one block: every sum from the first value up to
/// and with each value, by doubling the distance in every step (Kogge-Stone).
///
/// @param values  n numbers, 0 <= n <= kTile, read only. n need not be a power of two.
/// @param sums    n numbers, not overlapping with `values`. Afterwards sums[i] is
///                values[0] + ... + values[i]. What they held before is overwritten.
/// @param stream  Where the kernel is launched.
/// @throws lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
///         fails, a launch included. What the function allocated is freed then, too.
/// @par Complexity  log2 n steps with up to n additions each; one launch of one block.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  section 11.2; Kogge, Stone, IEEE Transactions on Computers C-22(8), 1973.
void InclusiveScanTile(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                       cudaStream_t stream);

/// The exclusive scan of up to kWideTile counts with one block, work-efficient: a tree of sums
/// upwards, and a walk down the same tree (Blelloch; Brent-Kung is its inclusive counterpart). If
/// counts[i] is the size of group i, starts[i] is the index where it begins when all groups lie one
/// after the other.
///
/// @param counts  n numbers, 0 <= n <= kWideTile, read only. n need not be a power of two.
/// @param starts  n numbers, not overlapping with `counts`. Afterwards starts[0] is 0, and every
///                other starts[i] is counts[0] + ... + counts[i - 1]. The sum of all is written
///                nowhere. What they held before is overwritten.
/// @param stream  Where the kernel is launched.
/// @throws as InclusiveScanTile.
/// @par Complexity  At most 2n additions in 2 log2 n steps; one launch of one block.
/// @par Source      As above, section 11.4; Blelloch, "Prefix sums and their applications", 1990;
///                  Harris, Sengupta, Owens, GPU Gems 3, chapter 39.
void ExclusiveScanTile(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                       cudaStream_t stream);

/// The exclusive scan of any number of counts in three phases: blocks scan tiles, the tiles' sums
/// are scanned, and each tile gets the sum of all before it.
///
/// @param counts     n numbers, 0 <= n < 2^36, read only. Where n is that large, indices need 64
///                   bits.
/// @param starts     As for ExclusiveScanTile.
/// @param workspace  WorkspaceSize(n) words for whatever the scan needs, not overlapping with the
///                   others. They hold anything before, and may hold anything afterwards.
/// @param stream     Where the kernels are launched.
/// @throws as InclusiveScanTile.
/// @par Complexity  At most a few additions for each count; each is read twice and written twice at
///                  most, or read twice and written once.
/// @par Source      Hwu, Kirk, El Hajj, as above, section 11.6.
void ExclusiveScan(DeviceSpan<const std::uint32_t> counts, DeviceSpan<std::uint32_t> starts,
                   DeviceSpan<std::uint64_t> workspace, cudaStream_t stream);

/// The inclusive scan of many series at once, which lie one after the other: each flag that is not
/// 0 says that its value is the first one of a segment, and sums begin anew there.
///
/// @param values     n numbers, 0 <= n < 2^36, read only.
/// @param flags      n flags, read only. Any number but 0 is a flag that is set. The first value
///                   begins a segment, whether its flag is set or not. Segments may have any
///                   length, from one value to all n.
/// @param sums       n numbers, not overlapping with the others. Afterwards sums[i] is
///                   values[f] + ... + values[i], where f is the first place of i's segment: the
///                   last one up to i whose flag is set, or 0. What they held before is
///                   overwritten.
/// @param workspace, stream  As for ExclusiveScan.
/// @throws as InclusiveScanTile.
/// @par Complexity  As for ExclusiveScan, however long the segments are.
/// @par Source      Blelloch, as above, section 1.5; Sengupta, Harris, Zhang, Owens, "Scan
///                  primitives for GPU computing", Graphics Hardware 2007.
void SegmentedScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<const std::uint8_t> flags,
                   DeviceSpan<std::uint32_t> sums, DeviceSpan<std::uint64_t> workspace,
                   cudaStream_t stream);

/// The inclusive scan of any number of values in a single pass: a block looks back at what the
/// blocks before it have published, instead of waiting for all of them.
///
/// @param values     n numbers, 0 <= n < 2^36, read only.
/// @param sums       As for InclusiveScanTile.
/// @param workspace, stream  As for ExclusiveScan. In particular the workspace is not cleared.
/// @throws as InclusiveScanTile.
/// @par Complexity  Each value is read once and each sum written once.
/// @par Progress    The order in which blocks begin is not specified. So a block may wait only
///                  for blocks that have begun: it takes the number of its tile from a counter.
/// @par Source      Merrill, Garland, "Single-pass parallel prefix scan with decoupled look-back",
///                  NVIDIA, 2016; Hwu, Kirk, El Hajj, as above, section 11.7.
void InclusiveScan(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> sums,
                   DeviceSpan<std::uint64_t> workspace, cudaStream_t stream);
