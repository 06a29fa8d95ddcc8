// thrust::cuda::par is part of execution_policy.h here.
#pragma once

#include "../../execution_policy.h"
