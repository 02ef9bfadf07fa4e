"""Joins what the checks found to build/peers.json, prints it, and then the table of experiments/EXCHANGE.md: one
row a kind of check. Arguments: folder, skipped peers as PEER=REASON."""
import json
import os
import sys

OTHER = "weights; curves; every shipped record"
KINDS = {
    "pieces of": "210 texts cut into the same pieces",
    "states of": "last hidden state",
    "fill-mask of": "masked LM, and `pipeline(\"fill-mask\")`",
    "sentence pairs of": "sentence head",
    "labels of": "classification, with labels",
    "tags of": "tags, with labels",
    "spans of": "start and end of answers",
    "back again:": "saved again by transformers",
    "import": "imports, layer by layer",
    "fine-tune": "an import is where an arm begins",
    "the course's": "the course's `.hdf5` files",
    "onnx of": "ONNX, rows of several lengths",
    "safetensors of": OTHER,
    "curves of": OTHER,
    "every shipped record": OTHER,
    "npm package": "the npm package in a page",
}


def kind_of(check):
    return next((told for begin, told in KINDS.items() if check.startswith(begin)), check)


def largest(checks):
    numbers = [value for one in checks for key, value in one["figures"].items()
               if isinstance(value, float) and key not in ("parameters",)]
    return f"{max(numbers):.1e}" if numbers else ""


def summary(found, skipped):
    rows = {}
    for one in found:
        kind = kind_of(one["check"])
        rows.setdefault((kind, "safetensors, TensorBoard, h5py" if kind == OTHER else one["peer"]), []).append(one)
    lines = ["| what | peer | passed | largest difference |", "|---|---|---|---|"]
    for (kind, peer), checks in rows.items():
        passed = sum(one["passed"] for one in checks)
        lines.append(f"| {kind} | {peer} | {passed} of {len(checks)} | {largest(checks)} |")
    lines += [f"| all | {peer} | skipped: {reason} | |" for peer, reason in skipped.items()]
    return "\n".join(lines)


def main():
    folder = sys.argv[1]
    versions, found = {}, []
    for name in ("export", "import", "keras", "files", "bundler"):
        path = os.path.join(folder, name + ".json")
        if os.path.exists(path):
            with open(path) as file:
                part = json.load(file)
            versions.update(part["versions"])
            found += part["checks"]
    skipped = dict(one.split("=", 1) for one in sys.argv[2:])
    passed = sum(one["passed"] for one in found)
    with open(os.path.join(os.path.dirname(os.path.abspath(folder)), "..", "peers.json"), "w") as file:
        json.dump({"versions": versions, "passed": passed, "failed": len(found) - passed, "skipped": skipped,
                   "checks": found}, file, indent=1, ensure_ascii=False)
    print("\n| check | peer | result | figures |\n|---|---|---|---|")
    for one in found:
        figures = ", ".join(f"{key} {value}" for key, value in one["figures"].items())
        print(f"| {one['check']} | {one['peer']} | {'ok' if one['passed'] else 'FAILED'} | {figures} |")
    print("\n" + summary(found, skipped))
    print("\n" + ", ".join(f"{name} {version}" for name, version in versions.items()))
    print(f"{passed} passed, {len(found) - passed} failed, {len(skipped)} peers skipped")
    sys.exit(0 if found and passed == len(found) else 1)


if __name__ == "__main__":
    main()
