// Who wrote the elements of an output.
#include <vector>

#include "common/cudasim/include/cudasim/writers.h"
#include "common/cudasim/tests/features/test.h"

namespace {

// Thread x of block y writes row y of 8, and reads the element on its right.
__global__ void WriteRows(int* values, int* sums) {
  const int at = blockIdx.y * 8 + threadIdx.x;
  values[at] = 1;
  if (threadIdx.x == 2) return;
  sums[at] = at;
}

struct Written {
  std::vector<int> values = std::vector<int>(24), sums = std::vector<int>(24);
};

Written Run() {
  const DeviceVector<int> values(24), sums(24);
  WriteRows<<<dim3(1, 2), 8>>>(values.get(), sums.get());
  EXPECT_OK(cudaDeviceSynchronize());
  Written written;
  cudasimFetchWriters(written.values.data(), values.get(), 24 * sizeof(int));
  cudasimFetchWriters(written.sums.data(), sums.get(), 24 * sizeof(int));
  return written;
}

TEST(WritersTest, KnowsTheThreadAndTheBlockOfEachElement) {
  simulatorKeepWriters();
  const Written written = Run();
  CudasimWriter writer{};
  ASSERT_TRUE(simulatorWriterOf(&written.values[13], &writer));
  EXPECT_EQ(writer.thread[0], 5u);
  EXPECT_EQ(writer.block[0], 0u);
  EXPECT_EQ(writer.block[1], 1u);
  ASSERT_TRUE(simulatorWriterOf(&written.sums[7], &writer));
  EXPECT_EQ(writer.thread[0], 7u);
  EXPECT_EQ(writer.block[1], 0u);
}

TEST(WritersTest, KnowsNobodyWhereNothingWasWrittenOrFetched) {
  simulatorKeepWriters();
  const Written written = Run();
  CudasimWriter writer{};
  EXPECT_FALSE(simulatorWriterOf(&written.sums[2], &writer)) << "the thread had returned";
  EXPECT_FALSE(simulatorWriterOf(&written.sums[16], &writer)) << "no block had this row";
  const int other = 0;
  EXPECT_FALSE(simulatorWriterOf(&other, &writer));
  simulatorKeepWriters();
  EXPECT_FALSE(simulatorWriterOf(&written.values[13], &writer)) << "another call has begun";
}

}  // namespace
