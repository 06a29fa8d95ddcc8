#pragma once

#include <cstdint>
#include <span>

/// Mixes each of `values` 64 times with the finaliser of MurmurHash3, with several threads.
///
/// @param values       n numbers, n >= 0, read only.
/// @param num_threads  how many threads mix, >= 1. May be larger than n.
/// @param mixed        gets the n results; what it holds before is not read.
void Mix(std::span<const std::uint32_t> values, int num_threads, std::span<std::uint32_t> mixed);
