// __mbarrier_init() and its relatives, which stand beside those of pipelines.
#pragma once

#include "cuda_pipeline_primitives.h"
