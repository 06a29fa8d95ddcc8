// Hostile: replaces the worker's main; the object must not define it.
int main() { return 0; }
