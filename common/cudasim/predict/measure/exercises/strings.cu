// Texts of four letters, as genes.

#include <cuda_runtime.h>

#include <string>

#include "common/cudasim/predict/measure/exercises/exercises.h"

namespace predict::exercises {
namespace {

// A letter's number, from 0 to 3: a, c, t, g.
__device__ __host__ unsigned Code(unsigned char letter) { return letter >> 1 & 3; }

// How often each of the 1024 words of 5 letters occurs: a thread counts one in global memory, one
// in the block's counters, or 16 of which each shares 4 letters with the one before.
constexpr unsigned kLetters = 5;
constexpr unsigned kWords = 1 << 2 * kLetters;
constexpr unsigned kEach = 16;

__device__ unsigned WordAt(const unsigned char* text, unsigned i) {
  unsigned word = 0;
  for (unsigned k = 0; k < kLetters; ++k) word = word << 2 | Code(text[i + k]);
  return word;
}

__global__ void CountWordsGlobal(const unsigned char* text, unsigned* counts, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + kLetters <= n) atomicAdd(&counts[WordAt(text, i)], 1u);
}

__device__ void Clear(unsigned* counts) {
  for (unsigned word = threadIdx.x; word < kWords; word += blockDim.x) counts[word] = 0;
  __syncthreads();
}

__device__ void AddTo(unsigned* counts, const unsigned* mine) {
  __syncthreads();
  for (unsigned word = threadIdx.x; word < kWords; word += blockDim.x) {
    if (mine[word] > 0) atomicAdd(&counts[word], mine[word]);
  }
}

__global__ void CountWordsShared(const unsigned char* text, unsigned* counts, unsigned n) {
  __shared__ unsigned mine[kWords];
  Clear(mine);
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i + kLetters <= n;
       i += gridDim.x * blockDim.x) {
    atomicAdd(&mine[WordAt(text, i)], 1u);
  }
  AddTo(counts, mine);
}

__global__ void CountWordsRolling(const unsigned char* text, unsigned* counts, unsigned n) {
  __shared__ unsigned mine[kWords];
  Clear(mine);
  const unsigned first = (blockIdx.x * blockDim.x + threadIdx.x) * kEach;
  const unsigned end = min(first + kEach + kLetters - 1, n);
  unsigned word = 0;
  for (unsigned i = first; i < end; ++i) {
    word = (word << 2 | Code(text[i])) & (kWords - 1);
    if (i + 1 >= first + kLetters) atomicAdd(&mine[word], 1u);
  }
  AddTo(counts, mine);
}

std::shared_ptr<lab::DeviceArray<unsigned char>> Gene(unsigned n) {
  return Filled<unsigned char>(n, [](unsigned i) { return "acgtaact"[Mixed(i) % 8]; });
}

struct Genes {
  explicit Genes(unsigned n) : n(n), text(Gene(n)), counts(Room<unsigned>(kWords)) {}
  std::vector<double> Results() const { return OnHost(counts); }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<unsigned char>> text;
  NumberArray counts;
};

void RunCountWordsGlobal(const Genes& p) {
  p.counts->Fill(0);
  CountWordsGlobal<<<Blocks(p.n), 256>>>(p.text->data(), p.counts->data(), p.n);
}

void RunCountWordsShared(const Genes& p) {
  p.counts->Fill(0);
  const unsigned blocks = std::min(Blocks(p.n, 1024), 264u);
  CountWordsShared<<<blocks, 512>>>(p.text->data(), p.counts->data(), p.n);
}

void RunCountWordsRolling(const Genes& p) {
  p.counts->Fill(0);
  CountWordsRolling<<<Blocks(p.n, 256 * kEach), 256>>>(p.text->data(), p.counts->data(), p.n);
}

// How often any of 8 patterns occurs: a thread tries all at its place; or it follows an automaton
// through 32 places, in global or in shared memory. Source: Aho, Corasick, Communications of the
// ACM 18, 1975.
constexpr unsigned kPatterns = 8;
constexpr unsigned kLongest = 8;
constexpr unsigned kStates = 64;
constexpr unsigned kPlaces = 32;
const char* const kTexts[kPatterns] = {"acgt",  "gattaca", "ttt",  "cagc",
                                       "caacc", "tatata",  "aaat", "gcgaacc"};

struct Pattern {
  unsigned length;
  unsigned char letters[kLongest];
};

// An entry has the next state, and the number of patterns that end there shifted by 8.
using Automaton = const unsigned short*;

__device__ void AddCounts(unsigned mine, unsigned* count) {
  for (int lanes = 16; lanes > 0; lanes /= 2) mine += __shfl_down_sync(kAllLanes, mine, lanes);
  if (threadIdx.x % 32 == 0 && mine > 0) atomicAdd(count, mine);
}

