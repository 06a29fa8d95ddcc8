// thrust::device_free() is part of device_malloc.h here.
#pragma once

#include "device_malloc.h"
