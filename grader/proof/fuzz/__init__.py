"""Fuzz targets for all readers of students' bytes."""
