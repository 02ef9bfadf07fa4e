"""The course's instance creation (S0: make_pretrain_data, then load_pre_train_data), step by step:
encode to pieces, JSON lines, load into arrays. Prints one JSON line with the seconds of each step.

    python3 course_instances.py TEXT MODEL FOLDER_FOR_FILES [N_SEQ]

Progress bars are left out, and `np.int`, which NumPy no longer has, is `np.int64`.
"""
import json
import os
import random
import sys
import time

import numpy as np
import sentencepiece as spm


def create_pretrain_mask(tokens, mask_cnt, vocab_list):
    cand_idx = []
    for i, token in enumerate(tokens):
        if token == "[CLS]" or token == "[SEP]":
            continue
        if 0 < len(cand_idx) and not token.startswith("\u2581"):
            cand_idx[-1].append(i)
        else:
            cand_idx.append([i])
    random.shuffle(cand_idx)

    mask_lms = []
    for index_set in cand_idx:
        if len(mask_lms) >= mask_cnt:
            break
        if len(mask_lms) + len(index_set) > mask_cnt:
            continue
        dice = random.random()
        for index in index_set:
            if dice < 0.8:
                masked_token = "[MASK]"
            elif dice < 0.9:
                masked_token = tokens[index]
            else:
                masked_token = random.choice(vocab_list)
            mask_lms.append({"index": index, "label": tokens[index]})
            tokens[index] = masked_token
    mask_lms = sorted(mask_lms, key=lambda x: x["index"])
    return tokens, [p["index"] for p in mask_lms], [p["label"] for p in mask_lms]


def trim_tokens(tokens_a, tokens_b, max_seq):
    while True:
        if len(tokens_a) + len(tokens_b) <= max_seq:
            break
        if len(tokens_a) > len(tokens_b):
            del tokens_a[0]
        else:
            tokens_b.pop()


def create_pretrain_instances(doc, n_seq, mask_prob, vocab_list):
    max_seq = n_seq - 3
    instances = []
    current_chunk = []
    current_length = 0
    for i in range(len(doc)):
        current_chunk.append(doc[i])
        current_length += len(doc[i])
        if 1 < len(current_chunk) and (i == len(doc) - 1 or current_length >= max_seq):
            a_end = random.randrange(1, len(current_chunk))
            tokens_a = []
            for j in range(a_end):
                tokens_a.extend(current_chunk[j])
            tokens_b = []
            for j in range(a_end, len(current_chunk)):
                tokens_b.extend(current_chunk[j])
            if random.random() < 0.5:
                is_next = 0
                tokens_a, tokens_b = tokens_b, tokens_a
            else:
                is_next = 1
            trim_tokens(tokens_a, tokens_b, max_seq)
            tokens = ["[CLS]"] + tokens_a + ["[SEP]"] + tokens_b + ["[SEP]"]
            segment = [0] * (len(tokens_a) + 2) + [1] * (len(tokens_b) + 1)
            tokens, mask_idx, mask_label = create_pretrain_mask(
                tokens, int((len(tokens) - 3) * mask_prob), vocab_list)
            instances.append({"tokens": tokens, "segment": segment, "is_next": is_next,
                              "mask_idx": mask_idx, "mask_label": mask_label})
            current_chunk = []
            current_length = 0
    return instances


def make_pretrain_data(vocab, in_file, out_file, n_seq, mask_prob=0.15):
    vocab_list = []
    for piece in range(7, len(vocab)):
        if not vocab.is_unknown(piece):
            vocab_list.append(vocab.id_to_piece(piece))

    def save_pretrain_instances(out_f, doc):
        for instance in create_pretrain_instances(doc, n_seq, mask_prob, vocab_list):
            out_f.write(json.dumps(instance, ensure_ascii=False))
            out_f.write("\n")

    with open(in_file, "r") as in_f:
        for _ in in_f:
            pass
    with open(in_file, "r") as in_f, open(out_file, "w") as out_f:
        doc = []
        for line in in_f:
            line = line.strip()
            if line == "":
                if 0 < len(doc):
                    save_pretrain_instances(out_f, doc)
                    doc = []
            else:
                pieces = vocab.encode_as_pieces(line)
                if 0 < len(pieces):
                    doc.append(pieces)
        if 0 < len(doc):
            save_pretrain_instances(out_f, doc)


def load_pre_train_data(vocab, filename, n_seq, folder):
    total = 0
    with open(filename, "r") as f:
        for _ in f:
            total += 1

    def memmap(name, shape):
        return np.memmap(filename=os.path.join(folder, name), mode="w+", dtype=np.int32,
                         shape=shape)

    enc_tokens = memmap("enc_tokens.memmap", (total, n_seq))
    segments = memmap("segments.memmap", (total, n_seq))
    labels_nsp = memmap("labels_nsp.memmap", (total,))
    labels_mlm = memmap("labels_mlm.memmap", (total, n_seq))
    with open(filename, "r") as f:
        for i, line in enumerate(f):
            data = json.loads(line)
            enc_token = [vocab.piece_to_id(p) for p in data["tokens"]]
            enc_token += [0] * (n_seq - len(enc_token))
            segment = data["segment"]
            segment += [0] * (n_seq - len(segment))
            mask_idx = np.array(data["mask_idx"], dtype=np.int64)
            mask_label = np.array([vocab.piece_to_id(p) for p in data["mask_label"]],
                                  dtype=np.int64)
            label_mlm = np.full(n_seq, dtype=np.int64, fill_value=0)
            label_mlm[mask_idx] = mask_label
            enc_tokens[i] = enc_token
            segments[i] = segment
            labels_nsp[i] = data["is_next"]
            labels_mlm[i] = label_mlm
    return total


def main():
    text, model, folder = sys.argv[1:4]
    n_seq = int(sys.argv[4]) if len(sys.argv) > 4 else 128
    random.seed(1)
    vocab = spm.SentencePieceProcessor()
    vocab.load(model)
    lines = os.path.join(folder, "bert_pre_train.json")
    start = time.perf_counter()
    make_pretrain_data(vocab, text, lines, n_seq)
    made = time.perf_counter()
    instances = load_pre_train_data(vocab, lines, n_seq, folder)
    loaded = time.perf_counter()
    print(json.dumps({"instances": instances, "make_seconds": made - start,
                      "load_seconds": loaded - made, "seconds": loaded - start}))


if __name__ == "__main__":
    main()
