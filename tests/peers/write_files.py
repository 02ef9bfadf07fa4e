"""Writes tests/peers/files, which tests without other programs read: small folders of transformers with what it
computes from them, and how its tokenizers cut texts. Argument: that folder."""
import hashlib
import json
import os
import shutil
import subprocess
import sys

import torch
import transformers as T
from tokenizers import BertWordPieceTokenizer

import checks
import transformers_export as export
import transformers_import as made

SIZES = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 12}
TEXT = "대한민국의 수도는 서울이다 the cafe"
TEXTS = ["대한민국의 수도는 [MASK]이다.", "The Café는 [MASK]!", "  the  수도는, 서울의 [MASK]"]


def pieces(lower):
    words = (TEXT if lower else TEXT + " The").split()
    letters = sorted(set("".join(words)))
    some = [word[:2] for word in words] + ["##" + word[2:] for word in words if len(word) > 2]
    out = made.SPECIAL + letters + ["##" + letter for letter in letters] + some + [".", ",", "!"]
    return list(dict.fromkeys(out))


def kept(folder, kind, config, tokenizer, rows=None, **others):
    model = made.randomized(kind(config(vocab_size=rows or len(tokenizer), max_position_embeddings=34, **others)))
    made.save(folder, model, tokenizer)
    return model, tokenizer


def bert(**others):
    return T.BertConfig(**{**SIZES, **others})


def cased(**others):
    return made.bert_tokenizer(pieces(False), do_lower_case=False, **others)


def bert_padded(folder):
    tokenizer = cased()
    rows = (len(tokenizer) + 15) // 16 * 16
    return kept(folder, T.BertForPreTraining, bert, tokenizer, rows=rows, hidden_act="gelu_new")


def vocab_alone(folder, tokenizer):
    """As checkpoints before tokenizer.json are."""
    os.remove(os.path.join(folder, "tokenizer.json"))
    with open(os.path.join(folder, "vocab.txt"), "w") as file:
        file.write("".join(piece + "\n" for piece, _ in sorted(tokenizer.get_vocab().items(), key=lambda one: one[1])))


def electra_vocab_and_settings(folder):
    tokenizer = made.bert_tokenizer(pieces(True), do_lower_case=False)
    pair = kept(folder, T.ElectraForPreTraining, lambda **o: T.ElectraConfig(embedding_size=4, **{**SIZES, **o}), tokenizer)
    vocab_alone(folder, tokenizer)
    with open(os.path.join(folder, "tokenizer_config.json"), "w") as file:
        json.dump({"do_lower_case": False, "model_max_length": 512}, file)
    return pair


def roberta_wordpiece(folder):
    special = ["[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]"]
    tokenizer = made.bert_tokenizer(special + pieces(False)[5:], do_lower_case=False)
    config = lambda **o: T.RobertaConfig(type_vocab_size=1, pad_token_id=1, bos_token_id=0, eos_token_id=2, **{**SIZES, **o})
    pair = kept(folder, T.RobertaForMaskedLM, config, tokenizer)
    vocab_alone(folder, tokenizer)
    return pair


def distilbert(folder):
    sizes = {"dim": 8, "n_layers": 2, "n_heads": 2, "hidden_dim": 12}
    pair = kept(folder, T.DistilBertForMaskedLM, lambda **o: T.DistilBertConfig(**sizes, **o), cased())
    vocab_alone(folder, pair[1])
    return pair


FOLDERS = [bert_padded, electra_vocab_and_settings, roberta_wordpiece, distilbert]


def rounded(tensor):
    return [float(f"{value:.7g}") for value in tensor.flatten().tolist()]


def expected(model, tokenizer):
    out = []
    for text in TEXTS + ["<이름>은 서울"]:
        inputs = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            hidden = model.base_model(**inputs).last_hidden_state[0]
            head = model(**inputs)
        ids = inputs["input_ids"][0].tolist()
        one = {"text": text, "pieces": tokenizer.convert_ids_to_tokens(ids), "hidden": rounded(hidden)}
        logits = getattr(head, "prediction_logits", None)
        logits = head.logits if logits is None else logits
        if tokenizer.mask_token_id in ids and logits.shape[-1] >= len(tokenizer):
            scores = logits[0, ids.index(tokenizer.mask_token_id)]
            one["logits"] = {piece: rounded(scores[i])[0] for piece, i in sorted(tokenizer.get_vocab().items())}
        if hasattr(head, "seq_relationship_logits"):
            one["follows"] = rounded(head.seq_relationship_logits.softmax(-1))[0]
        out.append(one)
    return out


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file, ensure_ascii=False, separators=(",", ":"))


def write_pieces(folder):
    """How the tokenizers library cuts texts with the tokenizer.json that goes out with the shipped model."""
    exported = export.export("results/kowiki_mini_bert/full/mini_bert_1m-s1.h5")
    tokenizer = T.AutoTokenizer.from_pretrained(exported, trust_remote_code=True)
    with open(os.path.join(exported, "tokenizer.json"), "rb") as file:
        told = {"sha256": hashlib.sha256(file.read()).hexdigest(), "texts": []}
    for text in checks.korean_sentences(60) + checks.ODD_TEXTS + export.MASKED:
        told["texts"].append({"text": text, "ids": tokenizer(text)["input_ids"]})
    write_json(os.path.join(folder, "sentencepiece_bpe.json"), told)


# Beside ODD_TEXTS: what BERT's treatment of text does to signs of many kinds.
ODD_WORDS = [
    "Ärger über Ñandú: naïve café, Senjō İstanbul ΟΔΟΣ ς Ǆungla",
    "戦場のヴァルキュリア3 漢字かな 서울은 대한민국의 수도이다 각",
    "tab\there no\u00adbreak zero\u200bwidth\u00a0em\u2003space\u3000ideographic\u2028x",
    "$100 ^caret `tick` a~b @-@ e-mail… “quotes” «guillemets» ¿qué?",
    "un[MASK]able [MASK] [CLS]x[SEP] [mask] [UNK] [",
    "emoji 😀 flags 🇰🇷 math ℝ ≠ ½ ² ﬁ ﷺ \ue000 \U000f0000",
    "العربية हिन्दी ไทย עברית é Å ạ\u0308 \u0301alone \u0345",
    "a" * 100 + "a b " + "a" * 100,
    "\uf907 \U0002f800 \u037e \u1fef ꙮ \ufffd \u0085",
]


def write_wordpieces(folder):
    """How the library cuts texts with the vocabulary of bert-base-uncased."""
    data = os.path.join(checks.ROOT, "experiments/data/bert-base-uncased/vocab.txt.zst")
    lines = subprocess.run(["zstd", "-dcq", data], capture_output=True, check=True).stdout.decode().split("\n")[:-1]
    tokenizer = BertWordPieceTokenizer({piece: i for i, piece in enumerate(lines)}, lowercase=True)
    with open(os.path.join(checks.ROOT, "experiments/sample/corpus.txt")) as file:
        texts = ODD_WORDS + checks.ODD_TEXTS + file.read().split("\n")[::4]
    told = [{"text": text, "ids": tokenizer.encode(text, add_special_tokens=False).ids} for text in texts]
    write_json(os.path.join(folder, "wordpiece.json"), told)


def main(folder):
    for make in FOLDERS:
        path = os.path.join(folder, make.__name__)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        model, tokenizer = make(path)
        write_json(os.path.join(path, "expected.json"), expected(model, tokenizer))
    write_pieces(folder)
    write_wordpieces(folder)


if __name__ == "__main__":
    T.utils.logging.set_verbosity_error()
    T.utils.logging.disable_progress_bar()
    main(sys.argv[1])
