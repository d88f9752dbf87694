"""Tables of data as people publish them, read and turned into numbers: CSV, ARFF, KEEL's files,
LIBSVM's.

Pure Python, so that a folder can be converted where nothing else is installed.
"""

from arbora.lab.tables.encode import Encoded, encode
from arbora.lab.tables.raw import Column, Faulty, Raw
from arbora.lab.tables.read import SUFFIXES, read

__all__ = ["SUFFIXES", "Column", "Encoded", "Faulty", "Raw", "encode", "read"]
