#pragma once

// A lab for the checker's own tests.

#include <span>

// roots[i] = the square root of values[i], to within 1e-5 of its size. Same sizes, no overlap.
void Roots(std::span<const float> values, std::span<float> roots);

// base plus all values.
double Total(std::span<const double> values, int base);
