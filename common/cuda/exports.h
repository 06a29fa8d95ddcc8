#pragma once

// The exports of a CUDA lab include this before common/lab/exports/exports.h.

#include "common/cuda/parameter.h"
