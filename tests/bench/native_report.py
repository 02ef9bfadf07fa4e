# Collects the benchmarks' JSON lines from stdin: writes them with the program's version and machine to the file, and
# prints them as tables. Usage: native_report.py MINIBERT OUT.json <lines
import datetime
import json
import os
import subprocess
import sys


def cell(value):
    return f"{value:.4g}" if isinstance(value, float) else value if isinstance(value, str) else json.dumps(value)


def print_rows(rows):
    """Objects as a table under the keys of all of them; a missing value stays blank."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    lines = [keys] + [[cell(row[key]) if key in row else "" for key in keys] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print("    " + "  ".join(text.rjust(width) for text, width in zip(line, widths)))


def main():
    program, out = sys.argv[1:]
    results = [json.loads(line) for line in sys.stdin if line.strip()]
    machine = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    os.makedirs(os.path.dirname(out), exist_ok=True)
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"date": date, "machine": machine, "results": results}, file, indent=2, ensure_ascii=False)
        file.write("\n")
    print("\n".join(machine))
    for result in results:
        print("\n" + result["name"])
        for key, value in result.items():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                print("  " + key)
                print_rows(value)
            elif key != "name":
                print(f"  {key}: {cell(value)}")
    print("\nwritten to " + out)
    return 0 if results else 1


sys.exit(main())