__global__ void FindByPatterns(const unsigned char* text, const Pattern* patterns, unsigned* count,
                               unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned found = 0;
  for (unsigned p = 0; p < kPatterns; ++p) {
    const unsigned length = patterns[p].length;
    if (i + length > n) continue;
    unsigned k = 0;
    while (k < length && text[i + k] == patterns[p].letters[k]) ++k;
    if (k == length) ++found;
  }
  AddCounts(found, count);
}

__device__ unsigned Walk(const unsigned char* text, Automaton automaton, unsigned n) {
  const unsigned begin = (blockIdx.x * blockDim.x + threadIdx.x) * kPlaces;
  const unsigned end = min(begin + kPlaces, n);
  unsigned state = 0;
  unsigned found = 0;
  for (unsigned i = begin > kLongest ? begin - kLongest : 0; i < end; ++i) {
    const unsigned entry = automaton[state * 4 + Code(text[i])];
    state = entry & 255;
    if (i >= begin) found += entry >> 8;
  }
  return found;
}

__global__ void FindByAutomaton(const unsigned char* text, Automaton automaton, unsigned* count,
                                unsigned n) {
  AddCounts(Walk(text, automaton, n), count);
}

__global__ void FindInShared(const unsigned char* text, Automaton automaton, unsigned* count,
                             unsigned n) {
  __shared__ unsigned short mine[kStates * 4];
  for (unsigned i = threadIdx.x; i < kStates * 4; i += blockDim.x) mine[i] = automaton[i];
  __syncthreads();
  AddCounts(Walk(text, mine, n), count);
}

// The state of a text is its longest end that begins a pattern.
std::vector<unsigned short> MadeAutomaton() {
  std::vector<std::string> states = {""};
  for (const std::string pattern : kTexts) {
    for (std::size_t k = 1; k <= pattern.size(); ++k) {
      const std::string begin = pattern.substr(0, k);
      if (std::find(states.begin(), states.end(), begin) == states.end()) states.push_back(begin);
    }
  }
  std::vector<unsigned short> made(kStates * 4);
  for (std::size_t state = 0; state < states.size(); ++state) {
    for (const char letter : {'a', 'c', 'g', 't'}) {
      std::string text = states[state] + letter;
      auto next = states.end();
      while ((next = std::find(states.begin(), states.end(), text)) == states.end())
        text.erase(0, 1);
      unsigned ends = 0;
      for (const std::string pattern : kTexts) ends += text.ends_with(pattern) ? 1 : 0;
      made.at(state * 4 + Code(static_cast<unsigned char>(letter))) =
          static_cast<unsigned short>(ends << 8 | static_cast<unsigned>(next - states.begin()));
    }
  }
  return made;
}

struct Searched {
  explicit Searched(unsigned n)
      : n(n),
        text(Gene(n)),
        automaton(std::make_shared<lab::DeviceArray<unsigned short>>(MadeAutomaton())),
        count(Room<unsigned>(1)) {
    patterns = Filled<Pattern>(kPatterns, [](unsigned p) {
      const std::string letters = kTexts[p];
      Pattern made = {static_cast<unsigned>(letters.size()), {}};
      std::copy(letters.begin(), letters.end(), made.letters);
      return made;
    });
  }
  std::vector<double> Results() const { return OnHost(count); }
  unsigned n;
  std::shared_ptr<lab::DeviceArray<unsigned char>> text;
  std::shared_ptr<lab::DeviceArray<unsigned short>> automaton;
  NumberArray count;
  std::shared_ptr<lab::DeviceArray<Pattern>> patterns;
};

void RunFindByPatterns(const Searched& p) {
  p.count->Fill(0);
  FindByPatterns<<<Blocks(p.n), 256>>>(p.text->data(), p.patterns->data(), p.count->data(), p.n);
}

template <void (*kKernel)(const unsigned char*, Automaton, unsigned*, unsigned)>
void RunFind(const Searched& p) {
  p.count->Fill(0);
  kKernel<<<Blocks(p.n, 128 * kPlaces), 128>>>(p.text->data(), p.automaton->data(), p.count->data(),
                                               p.n);
}

}  // namespace

std::vector<Problem> Strings() {
  return {
      Of<Genes>("CountWords", {1 << 13, 1 << 17, 1 << 23},
                {{"global", RunCountWordsGlobal},
                 {"shared", RunCountWordsShared},
                 {"rolling", RunCountWordsRolling}}),
      Of<Searched>("Find", {1 << 13, 1 << 17, 1 << 21},
                   {{"patterns", RunFindByPatterns},
                    {"automaton", RunFind<FindByAutomaton>},
                    {"shared", RunFind<FindInShared>}}),
  };
}

}  // namespace predict::exercises
