#pragma once

#include <functional>

#include "common/lab/testing/inputs.h"

namespace lab {

// A lower bound on the work of one call for any implementation: reading each input and writing each
// output once, and the additions, multiplications and comparisons. Compared with what a GPU can do.
struct Work {
  double bytes = 0;
  double operations = 0;
};

// A timing test is an ordinary test in a suite of its own:
//
//   TEST(SumTiming, AddsFourMillionNumbers) {
//     lab::RunTimedPairs([](lab::Random& random) {
//       auto values = std::make_shared<std::vector<float>>(random.Floats(1 << 22, 0, 1));
//       return [values] { EXPECT_NEAR(sum(*values), Expected(*values), 0.1); };
//     });
//   }
//
// `make_case` draws fresh input, works out what is expected, and returns the body, which calls ONE
// function ONCE and EXPECTs every output. The body owns what it needs, and makes
// outputs anew: it runs several times, and what one call wrote must not be there for the next.
//
// In process one case runs, as a test. In the grader's timing mode the body runs for the student's
// and for the reference's code in turn, and then on fresh input, until the ratio is known; the
// clock covers only the call. Stops at the first failure. Defined by the same library as Invoke.
// Large inputs are best drawn by Random::AnyBits() or SmallNumbers(). A CUDA lab says what `work`
// its call is, and takes its size from lab::TimedSize() in sizes.h.
void RunTimedPairs(const Work& work,
                   const std::function<std::function<void()>(Random&)>& make_case);
inline void RunTimedPairs(const std::function<std::function<void()>(Random&)>& make_case) {
  RunTimedPairs({}, make_case);
}

}  // namespace lab
