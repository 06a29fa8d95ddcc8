// The hidden test of the lab "Vector addition on a GPU": the part with pictures.

#include "solutions/cuda_vecadd/hidden_picture.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "common/lab/call/callers.h"
#include "common/lab/call/sizes.h"
#include "common/lab/testing/with_failing_calls.h"

namespace cuda_vecadd::picture_test {

struct ScaleAndBlurTest : testing::Test {
  static void Call(const Picture& in, Pictures& out, int percent, int radius) {
    scale_and_blur(in.pixels, out.scaled, out.blurred, in.width, in.height, percent, radius);
  }

  void Expect(const Picture& picture, int percent, int radius) {
    ExpectScaledAndBlurred(Call, picture, percent, radius);
  }

  lab::Random random;
};

// Where blocks of 8, 16, 32 and 64 threads begin and end.
std::set<int> EdgeWidths() {
  std::set<int> widths;
  for (const int width : {8, 16, 32, 64}) {
    for (const int near : {width - 1, width, width + 1}) widths.insert(near);
  }
  return widths;
}

// Small enough for paper, and neither square nor even.
TEST_F(ScaleAndBlurTest, BlursThreeByTwoPixels) {
  const Picture picture{3, 2, {10, 20, 30, 40, 50, 60}};
  Pictures out = PoisonedFor(picture);
  scale_and_blur(picture.pixels, out.scaled, out.blurred, 3, 2, 200, 1);
  ExpectSame(out, {{20, 40, 60, 80, 100, 120}, {60, 70, 80, 60, 70, 80}});
}

TEST_F(ScaleAndBlurTest, BlursRowsOfDifferentBrightness) {
  Expect(AnyPicture(40, 30, random), 100, 1);
}

TEST_F(ScaleAndBlurTest, RoundsHalvesUpwardsAndSaturatesEveryBrightness) {
  Picture all{32, 8, {}};
  for (int value = 0; value < 256; ++value) all.pixels.push_back(static_cast<std::uint8_t>(value));
  for (const int percent :
       {0,   1,   10,  30,  33,  49,  50,  51,  70,   99,     100,    101,      130,
        150, 170, 199, 200, 255, 256, 257, 300, 1000, 25'500, 25'700, 1'000'000}) {
    Expect(all, percent, 0);
    if (HasFailure()) return;
  }
}

// Two pixels, then four, then six in the window.
TEST_F(ScaleAndBlurTest, RoundsHalvesOfMeansUpwards) {
  Expect({2, 1, {0, 1}}, 100, 1);
  Expect({2, 1, {254, 255}}, 100, 1);
  Expect({2, 2, {1, 1, 0, 0}}, 100, 1);
  Expect({3, 2, {1, 0, 1, 0, 1, 0}}, 100, 2);
  Expect({8, 1, {0, 1, 0, 1, 0, 0, 0, 1}}, 100, 7);
}

// A mean over a window that is clipped leaves an even picture as it is.
TEST_F(ScaleAndBlurTest, LeavesEvenPicturesEven) {
  for (const int value : {0, 1, 128, 254, 255}) {
    for (const int radius : {1, 4, 10, 30}) Expect(EvenPicture(25, 19, value), 100, radius);
    if (HasFailure()) return;
  }
}

TEST_F(ScaleAndBlurTest, SpreadsOneBrightPixelOverItsWindow) {
  const int width = 45, height = 21;
  for (const int row : {0, 1, 10, height - 1}) {
    for (const int column : {0, 1, 31, 32, width - 1}) {
      Picture picture = EvenPicture(width, height, 0);
      picture.pixels[row * width + column] = 255;
      Expect(picture, 100, 3);
      if (HasFailure()) return;
    }
  }
}

TEST_F(ScaleAndBlurTest, BlursThePictureAfterItsBrightnessIsScaled) {
  for (const int percent : {30, 170, 400}) Expect(AnyPicture(37, 41, random), percent, 2);
}

TEST_F(ScaleAndBlurTest, BlursBlackAndWhiteOnly) {
  for (const int radius : {1, 2, 5}) Expect(ExtremePicture(50, 33, random), 100, radius);
}

// 441 white pixels add up to more than 16 bits hold.
TEST_F(ScaleAndBlurTest, AddsUpLargeWindows) {
  Expect(ExtremePicture(60, 50, random), 1'000'000, 10);
  Expect(EvenPicture(60, 50, 255), 100, 20);
}

TEST_F(ScaleAndBlurTest, BlursEverySizeAtTheEdgesOfBlocks) {
  for (const int width : EdgeWidths()) {
    for (const int height : EdgeWidths()) {
      Expect(AnyPicture(width, height, random), random.UniformInt(50, 150),
             random.UniformInt(0, 2));
      if (HasFailure()) return;
    }
  }
}

TEST_F(ScaleAndBlurTest, BlursSinglePixelsRowsAndColumns) {
  for (const int length : {1, 2, 3, 16, 31, 32, 33, 100, 1000}) {
    for (const int radius : {0, 1, 3, 50}) {
      Expect(AnyPicture(length, 1, random), 120, radius);
      Expect(AnyPicture(1, length, random), 80, radius);
      if (HasFailure()) return;
    }
  }
}

TEST_F(ScaleAndBlurTest, DoesNothingForEmptyPictures) {
  for (const int side : {0, 1, 40}) {
    Expect(EvenPicture(side, 0, 0), 100, 1);
    Expect(EvenPicture(0, side, 0), 100, 1);
  }
}

TEST_F(ScaleAndBlurTest, BlursWithEveryRadiusUpToTheWholePicture) {
  for (int radius = 0; radius <= 24; ++radius) {
    Expect(AnyPicture(21, 13, random), 110, radius);
    if (HasFailure()) return;
  }
}

TEST_F(ScaleAndBlurTest, ClipsWindowsLargerThanThePicture) {
  Expect(AnyPicture(1, 1, random), 100, 1000);
  Expect(AnyPicture(5, 3, random), 100, 1000);
  Expect(AnyPicture(30, 40, random), 100, 45);
}

TEST_F(ScaleAndBlurTest, KeepsNothingFromOneCallToTheNext) {
  for (int call = 0; call < 25; ++call) {
    SCOPED_TRACE("call " + std::to_string(call));
    Expect(AnyPicture(random.UniformInt(0, 70), random.UniformInt(0, 70), random),
           random.UniformInt(0, 300), random.UniformInt(0, 4));
    if (HasFailure()) return;
  }
}

TEST_F(ScaleAndBlurTest, ServesSeveralCallersOnStreamsOfTheirOwn) {
  lab::ForSeveralCallers([&](const std::string& what) {
    SCOPED_TRACE(what);
    Expect(AnyPicture(70, 45, random), 130, 2);
  });
}

// Grids of more than 65,535 blocks in y are none: 280,000 rows need blocks of more than four.
TEST_F(ScaleAndBlurTest, BlursLongPictures) {
  Expect(AnyPicture(static_cast<int>(lab::Scaled(100'000)), 1, random), 90, 1);
  Expect(AnyPicture(1, static_cast<int>(lab::Scaled(280'000)), random), 90, 1);
}

TEST_F(ScaleAndBlurTest, BlursALargePicture) {
  Expect(AnyPicture(static_cast<int>(lab::Scaled(800)) + 3, 601, random), 140, 3);
}

TEST_F(ScaleAndBlurTest, ThrowsWhenARuntimeCallFails) {
  ExpectScaledAndBlurred(lab::WithFailingCalls(Call), AnyPicture(40, 30, random), 150, 2);
}

}  // namespace cuda_vecadd::picture_test
