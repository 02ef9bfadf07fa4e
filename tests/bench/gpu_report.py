# Puts what tests/bench/gpu.sh found into one JSON. Usage: gpu_report.py WORK RESULTS OUT.
import glob
import json
import os
import sys
import xml.etree.ElementTree as ElementTree


def lines_of(path):
    return open(path, encoding="utf-8", errors="replace").read().splitlines() if os.path.exists(path) else []


def cases_of(path):
    """Catch2's cases by name: passed or not."""
    try:
        root = ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, FileNotFoundError):
        return {}
    return {case.get("name"): case.find("OverallResult").get("success") == "true"
            for case in root.iter("TestCase") if case.find("OverallResult") is not None}


def objects_of(path):
    found = []
    for line in lines_of(path):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def main():
    work, results, out = sys.argv[1:]
    report = {"machine": lines_of(os.path.join(work, "machine")), "parts": {}}
    for line in lines_of(os.path.join(work, "parts")):
        name, status, seconds = line.split("\t")
        errors = lines_of(os.path.join(work, name + ".err"))
        part = {"status": int(status), "seconds": int(seconds)}
        if int(status) != 0:
            part["stopped_for_time"] = int(status) in (124, 137)
            part["last_line"] = errors[-1] if errors else ""
        report["parts"][name] = part
    correctness = report["parts"].get("correctness")
    if correctness:
        cases = cases_of(os.path.join(work, "correctness.out"))
        correctness.update({"passed": sum(cases.values()), "failed": sorted(n for n, ok in cases.items() if not ok)})
    if "speed" in report["parts"]:
        report["parts"]["speed"]["results"] = objects_of(os.path.join(work, "speed.out"))
    for experiment in ("kowiki_mini_bert", "korquad_lstm_vs_bert"):
        if experiment not in report["parts"]:
            continue
        text = "\n".join(lines_of(os.path.join(work, experiment + ".out")))
        try:
            report["parts"][experiment]["comparison"] = json.loads(text)
        except ValueError:
            pass  # it was stopped before its table
        report["parts"][experiment]["records"] = sorted(
            glob.glob(os.path.join(results, experiment, "**", "*.h5"), recursive=True))
    with open(out, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=2, ensure_ascii=False)
        file.write("\n")
    for name, part in report["parts"].items():
        print(f"{name:22} status {part['status']}, {part['seconds']} s")
    print("written to " + out)
    failed = [name for name, part in report["parts"].items()
              if part["status"] != 0 and not part["stopped_for_time"]]
    return 1 if failed else 0


sys.exit(main())
