#include "common/cudasim/predict/measure/compared_versions.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace predict {
namespace {

std::vector<Workload> WorkloadsOf(const std::vector<Problem>& problems) {
  std::vector<Workload> all;
  for (const Problem& problem : problems) {
    for (const Version& version : problem.versions) {
      all.push_back({problem.name + "." + version.name, problem.sizes, [=](int size) {
                       const Call call = version.prepare(static_cast<unsigned>(size));
                       return [=](cudaStream_t) { call.run(); };
                     }});
    }
  }
  return all;
}

// The results of the second call, so that a call that needs the state before the first is seen.
std::vector<double> ResultsOf(const Version& version, int size) {
  const Call call = version.prepare(static_cast<unsigned>(size));
  call.run();
  call.run();
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
  return call.results();
}

// Prints where the results differ; whether they are the same up to rounding.
bool AreTheSame(const std::vector<double>& a, const std::vector<double>& b, const char* name) {
  std::size_t wrong = a.size() == b.size() ? 0 : 1;
  std::size_t first = 0;
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    sum += std::abs(a[i]);
    if (std::abs(a[i] - b[i]) <= 1e-3 * (1 + std::abs(a[i]))) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0 && sum > 0) return true;
  std::printf("%s: %zu of %zu differ, %zu first: %g, %g\n", name, wrong, a.size(), first, a[first],
              b[first]);
  return false;
}

int Check(const std::vector<Problem>& problems, std::size_t which) {
  int wrong = 0;
  for (const Problem& problem : problems) {
    const int size = problem.sizes.at(which);
    const std::vector<double> expected = ResultsOf(problem.versions.front(), size);
    for (const Version& version : problem.versions) {
      const std::string name = problem.name + "." + version.name + "_" + std::to_string(size);
      if (!AreTheSame(expected, ResultsOf(version, size), name.c_str())) ++wrong;
    }
  }
  std::printf("%d versions differ from the first of their problem\n", wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int RunOrCheck(const std::vector<std::vector<Problem>>& parts, int argc, char** argv) {
  std::vector<Problem> all;
  for (const std::vector<Problem>& part : parts) all.insert(all.end(), part.begin(), part.end());
  if (argc > 1 && std::string(argv[1]) == "--check") {
    return Check(all, argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 0);
  }
  return RunWorkloads(WorkloadsOf(all), argc, argv);
}

}  // namespace predict
