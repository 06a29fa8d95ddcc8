"""The students' copy of the workspace: what is in it, its proof, and how it is published."""
