// The reference: launches by kernels for long curves, and for the children of a quadtree's nodes; a
// queue of nodes for blocks that stay; and a tree that grows by a level between two grid barriers.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "common/cuda/check.h"
#include "labs/cuda_dynamic/dynamic.h"

namespace cg = cooperative_groups;

namespace {

constexpr unsigned kThreads = 128;
constexpr unsigned kShort = 16;  // segments of a curve that a thread makes alone

unsigned BlocksFor(std::size_t threads) {
  return static_cast<unsigned>((threads + kThreads - 1) / kThreads);
}

__device__ unsigned ThreadOfGrid() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ unsigned SegmentsOf(const Curve& curve) {
  const int bend =
      abs(curve.a.x - 2 * curve.b.x + curve.c.x) + abs(curve.a.y - 2 * curve.b.y + curve.c.y);
  return max(1u, static_cast<unsigned>(ceilf(sqrtf(static_cast<float>(bend)))));
}

__device__ Vertex VertexAt(const Curve& curve, unsigned i, unsigned segments) {
  const float t = static_cast<float>(i) / static_cast<float>(segments);
  const float a = (1 - t) * (1 - t);
  const float b = 2 * t * (1 - t);
  const float c = t * t;
  return {a * static_cast<float>(curve.a.x) + b * static_cast<float>(curve.b.x) +
              c * static_cast<float>(curve.c.x),
          a * static_cast<float>(curve.a.y) + b * static_cast<float>(curve.b.y) +
              c * static_cast<float>(curve.c.y)};
}

__global__ void LongCurveKernel(const Curve* curve, unsigned segments, Vertex* vertices) {
  const unsigned i = ThreadOfGrid();
  if (i <= segments) vertices[i] = VertexAt(*curve, i, segments);
}

// One addition for each block reserves its vertices. Children in the block's own stream would run
// one after another.
__global__ void CurvesKernel(const Curve* curves, unsigned n, unsigned* starts, Vertex* vertices,
                             unsigned* used) {
  __shared__ unsigned in_block;
  __shared__ unsigned first;
  if (threadIdx.x == 0) in_block = 0;
  __syncthreads();
  const unsigned i = ThreadOfGrid();
  const unsigned segments = i < n ? SegmentsOf(curves[i]) : 0;
  unsigned start = i < n ? atomicAdd(&in_block, segments + 1) : 0;
  __syncthreads();
  if (threadIdx.x == 0) first = atomicAdd(used, in_block);
  __syncthreads();
  if (i >= n) return;
  start += first;
  starts[i] = start;
  if (segments > kShort) {
    LongCurveKernel<<<segments / kThreads + 1, kThreads, 0, cudaStreamFireAndForget>>>(
        &curves[i], segments, vertices + start);
  } else {
    const Curve curve = curves[i];
    for (unsigned j = 0; j <= segments; ++j) vertices[start + j] = VertexAt(curve, j, segments);
  }
}

// All that the kernels of a quadtree share, in device memory.
struct Tree {
  const Point* points;
  unsigned leaf_size;
  Node* nodes;
  unsigned* order;
  unsigned* scratch;  // as many numbers as there are points
  unsigned* used;
};

__device__ unsigned QuarterOf(Point point, unsigned depth) {
  const unsigned bit = kMaxDepth - 1 - depth;
  return (point.x >> bit & 1) + 2 * (point.y >> bit & 1);
}

__device__ bool MustBeSplit(const Tree& tree, unsigned count, unsigned depth) {
  return count > tree.leaf_size && depth < kMaxDepth;
}

__global__ void RootKernel(Tree tree, unsigned n) {
  const unsigned i = ThreadOfGrid();
  if (i < n) tree.order[i] = i;
  if (i > 0) return;
  tree.nodes[0] = {0, n, 0};
  *tree.used = 1;
}

// Of the node that a block splits, in shared memory.
struct Quarters {
  unsigned counts[4];
  unsigned next[4];  // where the next point of each goes, from the node's first place on
  unsigned children;
};

// The lanes whose points lie in the same quarter; 0 for a lane without a point. All lanes call it.
template <typename Warp>
__device__ unsigned LanesAlike(const Warp& warp, bool has, unsigned quarter) {
  unsigned alike = 0;
  for (unsigned q = 0; q < 4; ++q) {
    const unsigned votes = warp.ballot(has && quarter == q);
    if (has && quarter == q) alike = votes;
  }
  return alike;
}

// Calls visit(point's index, its place among those of its quarter) after one addition to
// next[quarter] for each quarter of a warp.
template <typename Visit>
__device__ void ForPointsByQuarter(const Tree& tree, const Node& node, unsigned depth,
                                   unsigned* next, const Visit& visit) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (unsigned base = 0; base < node.count; base += blockDim.x) {
    const bool has = base + threadIdx.x < node.count;
    const unsigned index = has ? tree.order[node.first + base + threadIdx.x] : 0;
    const unsigned quarter = has ? QuarterOf(tree.points[index], depth) : 0;
    const unsigned alike = LanesAlike(warp, has, quarter);
    const int leader = __ffs(static_cast<int>(alike)) - 1;
    const int lane = static_cast<int>(warp.thread_rank());
    unsigned place = 0;
    if (lane == leader) place = atomicAdd(&next[quarter], __popc(alike));
    place = warp.shfl(place, has ? leader : lane);
    if (has) visit(index, place + __popc(alike & ((1u << lane) - 1)));
  }
}

