// The program of exercises.h: see predict::RunOrCheck().

#include "common/cudasim/predict/measure/exercises/exercises.h"

int main(int argc, char** argv) {
  using namespace predict::exercises;
  return predict::RunOrCheck(
      {Alignment(), Factorization(), Diffusion(), Fluids(), Training(), Networks(), Attention(),
       Products(), Solvers(), Particles(), Rays(), Pictures(), Strings(), Checksums(), Integers(),
       Combinatorics(), Ordering(), Finance()},
      argc, argv);
}
