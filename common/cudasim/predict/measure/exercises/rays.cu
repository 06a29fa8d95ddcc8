// Pictures that are computed: spheres as in Sanders, Kandrot, CUDA by Example, chapter 6, and
// noise.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

constexpr unsigned kSpheres = 40;

struct Sphere {
  float red, green, blue, radius, x, y, z;
};

__constant__ Sphere spheres_of_scene[kSpheres];

// How far up a ray at (x, y) leaves the sphere, and how bright it is there.
__device__ float Hit(const Sphere& sphere, float x, float y, float* brightness) {
  const float dx = x - sphere.x;
  const float dy = y - sphere.y;
  const float rest = sphere.radius * sphere.radius - dx * dx - dy * dy;
  if (rest <= 0) return -1e20f;
  const float height = sqrtf(rest);
  *brightness = height / sphere.radius;
  return height + sphere.z;
}

__device__ unsigned Colour(const Sphere* spheres, float x, float y) {
  float red = 0;
  float green = 0;
  float blue = 0;
  float highest = -1e20f;
  for (unsigned k = 0; k < kSpheres; ++k) {
    float brightness = 0;
    const float height = Hit(spheres[k], x, y, &brightness);
    if (height <= highest) continue;
    red = spheres[k].red * brightness;
    green = spheres[k].green * brightness;
    blue = spheres[k].blue * brightness;
    highest = height;
  }
  return static_cast<unsigned>(red * 15) << 8 | static_cast<unsigned>(green * 15) << 4 |
         static_cast<unsigned>(blue * 15);
}

__global__ void TraceGlobal(const Sphere* spheres, unsigned* picture, unsigned n) {
  const unsigned x = blockIdx.x * 16 + threadIdx.x;
  const unsigned y = blockIdx.y * 16 + threadIdx.y;
  const float scale = 1.0f / static_cast<float>(n);
  picture[y * n + x] =
      Colour(spheres, static_cast<float>(x) * scale, static_cast<float>(y) * scale);
}

__global__ void TraceConstant(unsigned* picture, unsigned n) {
  const unsigned x = blockIdx.x * 16 + threadIdx.x;
  const unsigned y = blockIdx.y * 16 + threadIdx.y;
  const float scale = 1.0f / static_cast<float>(n);
  picture[y * n + x] =
      Colour(spheres_of_scene, static_cast<float>(x) * scale, static_cast<float>(y) * scale);
}

Sphere SphereAt(unsigned i) {
  const auto any = [=](unsigned k) { return static_cast<float>(Mixed(7 * i + k) % 4096) / 4096; };
  return {any(0), any(1), any(2), 0.02f + 0.1f * any(3), any(4), any(5), any(6)};
}

struct Scene {
  explicit Scene(unsigned n)
      : n(n), spheres(Filled<Sphere>(kSpheres, SphereAt)), picture(Room<unsigned>(n * n)) {
    CUDA_CHECK(cudaMemcpyToSymbol(spheres_of_scene, spheres->data(), spheres->bytes(), 0,
                                  cudaMemcpyDeviceToDevice));
  }
  std::vector<double> Results() const { return OnHost(picture); }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<Sphere>> spheres;
  NumberArray picture;
};

void RunTraceGlobal(const Scene& p) {
  TraceGlobal<<<dim3(p.n / 16, p.n / 16), dim3(16, 16)>>>(p.spheres->data(), p.picture->data(),
                                                          p.n);
}

void RunTraceConstant(const Scene& p) {
  TraceConstant<<<dim3(p.n / 16, p.n / 16), dim3(16, 16)>>>(p.picture->data(), p.n);
}

// Noise of four octaves. Source: Perlin, SIGGRAPH 2002. Gradients are of a permutation of 256
// numbers, in global memory or copied to shared memory.
constexpr unsigned kOctaves = 4;

__device__ float Faded(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }

__device__ float Along(unsigned hash, float x, float y) {
  const float u = (hash & 4) != 0 ? y : x;
  const float v = (hash & 4) != 0 ? x : y;
  return ((hash & 1) != 0 ? -u : u) + ((hash & 2) != 0 ? -2 * v : 2 * v);
}

__device__ float Noise(const unsigned char* permutation, float x, float y) {
  const float left = floorf(x);
  const float top = floorf(y);
  const auto column = static_cast<unsigned>(left);
  const auto row = static_cast<unsigned>(top);
  const float dx = x - left;
  const float dy = y - top;
  const auto hash = [=](unsigned right, unsigned down) -> unsigned {
    return permutation[(permutation[(column + right) % 256] + row + down) % 256];
  };
  const float upper_left = Along(hash(0, 0), dx, dy);
  const float upper_right = Along(hash(1, 0), dx - 1, dy);
  const float lower_left = Along(hash(0, 1), dx, dy - 1);
  const float lower_right = Along(hash(1, 1), dx - 1, dy - 1);
  const float across = Faded(dx);
  const float upper = upper_left + across * (upper_right - upper_left);
  const float lower = lower_left + across * (lower_right - lower_left);
  return upper + Faded(dy) * (lower - upper);
}

__device__ float Clouds(const unsigned char* permutation, unsigned x, unsigned y) {
  float sum = 0;
  float scale = 1.0f / 64;
  float weight = 1;
  for (unsigned octave = 0; octave < kOctaves; ++octave) {
    sum +=
        weight * Noise(permutation, static_cast<float>(x) * scale, static_cast<float>(y) * scale);
    scale *= 2;
    weight *= 0.5f;
  }
  return sum;
}

__global__ void CloudsGlobal(const unsigned char* permutation, float* picture, unsigned n) {
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  const unsigned y = blockIdx.y * 4 + threadIdx.y;
  picture[y * n + x] = Clouds(permutation, x, y);
}

__global__ void CloudsShared(const unsigned char* permutation, float* picture, unsigned n) {
  __shared__ unsigned char mine[256];
  const unsigned t = threadIdx.y * 32 + threadIdx.x;
  mine[t] = permutation[t];
  mine[t + 128] = permutation[t + 128];
  __syncthreads();
  const unsigned x = blockIdx.x * 32 + threadIdx.x;
  for (unsigned k = 0; k < 4; ++k) {
    const unsigned y = blockIdx.y * 16 + k * 4 + threadIdx.y;
    picture[y * n + x] = Clouds(mine, x, y);
  }
}

struct Sky {
  explicit Sky(unsigned n)
      : n(n),
        permutation(Filled<unsigned char>(
            256, [](unsigned i) { return static_cast<unsigned char>(i * 167 + 13); })),
        picture(Room<float>(n * n)) {}
  std::vector<double> Results() const { return OnHost(picture); }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<unsigned char>> permutation;
  FloatArray picture;
};

void RunCloudsGlobal(const Sky& p) {
  CloudsGlobal<<<dim3(p.n / 32, p.n / 4), dim3(32, 4)>>>(p.permutation->data(), p.picture->data(),
                                                         p.n);
}

void RunCloudsShared(const Sky& p) {
  CloudsShared<<<dim3(p.n / 32, p.n / 16), dim3(32, 4)>>>(p.permutation->data(), p.picture->data(),
                                                          p.n);
}

}  // namespace

std::vector<Problem> Rays() {
  return {
      Of<Scene>("Trace", {64, 256, 1024},
                {{"global", RunTraceGlobal}, {"constant", RunTraceConstant}}),
      Of<Sky>("Clouds", {64, 256, 1024},
              {{"global", RunCloudsGlobal}, {"shared", RunCloudsShared}}),
  };
}

}  // namespace predict::exercises
