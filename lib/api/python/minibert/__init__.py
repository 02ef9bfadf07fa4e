"""minibert for Python: the engine (a C library beside this file; no LibTorch, no other package) and a reader
of run records (needs h5py).

    import minibert
    model = minibert.Engine("everyday-1m.mbq")
    model.fill("제2차 세계 [MASK]은 1945년에 끝났다.")["masks"][0]["guesses"][0]["text"]
    minibert.run("results/…/bert_1m-s1.h5").summary["f1"]
    pandas.DataFrame(minibert.runs("results"))
"""
from .engine import Engine, Error, version
from .records import Run, run, runs

__version__ = version()
__all__ = ["Engine", "Error", "Run", "run", "runs", "version"]
