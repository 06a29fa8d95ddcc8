#pragma once

// The contract of a lab that exists to be got wrong.

#include <span>

// The sum of `values`.
double Sum(std::span<const float> values);

// sums[i] = start + values[0] + ... + values[i].
void Prefix(std::span<const int> values, std::span<int> sums, int start);
