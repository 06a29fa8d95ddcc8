#pragma once

#include <cstddef>

#include "common/cuda/device_span.h"

// A `char` is 8 bits wide, an `unsigned` 32; sizes are numbers of elements. All spans lie in device
// memory, aligned as cudaMalloc does it: to 256 bytes. They do not overlap. Work is launched on the
// given stream; a call may return before it is done, so the caller waits for the stream.
// No call depends on what another one left behind, and several may be under way at the same time on
// streams of their own, from several threads.

/// Letters are counted in groups of four: a-d, e-h, i-l, m-p, q-t, u-x and, of two letters, y-z.
inline constexpr std::size_t kLetterBins = 7;

/// Counts the letters of a text, each by an atomic addition to its bin in global memory.
/// Neighbouring threads read neighbouring characters.
///
/// @param text    n characters, 0 <= n < 2^32, read only. They may have any value and are not
///                terminated: 0 is a character like any other. `char` may be signed; a byte of 128
///                and more is then negative.
/// @param bins    kLetterBins counts. Afterwards bins[b] says how many characters of the text are
///                one of the letters 'a' + 4 b to 'a' + 4 b + 3, and at most 'z'. Nothing else is
///                counted: no capital letters, no digits, no spaces, no bytes of 128 and more. What
///                it held before is overwritten, not added to; for n = 0 all counts are 0.
/// @param stream  Where the work is launched.
/// @throws lab::CudaError (from CUDA_CHECK), or another std::exception, when a call of the runtime
///         fails, a launch included. What the function allocated is freed then, too.
/// @par Special values  The characters on both sides of the letters, '`' and '{', and those that
///                  would fill up the last group, '{' and '|', are no letters.
/// @par Complexity  Each character is read once; at most one atomic operation for it.
/// @par Source      Hwu, Kirk, El Hajj, Programming Massively Parallel Processors, 4th edition,
///                  sections 9.1 and 9.2.
void CountLetters(DeviceSpan<const char> text, DeviceSpan<unsigned> bins, cudaStream_t stream);

/// The same, where each block counts in bins of its own in shared memory and adds these to the
/// result when it is done.
///
/// @param text, bins, stream  As for CountLetters.
/// @throws, @par Special values  As for CountLetters.
/// @par Complexity  Each character is read once; in global memory one atomic addition for each bin
///                  and block.
/// @par Source      As above, sections 9.3 and 9.4.
void CountLettersPrivate(DeviceSpan<const char> text, DeviceSpan<unsigned> bins,
                         cudaStream_t stream);

/// The same, where a thread reads many characters, and makes one addition for each run of equal
/// bins.
///
/// @param text, bins, stream  As for CountLetters.
/// @throws, @par Special values  As for CountLetters.
/// @par Complexity  Each character is read once. If all characters lie in one bin, an atomic
///                  addition or a few for each thread, however many characters it reads; in
///                  global memory one for each bin and block.
/// @par Source      As above, sections 9.5 and 9.6.
void CountLettersAggregated(DeviceSpan<const char> text, DeviceSpan<unsigned> bins,
                            cudaStream_t stream);

/// A histogram with any number of bins: counts how often each key occurs.
///
/// @param keys    n numbers, 0 <= n < 2^32, read only. They may be as large as 2^32 - 1.
/// @param bins    1 <= bins.size() <= 2^26 counts. Afterwards bins[b] says how many keys are equal
///                to b. Keys of bins.size() and more have no bin and are not counted. What it held
///                before is overwritten, not added to; for n = 0 all counts are 0.
/// @param stream  Where the work is launched.
/// @throws as CountLetters.
/// @par Complexity  Where the bins fit into the shared memory of a block, 48 KiB by default: each
///                  key is read once, and in global memory one atomic addition at most for each bin
///                  and block. Where they do not, neither the atomics nor the reads of keys are
///                  limited.
/// @par Source      As above; it leaves more bins than shared memory holds to the reader.
void CountKeys(DeviceSpan<const unsigned> keys, DeviceSpan<unsigned> bins, cudaStream_t stream);
