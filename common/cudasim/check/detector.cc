#include "common/cudasim/check/detector.h"

namespace cudasim {

constinit RaceDetector detector;

}  // namespace cudasim
