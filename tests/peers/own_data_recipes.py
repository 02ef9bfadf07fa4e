"""The examples and the pandas recipes of OWN_DATA.md, run on small inputs and read by minibert.

own_data_recipes.py RESULTS.json
"""
import ast
import importlib.metadata
import json
import os
import pathlib
import re
import shutil
import sys

import pandas as pd

import checks

DOCUMENTS = ("experiments/OWN_DATA.md", "experiments/OWN_DATA.ko.md")
SAMPLE = "experiments/sample"
ROWS = 4  # of every input


def blocks(document):
    """(language, code) of a document's blocks in its order."""
    text = pathlib.Path(checks.ROOT, document).read_text()
    return [one for one in re.findall(r"```(\w+)\n(.*?)```", text, re.S) if one[0] in ("csv", "json", "conll", "python")]


def texts():
    return [f"글 {i}" for i in range(ROWS)]


def table(**columns):
    return pd.DataFrame(columns)


def spreadsheet():
    table(내용=texts(), 등급=["가", "나"] * 2).to_excel("in.xlsx", index=False)


def one_hot():
    table(text=texts(), 기쁨=[1, 0] * 2, 슬픔=[0, 1] * 2).to_csv("in.csv", index=False)


def marks():
    table(text=texts(), 기쁨=["O", "X"] * 2, 슬픔=["X", "X", "O", "O"]).to_csv("in.csv", index=False)


def folders():
    for i, text in enumerate(texts()):
        folder = pathlib.Path("in", "가" if i % 2 else "나")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{i}.txt").write_text(text)


def units():
    table(text=texts(), 평점=["85점", "4.5/5", "3점", "12.25점"]).to_csv("in.csv", index=False)


def two_headers():
    pathlib.Path("in.csv").write_text("감상문 2026,\n학생,교사\n글,등급\n" + "".join(f"{t},{'가나'[i % 2]}\n" for i, t in enumerate(texts())))


def nested():
    rows = [{"sentence1": t, "sentence2": "둘", "labels": {"label": i + 0.5}} for i, t in enumerate(texts())]
    pathlib.Path("in.json").write_text(json.dumps(rows))


def python_lists():
    table(text=texts(), labels=["['기쁨', '슬픔']", "['기쁨']", "[]", "['슬픔']"]).to_csv("in.csv", index=False)


def letters():
    table(질문=texts(), 보기1="가", 보기2="나", 보기3="다", 정답=["A", "C", "B", "A"]).to_csv("in.csv", index=False)


def questions():
    table(context=[f"{i}번 문단의 수도는 서울이다." for i in range(ROWS)], question="수도는?", answer="서울").to_csv("in.csv", index=False)


def token_lists():
    table(tokens=[["서울", "에"]] * ROWS, tags=[["B-LC", "O"]] * ROWS).to_json("in.jsonl", orient="records", lines=True)


def spans():
    table(text=["나는 서울시에 간다"] * ROWS, label=[[[3, 6, "LC"]]] * ROWS).to_json("in.jsonl", orient="records", lines=True)


# In the document's order: what makes the input, what it becomes, its columns, and what is counted in it.
RECIPES = (
    (spreadsheet, "out.csv", (), {"labels": {"가": 2, "나": 2}}),
    (one_hot, "out.csv", (), {"labels": {"기쁨": 2, "슬픔": 2}}),
    (marks, "out.csv", ('label=["기쁨", "슬픔"]',), {"labels": {"기쁨": 2, "슬픔": 2}}),
    (folders, "out.csv", (), {"labels": {"가": 2, "나": 2}}),
    (units, "out.csv", (), {"target": 4}),
    (two_headers, "out.csv", (), {"labels": {"가": 2, "나": 2}}),
    (nested, "out.csv", (), {"target": 4}),
    (python_lists, "out.jsonl", ("label_separator=list",), {"labels": {"기쁨": 2, "슬픔": 2}}),
    (letters, "out.csv", ("text=질문", "label=정답", 'choices=["보기1", "보기2", "보기3"]', "first_choice=0"),
     {"labels": {"1": 2, "2": 1, "3": 1}}),
    (questions, "out.json", (), {"questions": ROWS}),
    (token_lists, "out.conll", (), {"entity_types": {"LC": ROWS}}),
    (spans, "out.tsv", (), {"entity_types": {"LC": ROWS}}),
)
EXAMPLES = {"csv": ("reviews.csv", {"labels": {"긍정": 1, "부정": 1}}), "json": ("questions.json", {"questions": 1}),
            "conll": ("names.conll", {"entity_types": {"PS": 1, "LC": 1}})}


def read_back(file, columns, expected):
    """Whether minibert counts in the file what is expected."""
    options = [part for column in columns for part in ("--column", column)]
    # Questions that stand in a file that is held out are left out of training.
    train, dev = (f"{SAMPLE}/train.json", f"{SAMPLE}/dev.json") if "questions" in expected else (file, file)
    found = json.loads(checks.run("data", "stats", train, "--dev", dev, "--test", file, "--json", *options))["test"]
    if "target" in found:
        found["target"] = found["target"]["count"]
    counted = {key: found.get(key) for key in expected}
    return counted == expected, {"read": json.dumps(counted, ensure_ascii=False)}


def recipe(code, make, out, columns, expected):
    make()
    exec(compile(code, "OWN_DATA.md", "exec"), {"ast": ast, "json": json, "pathlib": pathlib, "pd": pd})
    return read_back(pathlib.Path(out).resolve(), columns, expected)


def example(code, name, expected):
    pathlib.Path(name).write_text(code)
    return read_back(pathlib.Path(name).resolve(), (), expected)


def main():
    results = checks.Results({"pandas": importlib.metadata.version("pandas")})
    out = os.path.abspath(sys.argv[1])
    found, korean = (blocks(document) for document in DOCUMENTS)
    results.check("recipes are the same in Korean", "pandas", lambda: (found == korean, {"blocks": len(found)}))
    recipes = [code for language, code in found if language == "python"]
    results.check("recipes are all tried", "pandas", lambda: (len(recipes) == len(RECIPES), {"recipes": len(recipes)}))
    folder = pathlib.Path(checks.WORK, "recipes").resolve()
    for name, work in [(RECIPES[i][0].__name__, lambda i=i: recipe(recipes[i], *RECIPES[i])) for i in range(len(recipes))] + [
        (EXAMPLES[language][0], lambda language=language, code=code: example(code, *EXAMPLES[language]))
        for language, code in found if language in EXAMPLES
    ]:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        os.chdir(folder)
        results.check(f"recipes of OWN_DATA: {name}", "pandas", work)
    results.write(out)
    sys.exit(0 if all(one["passed"] for one in results.all) else 1)


if __name__ == "__main__":
    main()
