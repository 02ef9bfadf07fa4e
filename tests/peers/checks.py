"""What all checks with other programs take: the program, texts, and a list of results."""
import json
import os
import subprocess
import time
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MINIBERT = os.environ.get("MINIBERT", os.path.join(ROOT, "build", "minibert"))
WORK = os.environ.get("PEERS_WORK", os.path.join(ROOT, "build", "peers", "work"))
TOLERANCE = 1e-4  # of float32 in two programs

# What a keyboard, a web page and a Mac give, beside sentences.
ODD_TEXTS = [
    "  앞뒤에  공백이   있다 ",
    "한글",  # decomposed, as a Mac's file names
    "㈜한빛은 5㎏을 ½ 샀다. ﷺ",
    "Ａｐｐｌｅ　전각　문자",
    "ㅋㅋㅋㅋㅋㅋ ㅠㅠ ㅇㅋ",
    "뷁㉿ 뛣 😀👨‍👩‍👧 ❤️",
    "漢字와 かな, ABC abc É é",
    "줄\t바꿈\u00a0공백\u200b문자",
    "1,234.5원/㎡ (약 3%)…!?",
    "가나다" * 30,
]


def run(*arguments, stdin=None, check=True):
    """What the program prints; its last line of complaint as the error where it fails."""
    done = subprocess.run([MINIBERT, *map(str, arguments)], input=stdin, capture_output=True, text=True, cwd=ROOT)
    if check and done.returncode != 0:
        raise RuntimeError(f"minibert {' '.join(map(str, arguments))}: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout


def json_lines(*arguments, stdin=None):
    return [json.loads(line) for line in run(*arguments, "--json", stdin=stdin).splitlines()]


def korean_sentences(count=200):
    """Sentences of the shipped encyclopedia's held-out articles."""
    path = os.path.join(ROOT, "experiments/data/kowiki-small/kowiki-small-dev.txt.zst")
    text = subprocess.run(["zstd", "-dcq", path], capture_output=True, check=True).stdout.decode()
    sentences = [part.strip() + "다." for line in text.splitlines() for part in line.split("다. ") if 15 < len(part) < 90]
    return sentences[:: max(1, len(sentences) // count)][:count]


class Results:
    def __init__(self, versions):
        self.versions, self.all = versions, []

    def check(self, name, peer, work):
        """work() -> (passed, figures)."""
        begun = time.time()
        try:
            passed, figures = work()
        except Exception as error:  # what a peer throws is the result
            passed, figures = False, {"error": f"{type(error).__name__}: {str(error).strip()[:300]}"}
            if os.environ.get("PEERS_DEBUG"):
                traceback.print_exc()
        one = {"check": name, "peer": peer, "passed": bool(passed), "figures": figures}
        self.all.append(one)
        told = ", ".join(f"{key} {value}" for key, value in figures.items())
        print(f"{'ok    ' if passed else 'FAILED'} {name:46} {told} ({time.time() - begun:.1f} s)", flush=True)

    def write(self, path):
        with open(path, "w") as file:
            json.dump({"versions": self.versions, "checks": self.all}, file, indent=1, ensure_ascii=False)


def short(value):
    return float(f"{value:.2g}")
