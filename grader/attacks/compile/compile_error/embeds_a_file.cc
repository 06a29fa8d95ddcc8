// Hostile: #embed copies a hidden file; a directive that reads a file is refused.
// Or: policy
const unsigned char bytes[] = {
#embed "/var/tmp/grader_attack_canary"
};
