// Graphs that are captured from streams.
#include "common/cudasim/tests/features/graphs.h"
#include "common/cudasim/tests/features/test.h"

namespace {

TEST_F(CaptureTest, RunsNothingUntilTheGraphIsLaunched) {
  const DeviceVector<int> value(1);
  ASSERT_OK(cudaDeviceSynchronize());
  Begin();
  EXPECT_EQ(StatusOf(stream_), cudaStreamCaptureStatusActive);
  AddTo<<<1, 1, 0, stream_>>>(value.get(), 1);
  AddTo<<<1, 1, 0, stream_>>>(value.get(), 2);
  ASSERT_OK(cudaGetLastError());
  End();
  EXPECT_EQ(value.ToHost()[0], 0);
  EXPECT_EQ(Nodes(), 2u);
  EXPECT_EQ(Edges(), 1u);
  const Executable exec(graph_);
  LaunchAndWait(exec, stream_, 3);
  EXPECT_EQ(value.ToHost()[0], 9);
}

TEST_F(CaptureTest, CapturesCopiesFillsAndHostFunctions) {
  const DeviceVector<int> values(4);
  int* pinned = nullptr;
  ASSERT_OK(cudaMallocHost(&pinned, 4 * sizeof(int)));
  int calls = 0;
  ASSERT_OK(cudaDeviceSynchronize());
  Begin();
  ASSERT_OK(cudaMemsetAsync(values.get(), 1, 2 * sizeof(int), stream_));
  AddTo<<<1, 1, 0, stream_>>>(values.get(), 1);
  ASSERT_OK(
      cudaMemcpyAsync(pinned, values.get(), 4 * sizeof(int), cudaMemcpyDeviceToHost, stream_));
  ASSERT_OK(cudaLaunchHostFunc(stream_, Increment, &calls));
  End();
  const Executable exec(graph_);
  LaunchAndWait(exec, stream_, 2);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(pinned[0], 0x01010102);
  EXPECT_EQ(pinned[1], 0x01010101);
  EXPECT_EQ(pinned[2], 0);
  ASSERT_OK(cudaFreeHost(pinned));
}

// A captured copy keeps the address, not the bytes.
TEST_F(CaptureTest, ReadsPageableMemoryWhenTheGraphRuns) {
  const DeviceVector<int> value(1);
  int host = 1;
  int back = 0;
  ASSERT_OK(cudaDeviceSynchronize());
  Begin();
  ASSERT_OK(cudaMemcpyAsync(value.get(), &host, sizeof(int), cudaMemcpyHostToDevice, stream_));
  ASSERT_OK(cudaMemcpyAsync(&back, value.get(), sizeof(int), cudaMemcpyDeviceToHost, stream_));
  End();
  const Executable exec(graph_);
  host = 2;
  LaunchAndWait(exec, stream_);
  EXPECT_EQ(back, 2);
  host = 3;
  LaunchAndWait(exec, stream_);
  EXPECT_EQ(back, 3);
}

TEST_F(CaptureTest, EventsForkAndJoin) {
  const DeviceVector<int> values(4);
  int* const v = values.get();
  ASSERT_OK(cudaDeviceSynchronize());
  Begin();
  Set<<<1, 1, 0, stream_>>>(v, 1);
  Order(stream_, second_);
  EXPECT_EQ(StatusOf(second_), cudaStreamCaptureStatusActive);
  Sum<<<1, 1, 0, stream_>>>(v + 1, v, v);
  Sum<<<1, 1, 0, second_>>>(v + 2, v, v);
  Order(second_, stream_);
  Sum<<<1, 1, 0, stream_>>>(v + 3, v + 1, v + 2);
  End();
  EXPECT_EQ(StatusOf(second_), cudaStreamCaptureStatusNone);
  EXPECT_EQ(Nodes(), 4u);
  EXPECT_EQ(Edges(), 4u);
  const Executable exec(graph_);
  LaunchAndWait(exec, stream_, 2);
  EXPECT_EQ(values.ToHost()[3], 4);
}

TEST_F(CaptureTest, ExternalEventsBecomeNodes) {
  const DeviceVector<int> value(1);
  const Event external;
  ASSERT_OK(cudaDeviceSynchronize());
  Begin();
  Set<<<1, 1, 0, stream_>>>(value.get(), 1);
  ASSERT_OK(cudaEventRecordWithFlags(external, stream_, cudaEventRecordExternal));
  End();
  EXPECT_EQ(Nodes(), 2u);
  const Executable exec(graph_);
  ASSERT_OK(cudaGraphLaunch(exec, stream_));
  ASSERT_OK(cudaStreamWaitEvent(second_, external, 0));
  AddTo<<<1, 1, 0, second_>>>(value.get(), 4);
  ASSERT_OK(cudaStreamSynchronize(second_));
  EXPECT_EQ(value.ToHost()[0], 5);
}

TEST_F(CaptureTest, TellsTheGraphAndOnWhatTheNextNodeDepends) {
  const DeviceVector<int> value(1);
  ASSERT_OK(cudaDeviceSynchronize());
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* last = nullptr;
  size_t count = 9;
  ASSERT_OK(cudaStreamGetCaptureInfo(stream_, &status, &id));
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  Begin();
  Set<<<1, 1, 0, stream_>>>(value.get(), 1);
  ASSERT_OK(cudaStreamGetCaptureInfo(stream_, &status, &id, &graph, &last, nullptr, &count));
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_GT(id, 0u);
  ASSERT_EQ(count, 1u);
  // A node that is made by hand, and that the stream goes on from.
  cudaGraphNode_t node = AddKernel(graph, {*last}, AddTo, value.get(), 5);
  ASSERT_OK(cudaStreamUpdateCaptureDependencies(stream_, &node, nullptr, 1,
                                                cudaStreamSetCaptureDependencies));
  AddTo<<<1, 1, 0, stream_>>>(value.get(), 100);
  End();
  EXPECT_EQ(Edges(), 2u);
  const Executable exec(graph_);
  LaunchAndWait(exec, stream_);
  EXPECT_EQ(value.ToHost()[0], 106);
}

}  // namespace
