// The program of blind.h: see RunWorkloads().

#include "common/cudasim/predict/measure/blind/blind.h"

int main(int argc, char** argv) {
  std::vector<predict::Workload> all;
  for (const auto& part :
       {blind::Simulations(), blind::Matrices(), blind::Images(), blind::Sorting(),
        blind::Lookups(), blind::Graphs(), blind::Statistics()}) {
    blind::Append(all, part);
  }
  return predict::RunWorkloads(all, argc, argv);
}