// Gives the node children, and puts its points in their order. All threads of the block call it;
// afterwards they know the children.
__device__ void Split(const Tree& tree, unsigned index, unsigned depth, Quarters& quarters) {
  const Node node = tree.nodes[index];
  if (threadIdx.x < 4) quarters.counts[threadIdx.x] = 0;
  __syncthreads();
  ForPointsByQuarter(tree, node, depth, quarters.counts, [](unsigned, unsigned) {});
  __syncthreads();
  if (threadIdx.x == 0) {
    quarters.children = atomicAdd(tree.used, 4u);
    tree.nodes[index].children = quarters.children;
    unsigned first = 0;
    for (unsigned q = 0; q < 4; ++q) {
      quarters.next[q] = first;
      tree.nodes[quarters.children + q] = {node.first + first, quarters.counts[q], 0};
      first += quarters.counts[q];
    }
  }
  __syncthreads();
  ForPointsByQuarter(tree, node, depth, quarters.next, [&](unsigned point, unsigned place) {
    tree.scratch[node.first + place] = point;
  });
  __syncthreads();
  for (unsigned i = threadIdx.x; i < node.count; i += blockDim.x) {
    tree.order[node.first + i] = tree.scratch[node.first + i];
  }
  __syncthreads();
}

// A block for each of the nodes from `first` on.
__global__ void NodesKernel(Tree tree, unsigned first, unsigned depth) {
  __shared__ Quarters quarters;
  const unsigned index = first + blockIdx.x;
  if (!MustBeSplit(tree, tree.nodes[index].count, depth)) return;
  Split(tree, index, depth, quarters);
  if (threadIdx.x > 0) return;
  bool any = false;
  for (const unsigned count : quarters.counts) any |= MustBeSplit(tree, count, depth + 1);
  if (any) {
    NodesKernel<<<4, kThreads, 0, cudaStreamFireAndForget>>>(tree, quarters.children, depth + 1);
  }
}

// Nodes to be split, as depth and index in one word plus 1; 0 where nothing is yet.
struct Queue {
  unsigned* taken;    // how many places blocks have asked for
  unsigned* added;    // how many nodes have got a place
  unsigned* pending;  // how many nodes are in the queue or being split
  unsigned* places;
};

constexpr unsigned kDepthBits = 5;

__device__ void Publish(const Queue& queue, unsigned index, unsigned depth) {
  const unsigned place = atomicAdd(queue.added, 1u);
  __threadfence();
  atomicExch(&queue.places[place], (index << kDepthBits | depth) + 1);
}

// The next node, or 0 when no node is left and none will come.
__device__ unsigned Take(const Queue& queue) {
  const unsigned place = atomicAdd(queue.taken, 1u);
  const volatile unsigned* const word = &queue.places[place];
  const volatile unsigned* const pending = queue.pending;
  while (true) {
    const unsigned entry = *word;
    if (entry != 0) {
      __threadfence();
      return entry;
    }
    if (*pending == 0) return 0;
  }
}

__global__ void FirstNodeKernel(Tree tree, unsigned n, Queue queue) {
  if (!MustBeSplit(tree, n, 0)) return;
  *queue.pending = 1;
  Publish(queue, 0, 0);
}

