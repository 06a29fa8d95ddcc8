// cuComplex.h against std::complex.
#include <cuComplex.h>

#include <cmath>
#include <complex>

#include "common/cudasim/tests/features/test.h"

namespace {

__global__ void ComputeComplex(cuFloatComplex* out, cuFloatComplex a, cuFloatComplex b) {
  StoreAll(out, cuCaddf(a, b), cuCsubf(a, b), cuCmulf(a, b), cuCdivf(a, b), cuConjf(a),
           cuCfmaf(a, b, make_cuFloatComplex(1, 2)),
           make_cuComplex(cuCabsf(a), cuCrealf(b) + cuCimagf(b)));
  const cuDoubleComplex wide = cuCdiv(cuCmul(cuComplexFloatToDouble(a), cuComplexFloatToDouble(b)),
                                      cuComplexFloatToDouble(b));
  out[7] = cuComplexDoubleToFloat(wide);
}

TEST(MathComplexTest, ComputesAsStdComplexDoes) {
  using Complex = std::complex<float>;
  const Complex a(3, -4);
  const Complex b(0.5f, 2);
  const std::vector<Complex> expected = {
      a + b, a - b, a * b, a / b, std::conj(a), a * b + Complex(1, 2), {5, 2.5f}, a};
  DeviceVector<cuFloatComplex> out(8);
  ComputeComplex<<<1, 1>>>(out.get(), make_cuFloatComplex(3, -4), make_cuFloatComplex(0.5f, 2));
  const std::vector<cuFloatComplex> got = out.ToHost();
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(got[i].x, expected[i].real(), 1e-6) << i;
    EXPECT_NEAR(got[i].y, expected[i].imag(), 1e-6) << i;
  }
}

TEST(MathComplexTest, NeitherOverflowsNorVanishesWhereTheResultDoesNot) {
  EXPECT_FLOAT_EQ(cuCabsf(make_cuFloatComplex(3e37f, 4e37f)), 5e37f);
  const cuFloatComplex huge = make_cuFloatComplex(2e30f, 2e30f);
  EXPECT_FLOAT_EQ(cuCdivf(huge, huge).x, 1);
  const cuDoubleComplex tiny = make_cuDoubleComplex(0, 1e-200);
  EXPECT_DOUBLE_EQ(cuCdiv(tiny, tiny).x, 1);
}

}  // namespace
