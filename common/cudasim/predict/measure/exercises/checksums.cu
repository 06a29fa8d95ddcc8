// Checksums and digests of many messages, a thread for each.

#include <cuda_runtime.h>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// CRC-32 of packets of 128 bytes, bit by bit, by a table for bytes or by four tables for words.
// Source: Kounavis, Berry, IEEE Symposium on Computers and Communications, 2005.
constexpr unsigned kBytes = 128;
constexpr unsigned kReversed = 0xedb88320u;

__host__ __device__ unsigned Shifted(unsigned sum) {
  for (unsigned bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? kReversed : 0);
  return sum;
}

__global__ void CheckBits(const unsigned char* packets, unsigned* sums, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned sum = ~0u;
  for (unsigned k = 0; k < kBytes; ++k) sum = Shifted(sum ^ packets[i * kBytes + k]);
  sums[i] = ~sum;
}

__global__ void CheckBytes(const unsigned char* packets, const unsigned* table, unsigned* sums,
                           unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned sum = ~0u;
  for (unsigned k = 0; k < kBytes; ++k) {
    sum = sum >> 8 ^ table[(sum ^ packets[i * kBytes + k]) & 255];
  }
  sums[i] = ~sum;
}

__global__ void CheckWords(const uint4* packets, const unsigned* tables, unsigned* sums,
                           unsigned n) {
  __shared__ unsigned mine[4][256];
  for (unsigned k = threadIdx.x; k < 1024; k += blockDim.x) mine[k / 256][k % 256] = tables[k];
  __syncthreads();
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned sum = ~0u;
  const auto add = [&](unsigned word) {
    sum ^= word;
    sum = mine[3][sum & 255] ^ mine[2][sum >> 8 & 255] ^ mine[1][sum >> 16 & 255] ^
          mine[0][sum >> 24];
  };
  for (unsigned k = 0; k < kBytes / 16; ++k) {
    const uint4 words = packets[i * (kBytes / 16) + k];
    add(words.x);
    add(words.y);
    add(words.z);
    add(words.w);
  }
  sums[i] = ~sum;
}

struct Packets {
  explicit Packets(unsigned n);
  std::vector<double> Results() const { return OnHost(sums); }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<unsigned char>> packets;
  NumberArray tables, sums;
};

Packets::Packets(unsigned n) : n(n), sums(Room<unsigned>(n)) {
  packets = Filled<unsigned char>(n * kBytes,
                                  [](unsigned i) { return static_cast<unsigned char>(Mixed(i)); });
  // Table k is of a byte that k others follow.
  tables = Filled<unsigned>(1024, [](unsigned i) {
    unsigned sum = i % 256;
    for (unsigned k = 0; k <= i / 256; ++k) sum = Shifted(sum);
    return sum;
  });
}

void RunCheckBits(const Packets& p) {
  CheckBits<<<Blocks(p.n, 128), 128>>>(p.packets->data(), p.sums->data(), p.n);
}

void RunCheckBytes(const Packets& p) {
  CheckBytes<<<Blocks(p.n, 128), 128>>>(p.packets->data(), p.tables->data(), p.sums->data(), p.n);
}

void RunCheckWords(const Packets& p) {
  CheckWords<<<Blocks(p.n, 128), 128>>>(reinterpret_cast<const uint4*>(p.packets->data()),
                                        p.tables->data(), p.sums->data(), p.n);
}

// SHA-256's compression of a message of 16 words: all 64 words of the schedule in an array, or the
// last 16 in registers. Source: FIPS 180-4.
__constant__ unsigned round_constants[64];

struct Digest {
  unsigned a, b, c, d, e, f, g, h;
};

__device__ unsigned Turned(unsigned x, unsigned bits) { return x >> bits | x << (32 - bits); }

