#!/usr/bin/env python3
"""Recomputes a run record's figures from its predictions, without any code of minibert.

usage: check_predictions.py RECORD...

Reads /predictions (id, gold, prediction and further columns) and the attributes of /summary with h5py,
makes every figure that it knows again, and compares: a line a figure. Exits 1 when one differs by more
than 1e-9 of its size, when a column of exact_match or f1 differs from what gold and prediction give, or
when a record has no figure to check; 2 for bad arguments.

Answers (exact_match, f1 with texts) are scored by the rules of the official KorQuAD 1.0 scorer, 0-100,
with several right answers, one a line, by the best; labels by accuracy, macro_f1, matthews; sets of
labels by label_micro_f1, label_macro_f1, jaccard; numbers by pearson, spearman; tags by entity_macro_f1 (strict
IOB2, as KLUE) and character_macro_f1 (O aside). Any other number column whose name stands in the summary
is a mean; of pretraining's (WEIGHTS) one in which an instance counts as its column of weights says, and
mlm_accuracy is the share of pieces of gold that are those of prediction.
"""
import collections
import re
import string
import sys

import h5py
import numpy as np

QUOTES = "'\"《》<>〈〉()‘’"


def normalized(answer):
    for mark in QUOTES:
        answer = answer.replace(mark, " ")
    kept = "".join(c for c in answer.lower() if c not in set(string.punctuation))
    return " ".join(kept.split())


def answer_exact_match(gold, prediction):
    return float(normalized(gold) == normalized(prediction))


def answer_f1(gold, prediction):
    a = collections.Counter(normalized(gold).replace(" ", ""))
    b = collections.Counter(normalized(prediction).replace(" ", ""))
    common = sum((a & b).values())
    if common == 0:
        return 0.0
    precision, recall = common / sum(b.values()), common / sum(a.values())
    return 2 * precision * recall / (precision + recall)


def best(score):
    """Of several right answers, one a line of gold, the best counts."""
    return lambda gold, prediction: max(score(answer, prediction) for answer in gold.split("\n"))


def f1_of_counts(correct, gold, predicted):
    return [2 * correct[k] / (gold[k] + predicted[k]) for k in set(gold) | set(predicted)]


def macro_f1(gold, prediction, without=()):
    counts = [collections.Counter(), collections.Counter(), collections.Counter()]
    for g, p in zip(gold, prediction):
        counts[1][g] += 1
        counts[2][p] += 1
        counts[0][g] += g == p
    for label in without:
        for counter in counts:
            counter.pop(label, None)
    scores = f1_of_counts(*counts)
    return np.mean(scores) if scores else 0.0


def matthews(gold, prediction):
    """As the correlation of the indicator matrices, which is how Gorodkin defines it."""
    labels = sorted(set(gold) | set(prediction))
    x = np.array([[label == p for label in labels] for p in prediction], float)
    y = np.array([[label == g for label in labels] for g in gold], float)
    x -= x.mean(axis=0)
    y -= y.mean(axis=0)
    scale = np.sqrt((x * x).sum() * (y * y).sum())
    return (x * y).sum() / scale if scale > 1e-12 * len(gold) else 0.0


def pearson(x, y):
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return 0.0
    return np.corrcoef(x, y)[0, 1]


def ranks(values):
    """1 for the smallest; equal values share their mean rank."""
    values = np.asarray(values)
    below = (values[None, :] < values[:, None]).sum(axis=1)
    equal = (values[None, :] == values[:, None]).sum(axis=1)
    return below + (equal + 1) / 2


def entities(tags):
    """Spans {(type, begin, end)} that match B-X (I-X)* in the tags of one text."""
    text = "".join(f"<{tag}>" for tag in tags.split(" ")) if tags else ""
    begins = [match.start() for match in re.finditer("<", text)]
    return {
        (match[1], begins.index(match.start()), begins.index(match.start()) + match[0].count("<"))
        for match in re.finditer(r"<B-([^>]+)>(?:<I-\1>)*", text)
    }


def entity_macro_f1(gold, prediction):
    counts = [collections.Counter(), collections.Counter(), collections.Counter()]
    for g, p in zip(gold, prediction):
        true, found = entities(g), entities(p)
        for counter, spans in zip(counts, (true & found, true, found)):
            counter.update(span[0] for span in spans)
    scores = f1_of_counts(*counts)
    return np.mean(scores) if scores else 0.0


def character_macro_f1(gold, prediction):
    def tags(column):
        return [tag for text in column for tag in text.split(" ") if tag]

    return macro_f1(tags(gold), tags(prediction), without=["O"])


