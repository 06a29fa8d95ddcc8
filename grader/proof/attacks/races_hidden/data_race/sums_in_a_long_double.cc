// Hostile: races in a long double. ThreadSanitizer does not instrument accesses of 10 bytes.

long double sum;  // written by all threads at the same time

void Count() { sum += 1; }