__global__ void QueueKernel(Tree tree, Queue queue) {
  __shared__ Quarters quarters;
  __shared__ unsigned entry;
  while (true) {
    if (threadIdx.x == 0) entry = Take(queue);
    __syncthreads();
    if (entry == 0) return;
    const unsigned index = (entry - 1) >> kDepthBits;
    const unsigned depth = (entry - 1) & ((1u << kDepthBits) - 1);
    Split(tree, index, depth, quarters);
    if (threadIdx.x > 0) continue;
    unsigned more = 0;
    for (const unsigned count : quarters.counts) more += MustBeSplit(tree, count, depth + 1);
    // Before they are published: else they may be split, and the count be 0, while more follow.
    if (more > 0) atomicAdd(queue.pending, more);
    for (unsigned q = 0; q < 4; ++q) {
      if (MustBeSplit(tree, quarters.counts[q], depth + 1)) {
        Publish(queue, quarters.children + q, depth + 1);
      }
    }
    atomicSub(queue.pending, 1u);
  }
}

// Where each point is: its node, and its place in it.
struct Places {
  unsigned* nodes;
  unsigned* ranks;
};

// Adds the lanes that came here together, once for each child, and returns this lane's place.
__device__ unsigned CountIn(Node* node) {
  const auto lanes =
      cg::labeled_partition(cg::coalesced_threads(), reinterpret_cast<std::size_t>(node));
  unsigned place = 0;
  if (lanes.thread_rank() == 0) place = atomicAdd(&node->count, lanes.size());
  return lanes.shfl(place, 0) + lanes.thread_rank();
}

// Nodes [begin, end) are those of the level.
__device__ void AddChildren(const Tree& tree, unsigned begin, unsigned end, unsigned depth) {
  for (unsigned i = begin + ThreadOfGrid(); i < end; i += gridDim.x * blockDim.x) {
    if (!MustBeSplit(tree, tree.nodes[i].count, depth)) continue;
    const auto lanes = cg::coalesced_threads();
    unsigned children = 0;
    if (lanes.thread_rank() == 0) children = atomicAdd(tree.used, 4 * lanes.size());
    children = lanes.shfl(children, 0) + 4 * lanes.thread_rank();
    for (unsigned q = 0; q < 4; ++q) tree.nodes[children + q] = {0, 0, 0};
    tree.nodes[i].children = children;
  }
}

__device__ void MoveDown(const Tree& tree, const Places& places, unsigned n, unsigned depth) {
  for (unsigned i = ThreadOfGrid(); i < n; i += gridDim.x * blockDim.x) {
    const unsigned children = tree.nodes[places.nodes[i]].children;
    if (children == 0) continue;
    const unsigned child = children + QuarterOf(tree.points[i], depth);
    places.nodes[i] = child;
    places.ranks[i] = CountIn(&tree.nodes[child]);
  }
}

__device__ void PlaceChildren(const Tree& tree, unsigned begin, unsigned end) {
  for (unsigned i = begin + ThreadOfGrid(); i < end; i += gridDim.x * blockDim.x) {
    const unsigned children = tree.nodes[i].children;
    if (children == 0) continue;
    unsigned first = tree.nodes[i].first;
    for (unsigned q = 0; q < 4; ++q) {
      tree.nodes[children + q].first = first;
      first += tree.nodes[children + q].count;
    }
  }
}

__global__ void LevelsKernel(Tree tree, Places places, unsigned n) {
  const auto grid = cg::this_grid();
  for (unsigned i = ThreadOfGrid(); i < n; i += gridDim.x * blockDim.x) {
    places.nodes[i] = 0;
    places.ranks[i] = i;
  }
  if (grid.thread_rank() == 0) {
    tree.nodes[0] = {0, n, 0};
    *tree.used = 1;
  }
  grid.sync();
  unsigned begin = 0;
  unsigned end = 1;
  for (unsigned depth = 0; begin < end; ++depth) {
    AddChildren(tree, begin, end, depth);
    grid.sync();
    const unsigned next_end = *tree.used;
    MoveDown(tree, places, n, depth);
    grid.sync();
    PlaceChildren(tree, begin, end);
    begin = end;
    end = next_end;
  }
  grid.sync();
  for (unsigned i = ThreadOfGrid(); i < n; i += gridDim.x * blockDim.x) {
    tree.order[tree.nodes[places.nodes[i]].first + places.ranks[i]] = i;
  }
}

