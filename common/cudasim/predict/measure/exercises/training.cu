// Steps of training a network.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// A layer with n inputs and 64 units, as backprop of the Rodinia benchmarks. Tiles of 16 * 16
// weights are summed up in shared memory and the sums by another kernel; or a block does a unit's.
constexpr unsigned kUnits = 64;
constexpr unsigned kEdge = 16;
constexpr float kRate = 0.3f;

__global__ void ForwardTiles(const float* inputs, const float* weights, float* parts) {
  __shared__ float of_inputs[kEdge];
  __shared__ float products[kEdge][kEdge];
  const unsigned tx = threadIdx.x;
  const unsigned ty = threadIdx.y;
  const unsigned i = blockIdx.y * kEdge + ty;
  const unsigned unit = blockIdx.x * kEdge + tx;
  if (tx == 0) of_inputs[ty] = inputs[i];
  __syncthreads();
  products[ty][tx] = weights[i * kUnits + unit] * of_inputs[ty];
  for (unsigned step = 2; step <= kEdge; step *= 2) {
    __syncthreads();
    if (ty % step == 0) products[ty][tx] += products[ty + step / 2][tx];
  }
  if (ty == 0) parts[blockIdx.y * kUnits + unit] = products[0][tx];
}

__global__ void ForwardParts(const float* parts, float* outputs, unsigned n) {
  float sum = 0;
  for (unsigned part = 0; part < n / kEdge; ++part) sum += parts[part * kUnits + threadIdx.x];
  outputs[threadIdx.x] = 1 / (1 + expf(-sum));
}

__global__ void ForwardUnits(const float* inputs, const float* weights, float* outputs,
                             unsigned n) {
  __shared__ float sums[8];
  float sum = 0;
  for (unsigned i = threadIdx.x; i < n; i += 256) {
    sum += inputs[i] * weights[i * kUnits + blockIdx.x];
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(kAllLanes, sum, lanes);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (unsigned warp = 1; warp < 8; ++warp) sum += sums[warp];
  outputs[blockIdx.x] = 1 / (1 + expf(-sum));
}

__global__ void AdjustTiles(const float* inputs, const float* outputs, float* weights,
                            float* momenta) {
  const unsigned i = blockIdx.y * kEdge + threadIdx.y;
  const unsigned unit = blockIdx.x * kEdge + threadIdx.x;
  const unsigned at = i * kUnits + unit;
  const float out = outputs[unit];
  const float delta = out * (1 - out) * (0.5f - out);
  const float change = kRate * delta * inputs[i] + kRate * momenta[at];
  weights[at] += change;
  momenta[at] = change;
}

struct Layer {
  explicit Layer(unsigned n)
      : n(n),
        inputs(Fractions(n)),
        start(Filled<float>(n * kUnits,
                            [=](unsigned i) {
                              const int any = static_cast<int>(Mixed(i) % 1024) - 500;
                              return static_cast<float>(any) / static_cast<float>(n);
                            })),
        weights(Room<float>(n * kUnits)),
        momenta(Room<float>(n * kUnits)),
        parts(Room<float>(n / kEdge * kUnits)),
        outputs(Room<float>(kUnits)) {}
  void Restart() const {
    Copy(start, weights);
    momenta->Fill(0);
  }
  void Adjust() const {
    AdjustTiles<<<dim3(kUnits / kEdge, n / kEdge), dim3(kEdge, kEdge)>>>(
        inputs->data(), outputs->data(), weights->data(), momenta->data());
  }
  std::vector<double> Results() const {
    std::vector<double> results = OnHost(weights);
    for (double& weight : results) weight *= 100;
    const std::vector<double> units = OnHost(outputs);
    results.insert(results.end(), units.begin(), units.end());
    return results;
  }
  unsigned n;
  FloatArray inputs, start, weights, momenta, parts, outputs;
};

void RunTrainTiles(const Layer& p) {
  p.Restart();
  ForwardTiles<<<dim3(kUnits / kEdge, p.n / kEdge), dim3(kEdge, kEdge)>>>(
      p.inputs->data(), p.weights->data(), p.parts->data());
  ForwardParts<<<1, kUnits>>>(p.parts->data(), p.outputs->data(), p.n);
  p.Adjust();
}

void RunTrainUnits(const Layer& p) {
  p.Restart();
  ForwardUnits<<<kUnits, 256>>>(p.inputs->data(), p.weights->data(), p.outputs->data(), p.n);
  p.Adjust();
}

// A step of Adam for n weights: a kernel for each line of the algorithm, or one for all, of which a
// thread does one weight or four. Source: Kingma, Ba, International Conference on Learning
// Representations, 2015.
constexpr float kDecay1 = 0.9f;
constexpr float kDecay2 = 0.999f;

__global__ void AdamFirst(const float* gradients, float* first, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) first[i] = kDecay1 * first[i] + (1 - kDecay1) * gradients[i];
}

