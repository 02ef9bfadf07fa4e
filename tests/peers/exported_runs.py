"""Stored runs as an SQLite database in pandas; ONNX files in onnx. Arguments: results."""
import importlib.metadata
import json
import os
import sqlite3
import sys

import onnx
import pandas

import checks
from checks import run

QUESTION = (
    "SELECT experiment, arm, count(*) AS runs, avg(parameters) AS parameters FROM runs "
    "WHERE status = 'finished' GROUP BY experiment, arm ORDER BY experiment, arm"
)
CURVES = (
    "SELECT r.experiment, m.split, m.name, count(*) AS points, max(m.value) AS most FROM metrics m "
    "JOIN runs r ON r.run = m.run GROUP BY r.experiment, m.split, m.name ORDER BY 1, 2, 3"
)


def database():
    path = os.path.join(checks.WORK, "runs.db")
    run("export", "--format", "sqlite", "--out", path)
    return path


def ours(sql):
    return json.loads(run("query", sql, "--format", "json"))


def same(theirs, sql):
    """Whether these rows, as dictionaries, are those of `minibert query`."""
    wanted = ours(sql)
    wrong = sum(
        any(abs(value - row[key]) > 1e-9 * abs(value) if isinstance(value, float) else value != row[key]
            for key, value in one.items())
        for one, row in zip(wanted, theirs)
    )
    passed = len(wanted) == len(theirs) and len(wanted) > 10 and wrong == 0
    return passed, {"rows": len(theirs), "otherwise": wrong}


def in_pandas(path):
    with sqlite3.connect(path) as connection:
        frame = pandas.read_sql(CURVES, connection)
        runs = pandas.read_sql("SELECT * FROM runs", connection)
    passed, figures = same(frame.to_dict("records"), CURVES)
    counted = runs[runs.status == "finished"].groupby(["experiment", "arm"]).size()
    return passed and counted.sum() == sum(one["runs"] for one in ours(QUESTION)), {**figures, "runs": len(runs)}


def onnx_names(record):
    """What viewers show: every tensor and node has a name of its own, weights those of the record."""
    path = os.path.join(checks.WORK, "names.onnx")
    run("export", "--format", "onnx", "--run", record, "--out", path)
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    weights = [one.name for one in model.graph.initializer]
    nodes = [one.name for one in model.graph.node]
    named = all(nodes) and len(set(nodes)) == len(nodes) and len(set(weights)) == len(weights)
    of_record = sum(name.startswith("bert.") for name in weights)
    return named and of_record > 10, {"nodes": len(nodes), "weights of the record": of_record}


def main():
    results = checks.Results({name: importlib.metadata.version(name) for name in ("pandas", "onnx")})
    path = database()
    results.check("database of runs in pandas", "pandas", lambda: in_pandas(path))
    for record in ("results/kowiki_mini_bert/full/mini_bert_1m-s1.h5", "results/klue_ner/full-1-core/bert_1m_everyday-s1.h5"):
        results.check(f"names in the ONNX of {record.split('/')[1]}", "onnx", lambda: onnx_names(record))
    results.write(sys.argv[1])


if __name__ == "__main__":
    main()
