#pragma once

#include <cstdint>
#include <span>

#include "common/cuda/device_span.h"
#include "common/cuda/host_spans.h"

// Every function here does the same to each of n numbers of 32 bits, 0 <= n < 2^31: it mixes its
// bits, `rounds` times,
//
//   x ^= x << 13;    x ^= x >> 17;    x ^= x << 5;
//
// (Marsaglia, Xorshift RNGs, Journal of Statistical Software 8(14), 2003). Mixed(x, rounds) is the
// result; Mixed(x, 0) is x. Kernels must do this work; what differs is where the numbers are, and
// in which streams they go to the device and back.
//
// Chunks: the numbers are handled in chunks of `chunk` numbers each, chunk >= 1: number i is in
// chunk i / chunk. The last chunk is smaller where chunk does not divide n, and there is only one
// where chunk >= n. For n = 0 there is no chunk: nothing is launched, and nothing fails.
//
// Where memory is: a PinnedSpan lies in pinned host memory, from which a copy can run beside the
// host and other work; a ManagedSpan in managed memory, which host and device both use; a
// DeviceSpan in device memory; a std::span in ordinary, pageable host memory. The data may be
// larger than the memory of the device: allocate there, and in pinned memory, two chunks for each
// stream at most. What the output held before is overwritten. Spans of a call do not overlap;
// memory outside a span (beyond its end) must not be accessed.
//
// Over when it returns: when a function returns, or throws, the host has waited for all work that
// it submitted, and nothing uses its arguments any more. What it made, streams, events and memory,
// is destroyed then. Calls may run at the same time, from several threads; none depends on what
// another one left behind. None may use the default stream, which waits for others' work.
//
// `stream`: of functions whose arguments are on the device. The arguments are ready at the call;
// nothing in `stream` needs to be waited for, and the function need not use it.
//
// Errors: lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
// fails, a launch included.

inline constexpr int kMaxStreams = 8;

/// out[i] = Mixed(in[i], rounds), with the chunks in two streams by turns: while a kernel works on
/// one chunk, the next one is copied.
///
/// @param in   n numbers.
/// @param out  n numbers.
/// @param rounds  >= 0.
/// @param chunk   >= 1 numbers.
/// @par Complexity  4 n bytes are copied to the device; the time of the copies or that of the
///                  kernels, whichever is longer, and one chunk more.
/// @par Source      NVIDIA, CUDA C++ Best Practices Guide, section 10.1.2.
void MixInTwoStreams(PinnedSpan<const std::uint32_t> in, DeviceSpan<std::uint32_t> out, int rounds,
                     int chunk, cudaStream_t stream);

/// The same, chained: each chunk has a key, which all its numbers take up before they are mixed,
/// and the key of a chunk is the last result of the chunk before.
///
///   key(0) = key,    key(c + 1) = out[(c + 1) * chunk - 1],
///   out[i] = Mixed(in[i] ^ key(i / chunk), rounds).
///
/// So a kernel must wait for the kernel of the chunk before, which may be in another stream. Copies
/// need not wait for it, and the host waits for nothing until the end.
///
/// @param in, out, rounds, chunk  as above.
/// @param key  of the first chunk.
/// @par Complexity  as above.
/// @par Source      NVIDIA, CUDA C++ Programming Guide, on streams and events.
void MixChained(PinnedSpan<const std::uint32_t> in, DeviceSpan<std::uint32_t> out,
                std::uint32_t key, int rounds, int chunk, cudaStream_t stream);

/// out[i] = Mixed(in[i], rounds), from the host and back: a pipeline that copies one chunk in,
/// works on the one before, and copies the one before that out, all at the same time.
///
/// @param in, out, rounds, chunk  as above.
/// @param streams  1 <= streams <= kMaxStreams: how many streams there are. Chunk c is in stream
///                 c % streams. With one stream nothing overlaps.
/// @par Complexity  with three streams or more, the longest of the copies in, the kernels and the
///                  copies out, and two chunks more.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  section 20.5.
void MixInPipeline(PinnedSpan<const std::uint32_t> in, PinnedSpan<std::uint32_t> out, int rounds,
                   int chunk, int streams);

/// data[i] = Mixed(data[i], rounds), in managed memory, with prefetches: a chunk is moved to the
/// device before its kernel, and back to the host before the host reads it.
///
/// @param data    n numbers, whose pages are on the host at the call.
/// @param rounds  >= 0.
/// @param chunk   >= 1 numbers.
/// @return  the exclusive-or of all results, computed by the host; 0 for n = 0.
/// @par Complexity  one prefetch of each chunk in each direction; no page faults, but where two
///                  chunks share a page.
/// @par Source      NVIDIA, CUDA C++ Programming Guide, on unified memory.
std::uint32_t MixManaged(ManagedSpan<std::uint32_t> data, int rounds, int chunk,
                         cudaStream_t stream);

/// out[i] = Mixed(in[i], rounds), of numbers in pageable memory: host functions in the streams hand
/// them over. A host function copies the next chunk to a pinned buffer, as soon as the chunk that
/// was in it has been copied to the device; the host submits everything at once, and waits only at
/// the end.
///
/// @param in, out, rounds, chunk  as above; `in` is in pageable memory.
/// @par Complexity  the time of the host's copies, and three chunks more.
/// @par Source      NVIDIA, CUDA C++ Programming Guide, on host functions (callbacks).
void MixHandedOver(std::span<const std::uint32_t> in, PinnedSpan<std::uint32_t> out, int rounds,
                   int chunk);
