#pragma once

// A lab for the checker's own tests.

#include <algorithm>
#include <cstddef>
#include <span>
#include <thread>
#include <vector>

// roots[i] = the square root of values[i], to within 1e-5 of its size. Same sizes, no overlap.
void Roots(std::span<const float> values, std::span<float> roots);

// As Roots, by that many threads at once.
void TeamRoots(std::span<const float> values, std::span<float> roots, int num_threads);

// base plus all values.
double Total(std::span<const double> values, int base);

// Calls body(share of values, share of roots) on each of num_threads threads.
template <typename Body>
void InTeam(std::span<const float> values, std::span<float> roots, int num_threads,
            const Body& body) {
  const std::size_t share = values.size() / static_cast<std::size_t>(num_threads) + 1;
  std::vector<std::jthread> team;
  for (std::size_t first = 0; first < values.size(); first += share) {
    const std::size_t size = std::min(share, values.size() - first);
    team.emplace_back([=] { body(values.subspan(first, size), roots.subspan(first, size)); });
  }
}
