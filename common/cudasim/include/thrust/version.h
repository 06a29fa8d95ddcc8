// The version of Thrust whose interface the simulator's part of it has.
#pragma once

#define THRUST_VERSION 200300
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 3
