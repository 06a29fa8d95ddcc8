// The program of coursework.h: see predict::RunOrCheck().

#include "common/cudasim/predict/measure/coursework/coursework.h"

int main(int argc, char** argv) {
  using namespace predict::coursework;
  return predict::RunOrCheck({Reductions(), Scans(), Stencils(), Steps(), Dense(), Rows(), Sparse(),
                              Frontiers(), Arithmetic(), Layouts()},
                             argc, argv);
}
