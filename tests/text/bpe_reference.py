"""Byte-pair encoding by rescanning everything at every step (Sennrich, Haddow, Birch 2016, algorithm 1), for
tests of lib/text: prints words, pairs, then every merge with its count and the first five words after it, as
one JSON object a line.

    python3 bpe_reference.py MERGES TEXT…
"""
import json
import sys


def counts_of(words):
    counts = {}
    for symbols, count in words:
        for pair in zip(symbols, symbols[1:]):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def merged(symbols, pair):
    out = []
    i = 0
    while i < len(symbols):
        if tuple(symbols[i:i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return out


def main():
    frequency = {}
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8", newline="\n") as file:
            for line in file:
                for word in line.split():
                    frequency[word] = frequency.get(word, 0) + 1
    words = [(list(word) + ["</w>"], count) for word, count in frequency.items()]
    print(json.dumps({"words": len(words), "pairs": len(counts_of(words))}))
    for _ in range(int(sys.argv[1])):
        counts = counts_of(words)
        if not counts:
            break
        best = max(counts, key=counts.get)  # the first of several
        words = [(merged(symbols, best) if best[0] in symbols else symbols, count) for symbols, count in words]
        print(json.dumps({"left": best[0], "right": best[1], "count": counts[best],
                          "words": [" ".join(symbols) for symbols, _ in words[:5]]}))


if __name__ == "__main__":
    main()
