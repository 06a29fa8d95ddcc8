// The part of CUB that the simulator has.
#pragma once

#include "block/block_reduce.cuh"
#include "block/block_scan.cuh"
#include "device/device_radix_sort.cuh"
#include "device/device_reduce.cuh"
#include "device/device_run_length_encode.cuh"
#include "device/device_scan.cuh"
#include "device/device_select.cuh"
#include "refused.cuh"
#include "warp/warp_reduce.cuh"
