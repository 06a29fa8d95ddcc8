// Hostile: an include in digraphs and spliced lines; the scanner reads them as the compiler does.

// clang-format off
%:inc\
lude "/var/tmp/grader_attack_canary"
  // clang-format on