__device__ void Round(Digest& s, unsigned word) {
  const unsigned first = s.h + (Turned(s.e, 6) ^ Turned(s.e, 11) ^ Turned(s.e, 25)) +
                         ((s.e & s.f) ^ (~s.e & s.g)) + word;
  const unsigned second = (Turned(s.a, 2) ^ Turned(s.a, 13) ^ Turned(s.a, 22)) +
                          ((s.a & s.b) ^ (s.a & s.c) ^ (s.b & s.c));
  s = {first + second, s.a, s.b, s.c, s.d + first, s.e, s.f, s.g};
}

__device__ unsigned Extended(unsigned before16, unsigned before15, unsigned before7,
                             unsigned before2) {
  return before16 + (Turned(before15, 7) ^ Turned(before15, 18) ^ before15 >> 3) + before7 +
         (Turned(before2, 17) ^ Turned(before2, 19) ^ before2 >> 10);
}

__device__ Digest Start() {
  return {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
}

__device__ Digest Sum(const Digest& x, const Digest& y) {
  return {x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d, x.e + y.e, x.f + y.f, x.g + y.g, x.h + y.h};
}

__global__ void DigestBySchedule(const unsigned* messages, Digest* digests, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned words[64];
  for (unsigned k = 0; k < 16; ++k) words[k] = messages[i * 16 + k];
#pragma unroll 1
  for (unsigned k = 16; k < 64; ++k) {
    words[k] = Extended(words[k - 16], words[k - 15], words[k - 7], words[k - 2]);
  }
  Digest digest = Start();
#pragma unroll 1
  for (unsigned k = 0; k < 64; ++k) Round(digest, words[k] + round_constants[k]);
  digests[i] = Sum(digest, Start());
}

__global__ void DigestInRegisters(const unsigned* messages, Digest* digests, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned words[16];
#pragma unroll
  for (unsigned k = 0; k < 16; ++k) words[k] = messages[k * n + i];
  Digest digest = Start();
#pragma unroll
  for (unsigned k = 0; k < 64; ++k) {
    if (k >= 16) {
      words[k % 16] =
          Extended(words[k % 16], words[(k + 1) % 16], words[(k + 9) % 16], words[(k + 14) % 16]);
    }
    Round(digest, words[k % 16] + round_constants[k]);
  }
  digests[i] = Sum(digest, Start());
}

// The messages are kept in both orders. The constants need not be the standard's.
struct Messages {
  explicit Messages(unsigned n)
      : n(n),
        rows(Numbers(n * 16)),
        columns(Filled<unsigned>(n * 16, [=](unsigned i) { return Mixed(i % n * 16 + i / n); })),
        digests(std::make_shared<lab::DeviceArray<Digest>>(n)) {
    unsigned constants[64];
    for (unsigned k = 0; k < 64; ++k) constants[k] = Mixed(k + 1000);
    CUDA_CHECK(cudaMemcpyToSymbol(round_constants, constants, sizeof(constants)));
  }
  std::vector<double> Results() const {
    std::vector<double> results;
    for (const Digest& digest : digests->OnHost()) {
      results.insert(results.end(), {double(digest.a), double(digest.d), double(digest.h)});
    }
    return results;
  }
  unsigned n;
  NumberArray rows, columns;
  std::shared_ptr<lab::DeviceArray<Digest>> digests;
};

void RunDigestBySchedule(const Messages& p) {
  DigestBySchedule<<<Blocks(p.n, 192), 192>>>(p.rows->data(), p.digests->data(), p.n);
}

void RunDigestInRegisters(const Messages& p) {
  DigestInRegisters<<<Blocks(p.n, 192), 192>>>(p.columns->data(), p.digests->data(), p.n);
}

}  // namespace

std::vector<Problem> Checksums() {
  return {
      Of<Packets>("Check", {256, 4096, 1 << 17},
                  {{"bits", RunCheckBits}, {"bytes", RunCheckBytes}, {"words", RunCheckWords}}),
      Of<Messages>("Digest", {384, 1 << 13, 1 << 17},
                   {{"schedule", RunDigestBySchedule}, {"registers", RunDigestInRegisters}}),
  };
}

}  // namespace predict::exercises
