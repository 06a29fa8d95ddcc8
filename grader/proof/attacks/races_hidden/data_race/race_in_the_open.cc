// Hostile: a plain data race; shows that the other attacks have one to hide.
// Or: policy

unsigned counted;  // by all threads at the same time

void Count() { ++counted; }
