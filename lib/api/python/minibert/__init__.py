"""minibert for Python: the engine (a C library beside this file; no LibTorch, no other package).

    import minibert
    model = minibert.Engine("everyday-1m.mbq")
    model.fill("제2차 세계 [MASK]은 1945년에 끝났다.")["masks"][0]["guesses"][0]["text"]
"""
from .engine import Engine, Error, version

__version__ = version()
__all__ = ["Engine", "Error", "version"]
