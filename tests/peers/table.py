"""The table of what was checked with which programs.

table.py FOLDER [PEER=REASON…] joins what the checks found in the folder to build/peers.json and prints it. If every
check passed and no peer was skipped, it also writes tests/peers/checked.json. It exits 1 if a check failed.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "checked.json")
PARTS = ("export", "import", "keras", "files", "runs", "recipes", "bundler")
OTHER = "weights; curves"
# How the names of a kind of check begin, and what it is.
KINDS = {
    "pieces of": "210 texts cut into the same pieces",
    "states of": "last hidden state",
    "fill-mask of": 'masked LM, and `pipeline("fill-mask")`',
    "sentence pairs of": "sentence head",
    "loss of": "loss, where labels are given",
    "labels of": "classification, with labels",
    "tags of": "tags, with labels",
    "spans of": "start and end of answers",
    "back again:": "saved again by transformers",
    "import": "imports, layer by layer",
    "the course's": "the course's pretraining model (S0), saved",
    "onnx of": "ONNX, rows of several lengths",
    "names in the ONNX": "ONNX, checked, with names",
    "safetensors of": OTHER,
    "curves of": OTHER,
    "database of runs": "runs as a database",
    "recipes": "recipes of OWN_DATA, read again",
    "npm package": "the npm package in a page",
}
# Kinds whose peers stand in one row.
TOGETHER = {OTHER: "safetensors, TensorBoard"}
# Figures that are differences of float32 numbers; others count.
DIFFERENCES = ("difference", "probability", "logits", "loss", "batch", "record")


def kind_of(check):
    return next((told for begin, told in KINDS.items() if check.startswith(begin)), check)


def rows_of(found):
    """[what, peer, passed, of, largest difference or null] a kind and peer."""
    rows = {}
    for one in found:
        kind = kind_of(one["check"])
        rows.setdefault((kind, TOGETHER.get(kind, one["peer"])), []).append(one)
    out = []
    for (kind, peer), checks in rows.items():
        numbers = [value for one in checks for key, value in one["figures"].items()
                   if isinstance(value, float) and any(word in key for word in DIFFERENCES)]
        passed = sum(one["passed"] for one in checks)
        out.append([kind, peer, passed, len(checks), max(numbers) if numbers else None])
    return out


def markdown(kept):
    lines = ["| what | peer | passed | largest difference |", "|---|---|---|---|"]
    for what, peer, passed, count, difference in kept["rows"]:
        told = "" if difference is None else f"{difference:.1e}"
        lines.append(f"| {what} | {peer} | {passed} of {count} | {told} |")
    versions = ", ".join(f"{name} {version}" for name, version in kept["versions"].items())
    return "\n".join(lines) + f"\n\nVersions: {versions}.\n"


def joined(folder, skipped):
    versions, found = {}, []
    for name in PARTS:
        path = os.path.join(folder, name + ".json")
        if os.path.exists(path):
            with open(path) as file:
                part = json.load(file)
            versions.update(part["versions"])
            found += part["checks"]
    passed = sum(one["passed"] for one in found)
    with open(os.path.join(os.path.dirname(os.path.abspath(folder)), "..", "peers.json"), "w") as file:
        json.dump({"versions": versions, "passed": passed, "failed": len(found) - passed, "skipped": skipped,
                   "checks": found}, file, indent=1, ensure_ascii=False)
    print("\n| check | peer | result | figures |\n|---|---|---|---|")
    for one in found:
        figures = ", ".join(f"{key} {value}" for key, value in one["figures"].items())
        print(f"| {one['check']} | {one['peer']} | {'ok' if one['passed'] else 'FAILED'} | {figures} |")
    kept = {"versions": versions, "rows": rows_of(found)}
    print("\n" + markdown(kept))
    for peer, reason in skipped.items():
        print(f"skipped: {peer}: {reason}")
    print(f"{passed} passed, {len(found) - passed} failed, {len(skipped)} skipped")
    missing = [name for name in PARTS if not os.path.exists(os.path.join(folder, name + ".json"))]
    if found and passed == len(found) and not skipped and not missing:
        with open(KEPT, "w") as file:
            file.write(json.dumps(kept, ensure_ascii=False).replace("[[", "[\n[").replace("], [", "],\n[") + "\n")
    return 0 if found and passed == len(found) else 1


if __name__ == "__main__":
    sys.exit(joined(sys.argv[1], dict(one.split("=", 1) for one in sys.argv[2:])))
