#!/usr/bin/env python3
"""Soft targets for blanks in single sentences: a pretrained model and Kiwi's language model judge the words together.

  pip install kiwipiepy==0.24.1 kiwipiepy_model==0.24.0
  kiwi_targets.py score --run RECORD --sentences FILE --count 40000 --out scores.jsonl
  kiwi_targets.py fit scores.jsonl
  kiwi_targets.py mix scores.jsonl … --out blanks.jsonl
  kiwi_targets.py mix scores.jsonl --true-share 1 --out blanks-control.jsonl
  kiwi_targets.py rank --run RECORD --list tests/quality/cloze_report.json

`score` takes sentences at random, puts a blank in each, and writes the model's best words with the logarithm of their
probability and with Kiwi's score of the sentence that holds them. `mix` makes probabilities of both: the softmax of
(log p + weight * score) / temperature. `fit` prints how probable the true words are for several weights and
temperatures. `rank` counts the right first guesses of the model, of Kiwi and of both among the model's best words.
"""

import argparse
import hashlib
import importlib.metadata
import json
import math
import os
import random
import re
import subprocess
import sys

VERSIONS = {"kiwipiepy": "0.24.1", "kiwipiepy_model": "0.24.0"}
LANGUAGE_MODEL = ("cong.mdl", "5f64105e45f04e5313f41c0ff1db5fe629780c8076c4a6fd3b1b2cf78c2cc934")
SENTENCE = re.compile(r"[가-힣0-9A-Za-z ,.?!%~]{10,45}")
HANGUL = re.compile(r"[가-힣]+")
SHARED = 12  # letters in a row that a sentence shares with none of the lists that models are measured by
CHUNK = 1000
MASK = "[MASK]"


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def load_kiwi():
    import kiwipiepy
    import kiwipiepy_model

    for package, version in VERSIONS.items():
        found = importlib.metadata.version(package)
        if found != version:
            sys.exit(f"{package}: found {found}, expected {version}")
    name, digest = LANGUAGE_MODEL
    path = os.path.join(kiwipiepy_model.get_model_path(), name)
    if (found := sha256(path)) != digest:
        sys.exit(f"{path}: found SHA-256 {found}, expected {digest}")
    return kiwipiepy.Kiwi(num_workers=1, model_type="cong")


def scores(kiwi, sentences):
    """Kiwi's log score of each sentence."""
    return [found[0][1] for found in kiwi.analyze(sentences, top_n=1)]


def guesses(arguments, texts):
    """The model's best words for the blank of each text: pairs of a piece and its probability."""
    command = [arguments.minibert, "fill-mask", "--run", arguments.run, "--top-k", str(arguments.top), "--json"]
    found = subprocess.run(command, input="\n".join(texts) + "\n", capture_output=True, text=True)
    if found.returncode != 0:
        sys.exit(found.stderr)
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    if len(rows) != len(texts):
        sys.exit(f"fill-mask: found {len(rows)} answers, expected {len(texts)}")
    best = [[(one["piece"], one["probability"]) for one in row["masks"][0]["guesses"]] for row in rows]
    return [[(piece, p) for piece, p in row if HANGUL.fullmatch(piece.lstrip("▁"))] for row in best]


def letters(text):
    return "".join(c for c in text if c.isalnum())


def measured(paths):
    """All runs of SHARED letters in the filled sentences of lists."""
    out = set()
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for sentence in json.load(file)["sentences"]:
                for word in sentence["accept"]:
                    text = letters(sentence["text"].replace(MASK, word))
                    out.update(text[i : i + SHARED] for i in range(max(1, len(text) - SHARED + 1)))
    return out


