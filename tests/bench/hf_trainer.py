# Pretraining as a user of Hugging Face's transformers runs it: BertForPreTraining of the same sizes and its Trainer, with
# bf16, the fused optimizer and batches padded to their longest. For shapes that BertForPreTraining has.
# Usage: hf_trainer.py MODEL.json BATCHES.pt THREADS SECONDS DEVICE. Prints one JSON line.
import json
import sys
import tempfile
import time

import torch
import transformers

WARM_UP_STEPS = 3
NOT_MASKED = -100


def examples(batches):
    """The rows of the batches without their padding, as BertForPreTraining takes them."""
    out = []
    for batch in batches:
        rows, length = batch["ids"].shape
        labels = torch.full((rows * length,), NOT_MASKED)
        labels[batch["positions"]] = batch["labels"]
        for row, (ids, segments, targets) in enumerate(
                zip(batch["ids"], batch["segments"], labels.view(rows, length))):
            real = int(ids.ne(0).sum())
            out.append({"input_ids": ids[:real], "token_type_ids": segments[:real], "labels": targets[:real],
                        "next_sentence_label": batch["nsp"][row]})
    return out


def padded(rows):
    def together(name, filling):
        return torch.nn.utils.rnn.pad_sequence([row[name] for row in rows], batch_first=True, padding_value=filling)

    ids = together("input_ids", 0)
    return {"input_ids": ids, "token_type_ids": together("token_type_ids", 0), "attention_mask": ids.ne(0).long(),
            "labels": together("labels", NOT_MASKED),
            "next_sentence_label": torch.stack([row["next_sentence_label"] for row in rows])}


class Watch(transformers.TrainerCallback):
    """Times the steps after the warm-up, and ends training after so many seconds."""

    def __init__(self, seconds):
        self.seconds = seconds
        self.steps = self.start = self.cpu_start = self.taken = self.cpu = 0

    def on_step_end(self, args, state, control, **_):
        if state.global_step == WARM_UP_STEPS:
            self.start, self.cpu_start = time.perf_counter(), time.process_time()
        if state.global_step > WARM_UP_STEPS + 2 and time.perf_counter() - self.start >= self.seconds:
            self.taken, self.cpu = time.perf_counter() - self.start, time.process_time() - self.cpu_start
            self.steps = state.global_step - WARM_UP_STEPS
            control.should_training_stop = True


def main():
    config = json.load(open(sys.argv[1]))
    shape, optimizer = config["model"], config["train"]["optimizer"]
    batches = torch.load(sys.argv[2], weights_only=False)
    torch.set_num_threads(int(sys.argv[3]))
    data = examples(batches)
    model = transformers.BertForPreTraining(transformers.BertConfig(
        vocab_size=shape["vocab_size"], hidden_size=shape["d_model"], num_hidden_layers=shape["n_layers"],
        num_attention_heads=shape["n_heads"], intermediate_size=shape["d_ff"], hidden_act="gelu",
        max_position_embeddings=shape["max_positions"], hidden_dropout_prob=shape["dropout"],
        attention_probs_dropout_prob=0.0))
    watch = Watch(float(sys.argv[4]))
    size = batches[0]["ids"].shape[0]
    with tempfile.TemporaryDirectory() as folder:
        trainer = transformers.Trainer(
            model=model, train_dataset=data, data_collator=padded, callbacks=[watch],
            args=transformers.TrainingArguments(
                output_dir=folder, use_cpu=sys.argv[5] == "cpu", bf16=True, per_device_train_batch_size=size,
                max_steps=1_000_000, learning_rate=optimizer["lr"], optim="adamw_torch_fused", save_strategy="no",
                logging_strategy="no", report_to=[], disable_tqdm=True))
        trainer.remove_callback(transformers.PrinterCallback)  # it prints to stdout
        trainer.train()
    pieces = sum(len(example["input_ids"]) for example in data) / len(data)
    print(json.dumps({
        "tokens": watch.steps * size * pieces, "seconds": watch.taken, "cpu_seconds": watch.cpu, "steps": watch.steps,
        "parameters": sum(p.numel() for p in model.parameters()), "torch": torch.__version__,
        "transformers": transformers.__version__}))


main()
