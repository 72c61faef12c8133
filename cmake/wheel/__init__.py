"""Blitz: an OpenMP runtime that takes the place of libgomp and libomp in programs that are already built."""
