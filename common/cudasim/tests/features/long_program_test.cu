// Programs that need more epochs than check mode has.  Check mode only.
#include "common/cudasim/tests/features/epoch_limit.h"
#include "common/cudasim/tests/features/test.h"

namespace {

constexpr unsigned kLimit = 400;
constexpr int kThreads = 64;
constexpr int kFinding = 67;

__device__ int carried;

// Uses 3 epochs for each block and about 3 for each round.
__global__ void Rotate(int* values, int rounds) {
  __shared__ int tile[kThreads];
  int* const mine = values + blockIdx.x * kThreads;
  for (int round = 0; round < rounds; ++round) {
    tile[threadIdx.x] = mine[threadIdx.x];
    __syncthreads();
    mine[threadIdx.x] = tile[(threadIdx.x + 1) % kThreads];
    __syncthreads();
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) ++carried;
}

__global__ void Fill(int* values) { values[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

__global__ void Collide(int* value) { *value = threadIdx.x; }

__global__ void ReadShared(int* out) {
  __shared__ int tile[kThreads];
  if (threadIdx.x > 100) tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

// In functions, because macros do not take <<<a, b>>>.
void LaunchRotate(int* values, int rounds) {
  Rotate<<<2, kThreads>>>(values, rounds);
  cudaDeviceSynchronize();
}

void LaunchCollide(int* values) {
  Collide<<<1, 2>>>(values);
  cudaDeviceSynchronize();
}

void LaunchReadShared(int* values) {
  ReadShared<<<1, kThreads>>>(values);
  cudaDeviceSynchronize();
}

void FillInBoth(int* values, cudaStream_t one, cudaStream_t other) {
  Fill<<<1, kThreads, 0, one>>>(values);
  Fill<<<1, kThreads, 0, other>>>(values);
  cudaStreamSynchronize(one);
  cudaStreamSynchronize(other);
}

// Launches until the epochs have restarted.
void UseUpEpochs(int* values) {
  for (unsigned before = 0; UsedEpochs() >= before;) {
    before = UsedEpochs();
    LaunchRotate(values, 5);
  }
}

class LongProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    LimitEpochs(kLimit);
    cudaMalloc(&values_, 2 * kThreads * sizeof(int));
    Fill<<<2, kThreads>>>(values_);  // the only initialisation of values_
  }
  void TearDown() override { cudaFree(values_); }

  int* values_ = nullptr;
};

TEST_F(LongProgramTest, GoesOnWhenEpochsHaveBeenUsedUp) {
  constexpr int kLaunches = 200;
  for (int i = 0; i < kLaunches; ++i) LaunchRotate(values_, 5);
  int got[2 * kThreads];
  cudaMemcpy(got, values_, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 2 * kThreads; ++i) EXPECT_EQ(got[i], (i + 5 * kLaunches) % kThreads) << i;
}

TEST_F(LongProgramTest, StillFindsRacesAfterwards) {
  UseUpEpochs(values_);
  EXPECT_EXIT(LaunchCollide(values_), testing::ExitedWithCode(kFinding),
              "cudasim: data_race: kernel Collide");
}

TEST_F(LongProgramTest, StillFindsUninitialisedSharedMemoryAfterwards) {
  UseUpEpochs(values_);
  EXPECT_EXIT(LaunchReadShared(values_), testing::ExitedWithCode(kFinding),
              "cudasim: uninitialised_read: kernel ReadShared");
}

TEST_F(LongProgramTest, KeepsEpochsWhileAnotherStreamIsNotOrdered) {
  cudaStream_t one = nullptr, other = nullptr;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  UseUpEpochs(values_);
  while (UsedEpochs() <= kLimit / 2) LaunchRotate(values_, 1);  // beyond it they would restart
  EXPECT_EXIT(FillInBoth(values_, one, other), testing::ExitedWithCode(kFinding),
              "cudasim: missing_synchronisation: kernel Fill");
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
}

TEST_F(LongProgramTest, EndsALaunchThatAloneNeedsTooMany) {
  EXPECT_EXIT(LaunchRotate(values_, 1000), testing::ExitedWithCode(1),
              "too many barriers and blocks for check mode: .*limit 400");
}

}  // namespace
