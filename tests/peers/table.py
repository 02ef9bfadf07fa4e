"""The table of what was checked with which programs.

table.py FOLDER [PEER=REASON…]   joins what the checks found in the folder to build/peers.json, prints it, and where
                                 every check passed and no peer was skipped keeps it in tests/peers/checked.json;
                                 exits 1 where a check failed
table.py --language en|ko        prints what is kept as Markdown, for experiments/EXCHANGE.md (`make tables`)
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, "checked.json")
PARTS = ("export", "import", "keras", "files", "runs", "recipes", "bundler")
OTHER = ("weights; curves", "가중치, 학습 곡선")
# How the names of a kind of check begin, and what it is in English and Korean.
KINDS = {
    "pieces of": ("210 texts cut into the same pieces", "같은 조각으로 나눈 글 210개"),
    "states of": ("last hidden state", "마지막 은닉 상태"),
    "fill-mask of": ('masked LM, and `pipeline("fill-mask")`', 'MLM과 `pipeline("fill-mask")`'),
    "sentence pairs of": ("sentence head", "문장 헤드"),
    "loss of": ("loss, where labels are given", "라벨을 주면 나오는 손실"),
    "labels of": ("classification, with labels", "분류와 라벨"),
    "tags of": ("tags, with labels", "태깅과 라벨"),
    "spans of": ("start and end of answers", "답의 시작과 끝"),
    "back again:": ("saved again by transformers", "transformers가 다시 저장"),
    "import": ("imports, layer by layer", "가져오기, 층마다"),
    "the course's": ("the course's pretraining model (S0), saved", "강의(S0)의 사전학습 모델을 저장한 파일"),
    "onnx of": ("ONNX, rows of several lengths", "ONNX, 길이가 다른 행"),
    "names in the ONNX": ("ONNX, checked, with names", "ONNX 검사와 이름"),
    "safetensors of": OTHER,
    "curves of": OTHER,
    "database of runs": ("runs as a database", "기록의 데이터베이스"),
    "recipes": ("recipes of OWN_DATA, read again", "OWN_DATA의 변환 방법, 다시 읽기"),
    "npm package": ("the npm package in a page", "페이지의 npm 패키지"),
}
# Kinds whose peers stand in one row.
TOGETHER = {OTHER: "safetensors, TensorBoard"}
HEADINGS = {"en": ("what", "peer", "passed", "largest difference"), "ko": ("무엇", "프로그램", "통과", "가장 큰 차이")}
COUNT = {"en": "{0} of {1}", "ko": "{1} 중 {0}"}
VERSIONS = {"en": "Versions: ", "ko": "버전: "}
# Figures that are differences of float32 numbers; others count.
DIFFERENCES = ("difference", "probability", "logits", "loss", "batch", "record")


def kind_of(check):
    return next((told for begin, told in KINDS.items() if check.startswith(begin)), (check, check))


def rows_of(found):
    """[English, Korean, peer, passed, of, largest difference or null] a kind and peer."""
    rows = {}
    for one in found:
        kind = kind_of(one["check"])
        rows.setdefault((kind, TOGETHER.get(kind, one["peer"])), []).append(one)
    out = []
    for (kind, peer), checks in rows.items():
        numbers = [value for one in checks for key, value in one["figures"].items()
                   if isinstance(value, float) and any(word in key for word in DIFFERENCES)]
        passed = sum(one["passed"] for one in checks)
        out.append([*kind, peer, passed, len(checks), max(numbers) if numbers else None])
    return out


def markdown(kept, language):
    lines = ["| " + " | ".join(HEADINGS[language]) + " |", "|---|---|---|---|"]
    for english, korean, peer, passed, count, difference in kept["rows"]:
        told = "" if difference is None else f"{difference:.1e}"
        what = korean if language == "ko" else english
        lines.append(f"| {what} | {peer} | {COUNT[language].format(passed, count)} | {told} |")
    versions = ", ".join(f"{name} {version}" for name, version in kept["versions"].items())
    return "\n".join(lines) + "\n\n" + VERSIONS[language] + versions + ".\n"


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
    print("\n" + markdown(kept, "en"))
    for peer, reason in skipped.items():
        print(f"skipped: {peer}: {reason}")
    print(f"{passed} passed, {len(found) - passed} failed, {len(skipped)} skipped")
    missing = [name for name in PARTS if not os.path.exists(os.path.join(folder, name + ".json"))]
    if found and passed == len(found) and not skipped and not missing:
        with open(KEPT, "w") as file:
            file.write(json.dumps(kept, ensure_ascii=False).replace("[[", "[\n[").replace("], [", "],\n[") + "\n")
    return 0 if found and passed == len(found) else 1


def main(arguments):
    if arguments[0] == "--language":
        with open(KEPT) as file:
            print(markdown(json.load(file), arguments[1]), end="")
        return 0
    return joined(arguments[0], dict(one.split("=", 1) for one in arguments[1:]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