def blank(kiwi, sentence, pieces, chance):
    """A sentence with a blank and the piece that stood there, or None. A blank is the noun that a word begins with, or
    a word without a noun; both only where the vocabulary has them as one piece."""
    tokens = {}
    for token in kiwi.tokenize(sentence):
        tokens.setdefault(token.start, token)
    nouns, others = [], []
    for word in re.finditer(r"[가-힣]+", sentence):
        begin, end = word.span()
        if begin > 0 and sentence[begin - 1] != " ":
            continue
        at = begin
        while at < end and at in tokens and tokens[at].tag in ("NNG", "NNP", "NP", "NR") and tokens[at].len > 0:
            at += tokens[at].len
        found, into = ((begin, at), nouns) if at > begin else ((begin, end), others)
        if "▁" + sentence[slice(*found)] in pieces:
            into.append(found)
    if not nouns and not others:
        return None
    begin, end = chance.choice(nouns if nouns and (not others or chance.random() < 0.8) else others)
    return sentence[:begin] + MASK + sentence[end:], "▁" + sentence[begin:end]


def score(arguments):
    kiwi = load_kiwi()
    chance = random.Random(arguments.seed)
    shown = subprocess.run(
        [arguments.minibert, "tokenizer", "show", "--model", arguments.run, "--json"], capture_output=True, text=True
    )
    if shown.returncode != 0:
        sys.exit(shown.stderr)
    pieces = {one["piece"] for one in json.loads(shown.stdout)}
    held = measured(arguments.exclude)
    with open(arguments.sentences, encoding="utf-8") as file:
        lines = sorted({line.strip() for line in file})
    lines = [line for line in lines if SENTENCE.fullmatch(line) and line.count(" ") >= 2]
    chance.shuffle(lines)
    blanks, excluded = [], 0
    for line in lines:
        if len(blanks) == arguments.count:
            break
        text = letters(line)
        if any(text[i : i + SHARED] in held for i in range(max(1, len(text) - SHARED + 1))):
            excluded += 1
        elif found := blank(kiwi, line, pieces, chance):
            blanks.append(found)
    print(f"{len(lines)} sentences, {excluded} left out, {len(blanks)} blanks", file=sys.stderr, flush=True)
    made_of = {
        **VERSIONS,
        "language_model": LANGUAGE_MODEL[1],
        "run": sha256(arguments.run),
        "sentences": sha256(arguments.sentences),
        "exclude": {os.path.basename(path): sha256(path) for path in arguments.exclude},
        "seed": arguments.seed,
        "top": arguments.top,
        "excluded": excluded,
    }
    with open(arguments.out, "w", encoding="utf-8") as out:
        print(json.dumps({"made_of": made_of}), file=out)
        for at in range(0, len(blanks), CHUNK):
            part = blanks[at : at + CHUNK]
            best = guesses(arguments, [text for text, _ in part])
            for row, (_, word) in zip(best, part):
                # A word that is not among the best is as probable as the last of them.
                if word not in dict(row):
                    row.append((word, min((p for _, p in row), default=1e-9)))
            filled = [text.replace(MASK, piece.lstrip("▁")) for row, (text, _) in zip(best, part) for piece, _ in row]
            found = iter(scores(kiwi, filled))
            for row, (text, word) in zip(best, part):
                told = [[piece, round(math.log(max(p, 1e-12)), 3), round(next(found), 2)] for piece, p in row]
                print(json.dumps({"text": text, "word": word, "guesses": told}, ensure_ascii=False), file=out)
            out.flush()
            print(at + len(part), file=sys.stderr, flush=True)


def joint(row, weight, temperature):
    """The probabilities of a row's guesses by both models."""
    told = [(log_p + weight * kiwi) / temperature for _, log_p, kiwi in row["guesses"]]
    most = max(told)
    exps = [math.exp(x - most) for x in told]
    return [x / sum(exps) for x in exps]


def rows_of(path):
    with open(path, encoding="utf-8") as file:
        made_of = json.loads(next(file))["made_of"]
        return made_of, [json.loads(line) for line in file]