__global__ void AdamSecond(const float* gradients, float* second, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) second[i] = kDecay2 * second[i] + (1 - kDecay2) * gradients[i] * gradients[i];
}

__device__ float Moved(float weight, float first, float second) {
  return weight - 0.01f * (first / (1 - kDecay1)) / (sqrtf(second / (1 - kDecay2)) + 1e-8f);
}

__global__ void AdamMove(float* weights, const float* first, const float* second, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) weights[i] = Moved(weights[i], first[i], second[i]);
}

__device__ void Adapt(float gradient, float& weight, float& first, float& second) {
  first = kDecay1 * first + (1 - kDecay1) * gradient;
  second = kDecay2 * second + (1 - kDecay2) * gradient * gradient;
  weight = Moved(weight, first, second);
}

__global__ void AdamFused(const float* gradients, float* weights, float* first, float* second,
                          unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) Adapt(gradients[i], weights[i], first[i], second[i]);
}

__global__ void AdamVectors(const float4* gradients, float4* weights, float4* first, float4* second,
                            unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  const float4 gradient = gradients[i];
  float4 w = weights[i];
  float4 f = first[i];
  float4 s = second[i];
  Adapt(gradient.x, w.x, f.x, s.x);
  Adapt(gradient.y, w.y, f.y, s.y);
  Adapt(gradient.z, w.z, f.z, s.z);
  Adapt(gradient.w, w.w, f.w, s.w);
  weights[i] = w;
  first[i] = f;
  second[i] = s;
}

struct Weights {
  explicit Weights(unsigned n)
      : n(n),
        gradients(Fractions(n)),
        weights(Room<float>(n)),
        first(Room<float>(n)),
        second(Room<float>(n)) {}
  std::vector<double> Results() const {
    std::vector<double> results = OnHost(weights);
    for (double& weight : results) weight *= 100;
    return results;
  }
  unsigned n;
  FloatArray gradients, weights, first, second;
};

void RunAdamLines(const Weights& p) {
  AdamFirst<<<Blocks(p.n), 256>>>(p.gradients->data(), p.first->data(), p.n);
  AdamSecond<<<Blocks(p.n), 256>>>(p.gradients->data(), p.second->data(), p.n);
  AdamMove<<<Blocks(p.n), 256>>>(p.weights->data(), p.first->data(), p.second->data(), p.n);
}

void RunAdamFused(const Weights& p) {
  AdamFused<<<Blocks(p.n, 512), 512>>>(p.gradients->data(), p.weights->data(), p.first->data(),
                                       p.second->data(), p.n);
}

void RunAdamVectors(const Weights& p) {
  const auto vectors = [](const FloatArray& a) { return reinterpret_cast<float4*>(a->data()); };
  AdamVectors<<<Blocks(p.n / 4), 256>>>(vectors(p.gradients), vectors(p.weights), vectors(p.first),
                                        vectors(p.second), p.n);
}

}  // namespace

std::vector<Problem> Training() {
  return {
      Of<Layer>("Train", {512, 8192, 1 << 16},
                {{"tiles", RunTrainTiles}, {"units", RunTrainUnits}}),
      Of<Weights>("Adam", {1 << 12, 1 << 17, 1 << 22},
                  {{"lines", RunAdamLines}, {"fused", RunAdamFused}, {"vectors", RunAdamVectors}}),
  };
}

}  // namespace predict::exercises
