"""Folders of `minibert export --format huggingface`, as transformers loads them."""
import glob
import json
import math
import os
import shutil
import sys

import torch
import transformers as T

import checks
from checks import TOLERANCE, run, short

MASKED = [
    "대한민국의 수도는 [MASK]이다.",
    "[MASK]은 봄에 핀다.",
    "그는 밥을 [MASK] 학교에 [MASK].",
    "서울은 [MASK] [MASK] 도시이다.",
]


def export(record):
    folder = os.path.join(checks.WORK, "export", record.replace("/", "__")[:-3])
    shutil.rmtree(folder, ignore_errors=True)
    run("export", "--format", "huggingface", "--run", record, "--out", folder)
    return folder


def same_pieces(tokenizer, record, sentences):
    """How many texts are cut otherwise, of all."""
    texts = sentences + checks.ODD_TEXTS
    ours = run("tokenizer", "encode", "--model", record, "--ids", stdin="\n".join(texts) + "\n").split("\n")
    wrong = []
    for text, line in zip(texts, ours):
        theirs = tokenizer(text, add_special_tokens=False)["input_ids"]
        if [int(x) for x in line.split()] != theirs:
            wrong.append(text)
    return wrong, len(texts)


def same_states(folder, record, tokenizer, texts):
    """The largest difference of the last hidden state, and of the pieces with [CLS] and [SEP]."""
    model = T.AutoModel.from_pretrained(folder, trust_remote_code=True).eval()
    largest, pieces = 0, True
    texts = [text for text in texts if len(tokenizer(text)["input_ids"]) <= tokenizer.model_max_length]
    for one in checks.json_lines("embed", "--run", record, *texts):
        inputs = tokenizer(one["text"], return_tensors="pt")
        pieces = pieces and inputs["input_ids"][0].tolist() == [p["id"] for p in one["pieces"]]
        with torch.no_grad():
            theirs = model(**inputs).last_hidden_state[0]
        largest = max(largest, (theirs - torch.tensor(one["hidden"])).abs().max().item())
    return largest, pieces


def same_guesses(folder, record, tokenizer):
    """Differences of log probabilities over all pieces that fit, and whether the pipeline tells the same."""
    model = T.AutoModelForMaskedLM.from_pretrained(folder, trust_remote_code=True).eval()
    guess = T.pipeline("fill-mask", model=model, tokenizer=tokenizer)
    largest, same = 0, True
    for text in MASKED:
        for one in checks.json_lines("fill-mask", "--run", record, "--top-k", 1000, text):
            with torch.no_grad():
                logits = model(**tokenizer(text, return_tensors="pt")).logits[0]
            told = guess(text, top_k=len(tokenizer))
            told = told if isinstance(told[0], list) else [told]
            for mask, pipe in zip(one["masks"], told):
                ids = [g["id"] for g in mask["guesses"]]
                ours = torch.tensor([g["probability"] for g in mask["guesses"]]).double().log()
                theirs = logits[mask["position"], ids].double()
                shift = ours[0] - theirs[0]
                strong = ours > math.log(1e-4)  # what is left of a smaller number's digits says nothing
                largest = max(largest, ((ours - theirs - shift).abs() * strong).max().item())
                fitting = [g["token"] for g in pipe if g["token"] in set(ids)][:5]
                same = same and fitting == ids[:5]
    return largest, same


