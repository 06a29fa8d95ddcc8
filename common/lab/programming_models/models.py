"""The programming models that labs can have: a new one is registered here."""

from common.lab.programming_models.cpu import CPU
from common.lab.programming_models.cuda import CUDA
from common.lab.programming_models.model import ProgrammingModel
from common.lab.programming_models.mpi import MPI
from common.lab.programming_models.opencl import OPENCL

MODELS: dict[str, ProgrammingModel] = {model.name: model for model in (CPU, CUDA, MPI, OPENCL)}

ENDINGS = frozenset(f".{model.language}" for model in MODELS.values())
"""What the names of students' files end with."""