def fit(arguments):
    rows = rows_of(arguments.scores)[1][: arguments.count]
    print("weight temperature log-probability first")
    for weight in (0, 0.25, 0.5, 0.75, 1, 1.5):
        for temperature in (1, 1.5, 2, 3):
            total = first = 0
            for row in rows:
                told = joint(row, weight, temperature)
                at = [piece for piece, _, _ in row["guesses"]].index(row["word"])
                total += math.log(max(told[at], 1e-12))
                first += told[at] == max(told)
            print(f"{weight} {temperature} {total / len(rows):.4f} {first / len(rows):.4f}")


def mix(arguments):
    parts, rows = [], []
    for path in arguments.scores:
        made_of, more = rows_of(path)
        parts.append(made_of)
        rows += more
    chosen = {"weight": arguments.weight, "temperature": arguments.temperature, "true_share": arguments.true_share}
    print(json.dumps({"scores": parts, **chosen}), file=sys.stderr)
    with open(arguments.out, "w", encoding="utf-8") as out:
        for row in rows:
            told = {row["word"]: arguments.true_share}
            for (piece, _, _), p in zip(row["guesses"], joint(row, arguments.weight, arguments.temperature)):
                told[piece] = told.get(piece, 0) + (1 - arguments.true_share) * p
            best = sorted(told.items(), key=lambda one: -one[1])[:16]
            kept = {piece: round(p, 4) for piece, p in best if p >= 5e-4}
            print(json.dumps({"text": row["text"], "targets": kept}, ensure_ascii=False), file=out)
    print(sha256(arguments.out), arguments.out)


def rank(arguments):
    kiwi = load_kiwi()
    with open(arguments.list, encoding="utf-8") as file:
        sentences = json.load(file)["sentences"]
    best = guesses(arguments, [one["text"] for one in sentences])
    right = dict.fromkeys(("model", "among", "kiwi", "both"), 0)
    for sentence, row in zip(sentences, best):
        words = [piece.lstrip("▁") for piece, _ in row]
        told = scores(kiwi, [sentence["text"].replace(MASK, word) for word in words])
        both = [math.log(max(p, 1e-12)) + arguments.weight * z for (_, p), z in zip(row, told)]
        right["model"] += words[0] in sentence["accept"]
        right["among"] += any(word in sentence["accept"] for word in words)
        right["kiwi"] += words[told.index(max(told))] in sentence["accept"]
        right["both"] += words[both.index(max(both))] in sentence["accept"]
    print(json.dumps({"sentences": len(sentences), **right}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    command = commands.add_parser("score")
    command.add_argument("--sentences", required=True, help="one a line (minibert data make-sentences)")
    command.add_argument("--exclude", nargs="*", default=[], help="lists of sentences that models are measured by")
    command.add_argument("--count", type=int, default=40000)
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--out", required=True)
    command.set_defaults(run_command=score, top=40)
    ranking = commands.add_parser("rank")
    ranking.add_argument("--list", required=True, help="as tests/quality/cloze_report.json")
    ranking.add_argument("--weight", type=float, default=1)
    ranking.set_defaults(run_command=rank, top=50)
    for one in (command, ranking):
        one.add_argument("--run", required=True, help="pretraining record with weights")
        one.add_argument("--minibert", default="build/minibert")
        one.add_argument("--top", type=int, help="words of the model's that Kiwi judges")

    command = commands.add_parser("fit")
    command.add_argument("scores")
    command.add_argument("--count", type=int, default=5000)
    command.set_defaults(run_command=fit)

    command = commands.add_parser("mix")
    command.add_argument("scores", nargs="+")
    command.add_argument("--weight", type=float, default=1)
    command.add_argument("--temperature", type=float, default=1.5)
    command.add_argument("--true-share", type=float, default=0.2, help="share of the word that stood there; 1: alone")
    command.add_argument("--out", required=True)
    command.set_defaults(run_command=mix)

    arguments = parser.parse_args()
    arguments.run_command(arguments)


if __name__ == "__main__":
    main()
