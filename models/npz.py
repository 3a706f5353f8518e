"""Files of arrays that may be damaged."""

from __future__ import annotations

import os
import zipfile
import zlib

import numpy as np

DAMAGED = (  # what numpy and zipfile raise at such files, depending on where the damage is
    AttributeError,
    EOFError,
    KeyError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
)


def read_npz(path: str | os.PathLike) -> dict[str, np.ndarray]:
    """All arrays of a file; FileNotFoundError if it is not there, ValueError if it is damaged or no such file."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except FileNotFoundError:
        raise
    except DAMAGED:
        raise ValueError(f"{path}: this is no .npz file, or it is damaged") from None
