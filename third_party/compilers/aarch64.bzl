"""The compiler of --config=aarch64, as Debian and Ubuntu package it (g++-aarch64-linux-gnu)."""

AARCH64_GXX = "/usr/bin/aarch64-linux-gnu-g++"
