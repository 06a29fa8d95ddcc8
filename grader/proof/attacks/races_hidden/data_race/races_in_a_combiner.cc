// Hostile: races in a function that combines the results of a reduction, where Archer lets
// ThreadSanitizer ignore what it does.

int combined;  // written by all threads at the same time

void Combine(int& into, int from) {
  ++combined;
  into += from;
}
#pragma omp declare reduction(combine:int : Combine(omp_out, omp_in))

void Count() {
  int counted = 0;
#pragma omp parallel num_threads(1) reduction(combine : counted)
  ++counted;
}