def pieces_right(gold, prediction):
    pairs = [pair for g, p in zip(gold, prediction) for pair in zip(g.split(" "), p.split(" "), strict=True)]
    return np.mean([g == p for g, p in pairs if g])


def label_f1s(gold, prediction):
    """F1 of all labels together, and of each label that is true or predicted somewhere."""
    gold = [set(text.split("|")) - {""} for text in gold]
    prediction = [set(text.split("|")) - {""} for text in prediction]

    def f1(labels):
        right = sum(len(g & p & labels) for g, p in zip(gold, prediction))
        return 2 * right / sum(len(g & labels) + len(p & labels) for g, p in zip(gold, prediction))

    everything = set().union(*gold, *prediction)
    return (f1(everything), [f1({label}) for label in everything]) if everything else (0, [0])


def shared_labels(gold, prediction):
    """The share of the labels of either that both have; 1 where neither has one."""
    gold, prediction = (set(text.split("|")) - {""} for text in (gold, prediction))
    return len(gold & prediction) / len(gold | prediction) if gold | prediction else 1.0


WEIGHTS = {
    "mlm_accuracy": "targets", "mlm_accuracy_masked": "masked_targets", "mlm_loss": "targets",
    "lm_accuracy": "targets", "lm_loss": "targets",
    "loss_per_byte": "bytes",
}
OF_TEXTS = {
    "accuracy": lambda gold, prediction: np.mean([g == p for g, p in zip(gold, prediction)]),
    "macro_f1": macro_f1,
    "matthews": matthews,
    "label_micro_f1": lambda gold, prediction: label_f1s(gold, prediction)[0],
    "label_macro_f1": lambda gold, prediction: np.mean(label_f1s(gold, prediction)[1]),
    "jaccard": lambda gold, prediction: np.mean([shared_labels(*pair) for pair in zip(gold, prediction)]),
    "entity_macro_f1": entity_macro_f1,
    "character_macro_f1": character_macro_f1,
    "mlm_accuracy": pieces_right,
}
OF_NUMBERS = {
    "pearson": pearson,
    "spearman": lambda gold, prediction: pearson(ranks(gold), ranks(prediction)),
}
OF_ANSWERS = {"exact_match": best(answer_exact_match), "f1": best(answer_f1)}


def read(path):
    with h5py.File(path, "r") as file:
        summary = {name: float(value) for name, value in file["summary"].attrs.items()}
        columns = {}
        for name, column in file.get("predictions", {}).items():
            columns[name] = column.asstr()[()].tolist() if column.dtype.kind in "SO" else column[()]
    return summary, columns


def check(path):
    """Lines of what was checked, and how many of them are wrong."""
    summary, columns = read(path)
    gold, prediction = columns.get("gold"), columns.get("prediction")
    texts = isinstance(gold, list) and isinstance(prediction, list)
    numbers = isinstance(gold, np.ndarray) and isinstance(prediction, np.ndarray)
    lines, wrong = [], 0

    def compare(name, found, stored):
        nonlocal wrong
        differs = not abs(found - stored) <= 1e-9 * max(1, abs(stored))
        wrong += differs
        lines.append(f"{path}: {name}: stored {stored!r}, from predictions {float(found)!r}"
                     + (" DIFFERS" if differs else ""))

    for name, stored in sorted(summary.items()):
        if texts and name in OF_TEXTS:
            compare(name, OF_TEXTS[name](gold, prediction), stored)
        elif numbers and name in OF_NUMBERS:
            compare(name, OF_NUMBERS[name](gold, prediction), stored)
        elif texts and name in OF_ANSWERS and name in columns:
            scores = [OF_ANSWERS[name](g, p) for g, p in zip(gold, prediction)]
            compare(name, 100 * np.mean(scores), stored)
            compare(f"column {name}, largest difference",
                    np.max(np.abs(np.array(scores) - columns[name])), 0.0)
        elif isinstance(columns.get(name), np.ndarray):
            compare(name, np.average(columns[name], weights=columns.get(WEIGHTS.get(name))), stored)
    if not lines:
        return [f"{path}: no figure to check (predictions: {', '.join(columns) or 'none'})"], 1
    return lines, wrong


def main(paths):
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    wrong = 0
    for path in paths:
        try:
            lines, of_path = check(path)
        except (OSError, KeyError) as error:
            lines, of_path = [f"{path}: {error}"], 1
        print("\n".join(lines))
        wrong += of_path
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
