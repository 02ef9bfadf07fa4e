"""Run records: HDF5 files with everything about a training run (lib/record/layout.h names their parts)."""
import functools
import json
import os
import warnings


def _text(value):
    return value.decode() if isinstance(value, bytes) else value


def _column(dataset):
    return list(dataset.asstr()[()]) if dataset.dtype.kind in "OS" else dataset[()]


class Run:
    """A record. Large parts are read on first use.

    experiment, profile, arm, seed, status, started, finished, ended_by: what the run is.
    config, environment, data: how it was made, as dicts.
    summary: its figures by name.
    metrics: {split: {name: (steps, values)}}, NumPy arrays.
    predictions: {column: values}, a row an example; None where it keeps none.
    weights: {name: NumPy array}; empty where it keeps none.
    """

    def __init__(self, path):
        self.path = os.fspath(path)
        with self._file() as file:
            found = _text(file.attrs.get("format", ""))
            if found != "minibert-run":
                raise ValueError(f'{self.path}: found format "{found}", expected "minibert-run"')
            for name in ("experiment", "profile", "arm", "status", "started", "finished", "ended_by"):
                setattr(self, name, _text(file.attrs.get(name, "")))
            self.seed = int(file.attrs["seed"])
            for name in ("config", "environment", "data"):
                setattr(self, name, json.loads(_text(file[name][()])))
            self.summary = {name: float(value) for name, value in file["summary"].attrs.items()}

    def _file(self):
        try:
            import h5py
        except ImportError as error:
            raise ImportError("records are read with h5py: pip install h5py") from error
        return h5py.File(self.path, "r")

    @functools.cached_property
    def metrics(self):
        with self._file() as file:
            return {
                split: {name: (one["step"][()], one["value"][()]) for name, one in names.items()}
                for split, names in file.get("metrics", {}).items()
            }

    @functools.cached_property
    def predictions(self):
        with self._file() as file:
            if "predictions" not in file:
                return None
            return {name: _column(one) for name, one in file["predictions"].items()}

    @functools.cached_property
    def weights(self):
        with self._file() as file:
            return {name: one[()] for name, one in file["weights"].items()}

    def row(self):
        """Returns the run as one flat dict: its description and its figures."""
        names = ("experiment", "profile", "arm", "seed", "status", "path")
        return {**{name: getattr(self, name) for name in names}, **self.summary}


def run(path):
    """Returns the record at `path`. Raises OSError, or ValueError if it is no record."""
    return Run(path)


def runs(folder="results"):
    """Returns a dict for every record below the folder (Run.row), in the order of their paths: a table for
    pandas.DataFrame or polars.DataFrame. Leaves out other files and damaged records with a warning."""
    if not os.path.isdir(folder):
        raise NotADirectoryError(f"{folder}: no such folder")
    paths = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]
    rows = []
    for path in sorted(paths):
        if not path.endswith(".h5"):
            continue
        try:
            rows.append(Run(path).row())
        except (OSError, KeyError, ValueError) as error:
            warnings.warn(f"{path}: left out: {error}")
    return rows
