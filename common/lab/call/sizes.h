#pragma once

// The sizes a test should try.

#include <cstddef>
#include <vector>

namespace lab {

// The sizes at which code that works in groups of `width` elements (a block, a warp, a thread's
// share) goes wrong: 0, 1, 2, 3, one less than, exactly, and one more than one and two groups, and
// several groups with a ragged end. Ascending, each once. Throws std::invalid_argument for width 0.
std::vector<std::size_t> EdgeSizes(std::size_t width);

// `n`, or less where every memory access is slow (a race checker): n divided by the run's divisor
// and rounded up, so it is 0 only for 0. In process the divisor is 16 under ThreadSanitizer and,
// for a CUDA lab, in the simulator's check mode; on a GPU it is LAB_CHECKED, and otherwise 1. The
// grader's race checkers begin with 16 and repeat a test that calls this with less, in the same
// process: do not keep sizes from one test to the next. Use it for large sizes, not for edge sizes.
std::size_t Scaled(std::size_t n);

// Whether Scaled() makes sizes smaller: what only values can show was tested before.
bool IsScaled();

// The size of a timed call: Scaled(n), or `on_gpu` where a GPU is timed. A GPU needs a larger input
// to run for at least 0.05 ms, which the host's clock can measure; the host makes and checks that
// input in tenths of a second.
std::size_t TimedSize(std::size_t n, std::size_t on_gpu);

}  // namespace lab
