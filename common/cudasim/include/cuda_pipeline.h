// __pipeline_memcpy_async() and its relatives.
#pragma once

#include "cuda_pipeline_primitives.h"
