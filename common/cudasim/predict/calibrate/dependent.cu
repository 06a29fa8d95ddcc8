// The program of dependent.h: see RunWorkloads().

#include "common/cudasim/predict/calibrate/dependent.h"

int main(int argc, char** argv) {
  std::vector<predict::Workload> all = calibrate::Chains();
  for (const auto& part : {calibrate::Walks(), calibrate::Gathers()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return predict::RunWorkloads(all, argc, argv);
}