// Device memory that is taken and given back in the order of the stream.
class Words {
 public:
  Words(std::size_t count, cudaStream_t stream) : stream_(stream) {
    CUDA_CHECK(cudaMallocAsync(&data_, std::max<std::size_t>(count, 1) * sizeof(unsigned), stream));
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() { cudaFreeAsync(data_, stream_); }

  unsigned* data() const { return static_cast<unsigned*>(data_); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_;
};

void Zero(unsigned* words, std::size_t count, cudaStream_t stream) {
  CUDA_CHECK(cudaMemsetAsync(words, 0, count * sizeof(unsigned), stream));
}

// As many blocks as the multiprocessors hold at the same time, or fewer if `wanted` are enough.
template <typename Kernel>
unsigned ResidentBlocks(Kernel* kernel, unsigned multiprocessors, unsigned wanted) {
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, 0));
  return std::max(1u, std::min(wanted, static_cast<unsigned>(blocks) * multiprocessors));
}

void StartTree(const Tree& tree, std::size_t n, cudaStream_t stream) {
  RootKernel<<<std::max(1u, BlocksFor(n)), kThreads, 0, stream>>>(tree, static_cast<unsigned>(n));
  CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void TessellateCurves(DeviceSpan<const Curve> curves, DeviceSpan<unsigned> starts,
                      DeviceSpan<Vertex> vertices, cudaStream_t stream) {
  if (curves.empty()) return;
  const Words used(1, stream);
  Zero(used.data(), 1, stream);
  CurvesKernel<<<BlocksFor(curves.size()), kThreads, 0, stream>>>(
      curves.data(), static_cast<unsigned>(curves.size()), starts.data(), vertices.data(),
      used.data());
  CUDA_CHECK(cudaGetLastError());
}

void BuildQuadtree(DeviceSpan<const Point> points, unsigned leaf_size, DeviceSpan<Node> nodes,
                   DeviceSpan<unsigned> order, DeviceSpan<unsigned> used, cudaStream_t stream) {
  const Words scratch(points.size(), stream);
  const Tree tree{points.data(), leaf_size,      nodes.data(),
                  order.data(),  scratch.data(), used.data()};
  StartTree(tree, points.size(), stream);
  NodesKernel<<<1, kThreads, 0, stream>>>(tree, 0, 0);
  CUDA_CHECK(cudaGetLastError());
}

void BuildQuadtreeByQueue(DeviceSpan<const Point> points, unsigned leaf_size,
                          unsigned multiprocessors, DeviceSpan<Node> nodes,
                          DeviceSpan<unsigned> order, DeviceSpan<unsigned> used,
                          cudaStream_t stream) {
  const unsigned blocks = ResidentBlocks(QueueKernel, multiprocessors, BlocksFor(points.size()));
  const Words scratch(points.size(), stream);
  // Each block asks for one place that stays empty.
  const std::size_t words = 3 + nodes.size() + blocks;
  const Words memory(words, stream);
  Zero(memory.data(), words, stream);
  const Queue queue{memory.data(), memory.data() + 1, memory.data() + 2, memory.data() + 3};
  const Tree tree{points.data(), leaf_size,      nodes.data(),
                  order.data(),  scratch.data(), used.data()};
  StartTree(tree, points.size(), stream);
  FirstNodeKernel<<<1, 1, 0, stream>>>(tree, static_cast<unsigned>(points.size()), queue);
  CUDA_CHECK(cudaGetLastError());
  QueueKernel<<<blocks, kThreads, 0, stream>>>(tree, queue);
  CUDA_CHECK(cudaGetLastError());
}

void BuildQuadtreeByLevels(DeviceSpan<const Point> points, unsigned leaf_size,
                           unsigned multiprocessors, DeviceSpan<Node> nodes,
                           DeviceSpan<unsigned> order, DeviceSpan<unsigned> used,
                           cudaStream_t stream) {
  const unsigned blocks = ResidentBlocks(LevelsKernel, multiprocessors, BlocksFor(points.size()));
  const Words memory(2 * points.size(), stream);
  Tree tree{points.data(), leaf_size, nodes.data(), order.data(), nullptr, used.data()};
  Places places{memory.data(), memory.data() + points.size()};
  auto n = static_cast<unsigned>(points.size());
  void* arguments[] = {&tree, &places, &n};
  CUDA_CHECK(cudaLaunchCooperativeKernel(LevelsKernel, blocks, kThreads, arguments, 0, stream));
}
