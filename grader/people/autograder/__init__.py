"""One lab's grader as the zip file that Gradescope runs: built here, run in its containers."""
