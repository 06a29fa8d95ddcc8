// Hostile: seven macros that expand to ten to the eighth words, to use up memory and time;
// compiling has limits.
// Or: memory_limit

// clang-format off
#define A 0,0,0,0,0,0,0,0,0,0
#define B A,A,A,A,A,A,A,A,A,A
#define C B,B,B,B,B,B,B,B,B,B
#define D C,C,C,C,C,C,C,C,C,C
#define E D,D,D,D,D,D,D,D,D,D
#define F E,E,E,E,E,E,E,E,E,E
#define G F,F,F,F,F,F,F,F,F,F
char bomb[] = {G,G,G,G,G,G,G,G,G,G};
// clang-format on
