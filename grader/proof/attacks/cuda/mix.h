#pragma once

#include <cstdint>

#include "common/cuda/device_span.h"

/// Mixes each of `values` 64 times with the finaliser of MurmurHash3, with a thread for each.
///
/// @param values  n numbers in device memory, n >= 0, read only.
/// @param mixed   gets the n results; what it holds before is not read.
/// @param stream  where the kernel is launched.
/// @throws a std::exception when a call of the runtime fails.
void Mix(DeviceSpan<const std::uint32_t> values, DeviceSpan<std::uint32_t> mixed,
         cudaStream_t stream);