def check_record(results, record, sentences):
    name = record.replace("results/", "").replace("build/peers/runs/", "")[:-3]
    state = {}

    def tokenizer_check():
        state["folder"] = export(record)
        state["tokenizer"] = T.AutoTokenizer.from_pretrained(state["folder"], trust_remote_code=True)
        wrong, count = same_pieces(state["tokenizer"], record, sentences)
        figures = {"texts": count, "cut otherwise": len(wrong)}
        if wrong:
            figures["first"] = wrong[0][:40]
        return not wrong, figures

    results.check(f"pieces of {name}", "transformers", tokenizer_check)
    if "tokenizer" not in state:
        return
    folder, tokenizer = state["folder"], state["tokenizer"]
    with open(os.path.join(folder, "config.json")) as file:
        config = json.load(file)
    kind = config["architectures"][0].replace("Minibert", "").replace("Bert", "")

    def states_check():
        largest, pieces = same_states(folder, record, tokenizer, sentences[:20])
        return largest < TOLERANCE and pieces, {"model": config["model_type"], "largest difference": short(largest)}

    results.check(f"states of {name}", "transformers", states_check)
    if kind in ("ForMaskedLM", "ForPreTraining"):

        def guesses_check():
            largest, same = same_guesses(folder, record, tokenizer)
            return largest < TOLERANCE and same, {"log probability": short(largest), "same five guesses": same}

        results.check(f"fill-mask of {name}", "transformers", guesses_check)
    if kind == "ForPreTraining":
        results.check(f"sentence pairs of {name}", "transformers", lambda: pairs(folder, record, tokenizer, sentences))
        results.check(f"loss of {name}", "transformers", lambda: pair_loss(folder, tokenizer, sentences))
    if kind == "ForSequenceClassification" and config["problem_type"] != "regression":
        results.check(f"labels of {name}", "transformers", lambda: labels(folder, record, tokenizer, sentences))
    if kind == "ForSequenceClassification":
        results.check(f"loss of {name}", "transformers", lambda: label_loss(folder, config, tokenizer, sentences))
    if kind == "ForTokenClassification":
        results.check(f"tags of {name}", "transformers", lambda: tags(folder, record, tokenizer, sentences))
    if kind == "ForQuestionAnswering":
        results.check(f"spans of {name}", "transformers", lambda: spans(folder, record, tokenizer))
    results.check(f"back again: {name}", "transformers", lambda: back(folder, record, config))


def pair_loss(folder, tokenizer, sentences):
    """What the logits say of the labels; -100 is left out."""
    model = T.AutoModelForPreTraining.from_pretrained(folder, trust_remote_code=True).eval()
    inputs = tokenizer(sentences[0], sentences[1], return_tensors="pt")
    labels = inputs["input_ids"].clone()
    labels[0, 1::2] = -100
    with torch.no_grad():
        out = model(**inputs, labels=labels, next_sentence_label=torch.tensor([1]))
    kept = labels[0] >= 0
    words = -out.prediction_logits[0, kept].log_softmax(-1).gather(-1, labels[0, kept].unsqueeze(-1)).mean()
    largest = abs(out.loss.item() - (words - out.seq_relationship_logits[0].log_softmax(-1)[1]).item())
    return largest < TOLERANCE, {"loss": short(largest)}


def label_loss(folder, config, tokenizer, sentences):
    model = T.AutoModelForSequenceClassification.from_pretrained(folder, trust_remote_code=True).eval()
    count, problem = model.config.num_labels, config["problem_type"]
    labels = {"multi_label_classification": torch.ones(1, count), "regression": torch.tensor([2.0])}.get(
        problem, torch.tensor([count - 1])
    )
    with torch.no_grad():
        out = model(**tokenizer(sentences[0], return_tensors="pt"), labels=labels)
    logits = out.logits[0]
    expected = {
        "multi_label_classification": torch.nn.functional.softplus(-logits).mean(),
        "regression": (logits[0] - 2) ** 2,
    }.get(problem, -logits.log_softmax(-1)[-1])
    largest = abs(out.loss.item() - expected.item())
    return largest < TOLERANCE, {"loss": short(largest)}


def pairs(folder, record, tokenizer, sentences):
    model = T.AutoModelForPreTraining.from_pretrained(folder, trust_remote_code=True).eval()
    largest = 0
    for first, second in zip(sentences[:4], sentences[4:8]):
        ours = json.loads(run("nsp", "--run", record, first, second, "--json"))
        with torch.no_grad():
            out = model(**tokenizer(first, second, return_tensors="pt"))
        theirs = out.seq_relationship_logits.softmax(-1)[0, 0].item()
        largest = max(largest, abs(ours["probability"] - theirs))
    return largest < TOLERANCE, {"probability": short(largest)}


def labels(folder, record, tokenizer, sentences):
    model = T.AutoModelForSequenceClassification.from_pretrained(folder, trust_remote_code=True).eval()
    classify = T.pipeline("text-classification", model=model, tokenizer=tokenizer)
    largest, same = 0, True
    # `predict` reads no more pieces than the run was trained with.
    short_ones = [text for text in sentences if len(tokenizer(text)["input_ids"]) <= 48][:20]
    for one in checks.json_lines("predict", "--run", record, *short_ones):
        theirs = {row["label"]: row["score"] for row in classify(one["text"], top_k=None)}
        ours = one["probabilities"]
        same = same and set(ours) == set(theirs)
        largest = max(largest, max(abs(ours[label] - theirs.get(label, 9)) for label in ours))
    return largest < TOLERANCE and same, {"probability": short(largest), "labels": len(model.config.id2label)}


def tags(folder, record, tokenizer, sentences):
    """The best tag of every piece, against those of ONNX's logits of the same record."""
    import numpy as np
    import onnxruntime

    path = os.path.join(checks.WORK, "tags.onnx")
    run("export", "--format", "onnx", "--run", record, "--out", path)
    session = onnxruntime.InferenceSession(path)
    model = T.AutoModelForTokenClassification.from_pretrained(folder, trust_remote_code=True).eval()
    largest = 0
    for text in sentences[:20]:
        inputs = tokenizer(text, return_tensors="pt")
        with torch.no_grad():
            theirs = model(**inputs).logits.numpy()
        fed = {key: inputs[key].numpy() for key in ("input_ids", "token_type_ids")}
        largest = max(largest, np.abs(session.run(["logits"], fed)[0] - theirs).max())
    return largest < TOLERANCE, {"logits": short(largest), "tags": len(model.config.id2label)}


def spans(folder, record, tokenizer):
    import numpy as np
    import onnxruntime

    path = os.path.join(checks.WORK, "spans.onnx")
    run("export", "--format", "onnx", "--run", record, "--out", path)
    session = onnxruntime.InferenceSession(path)
    model = T.AutoModelForQuestionAnswering.from_pretrained(folder, trust_remote_code=True).eval()
    largest = 0
    for question, context in [("수도는 어디인가?", "대한민국의 수도는 서울이다."), ("누가 만들었나?", "한글은 세종이 만들었다.")]:
        inputs = tokenizer(question, context, return_tensors="pt")
        with torch.no_grad():
            out = model(**inputs)
        fed = {key: inputs[key].numpy() for key in ("input_ids", "token_type_ids")}
        ours = session.run(["start_logits", "end_logits"], fed)
        for a, b in zip(ours, (out.start_logits, out.end_logits)):
            largest = max(largest, np.abs(a - b.numpy()).max())
    return largest < TOLERANCE, {"logits": short(largest)}


def back(folder, record, config):
    """transformers loads the folder and saves it; the weights that come back are the same."""
    kind = config["architectures"][0].replace("Minibert", "").replace("Bert", "")
    loader = getattr(T, "AutoModel" if kind == "Model" else "AutoModel" + kind)
    model, info = loader.from_pretrained(folder, trust_remote_code=True, output_loading_info=True)
    missing = sorted(info["missing_keys"]) + sorted(info["unexpected_keys"])
    saved = folder + ".saved"
    shutil.rmtree(saved, ignore_errors=True)
    model.save_pretrained(saved)
    again = loader.from_pretrained(saved, trust_remote_code=True)
    same = all(torch.equal(a, b) for a, b in zip(model.state_dict().values(), again.state_dict().values()))
    return not missing and same, {"tensors": len(model.state_dict()), "missing or left over": missing or 0}


def main():
    results = checks.Results({"transformers": T.__version__, "torch": torch.__version__})
    sentences = checks.korean_sentences()
    chosen = sys.argv[2:] or SHIPPED + sorted(
        glob.glob(os.path.join("build/peers/runs", "peers_*", "*", "*.h5"), root_dir=checks.ROOT)
    )
    for record in chosen:
        check_record(results, record, sentences)
    results.write(sys.argv[1])


SHIPPED = [
    "results/kowiki_mini_bert/full/mini_bert_1m-s1.h5",
    "results/kowiki_everyday/full/mini_bert_1m_soup-s1.h5",
    "results/kowiki_everyday/full/mini_bert_10m_base-s1.h5",
    "results/nsmc_sentiment/with_sentineg/bert_1m_everyday-s1.h5",
    "results/klue_ner/full-1-core/bert_1m_everyday-s1.h5",
    "results/korquad_cloze/full/bert_1m_everyday-s1.h5",
    "results/korquad_after_cloze/quick-2-core/bert_1m_everyday_cloze-s1.h5",
]

if __name__ == "__main__":
    torch.set_num_threads(2)
    T.utils.logging.set_verbosity_error()
    main()
