# A BERT of minibert for transformers (AutoModel… with trust_remote_code=True). It computes what the record
# computes that this folder was exported from; the weights keep the record's names.
import math

import torch
from torch import nn
from transformers import PretrainedConfig, PreTrainedModel
from transformers.modeling_outputs import (
    BaseModelOutputWithPooling,
    MaskedLMOutput,
    MultipleChoiceModelOutput,
    QuestionAnsweringModelOutput,
    SequenceClassifierOutput,
    TokenClassifierOutput,
)
from transformers.models.bert.modeling_bert import BertForPreTrainingOutput

NEVER = -1e9  # added to the score of what is not to be read
FIRST_ORDINARY_PIECE = 7
BUCKETS = 32  # of offsets: 16 at or before the query, 16 after it
SHARED_BUCKETS = (8, 12, 16, 23, 32, 46, 64, 91)  # where each begins that several offsets share
LOCAL_TAPS = 7
ACTIVATIONS = {
    "gelu": nn.functional.gelu,
    "gelu_tanh": lambda x: nn.functional.gelu(x, approximate="tanh"),
    "relu": nn.functional.relu,
}


class MinibertConfig(PretrainedConfig):
    """`model` is the record's own description of its model."""

    model_type = "minibert"

    def __init__(self, model=None, **others):
        self.model = dict(model or {})
        self.vocab_size = self.model.get("vocab_size", 0)
        self.hidden_size = self.model.get("d_model", 0)
        self.num_hidden_layers = self.model.get("n_layers", 0)
        self.num_attention_heads = self.model.get("n_heads", 0)
        self.max_position_embeddings = self.model.get("max_positions", 0)
        super().__init__(**others)


class Weights(nn.Module):
    """Parameters under names of a record that no module of torch's gives them."""

    def __init__(self, **shapes):
        super().__init__()
        for name, shape in shapes.items():
            setattr(self, name, nn.Parameter(torch.zeros(shape)))


class Holder(nn.Module):
    def __init__(self, **parts):
        super().__init__()
        for name, part in parts.items():
            self.register_parameter(name, part) if isinstance(part, nn.Parameter) else setattr(self, name, part)


def convolve(x, weight, real):
    """x [B, S, C], weight [K, C] a channel each; padding weighs nothing."""
    taps, channels = weight.shape
    x = (x * real.unsqueeze(-1).to(x.dtype)).transpose(1, 2)
    kernel = weight.t().unsqueeze(1)
    return nn.functional.conv1d(x, kernel, padding=taps // 2, groups=channels).transpose(1, 2)


def bucket(offset):
    side, distance = (BUCKETS // 2 if offset > 0 else 0), abs(offset)
    if distance < SHARED_BUCKETS[0]:
        return side + distance
    return side + SHARED_BUCKETS[0] + sum(begin <= distance for begin in SHARED_BUCKETS) - 1


class Layer(nn.Module):
    def __init__(self, c, index):
        super().__init__()
        d, heads, eps = c["d_model"], c["n_heads"], c["layer_norm_eps"]
        self.heads, self.causal, self.geglu = heads, c["causal"], c["ffn"] == "geglu"
        self.activation = ACTIVATIONS[c["activation"]]
        if index < c["local_layers"]:
            conv = nn.Parameter(torch.zeros(LOCAL_TAPS, d))
            self.local = Holder(value=nn.Linear(d, d), conv=conv, output=nn.Linear(d, d))
        else:
            parts = {"qkv": nn.Linear(d, 3 * d), "output": nn.Linear(d, d)}
            if c["conv"] > 0:
                parts["conv"] = nn.Parameter(torch.zeros(c["conv"], 3 * d))
            if c["position"] == "relative":
                parts["offsets"] = nn.Parameter(torch.zeros(heads, BUCKETS))
            if c["head_gate"]:
                parts["gate"] = nn.Linear(d, heads)
            self.attention = Holder(**parts)
        self.attention_norm = nn.LayerNorm(d, eps)
        self.ffn = Holder(inner=nn.Linear(d, (2 if self.geglu else 1) * c["d_ff"]), outer=nn.Linear(c["d_ff"], d))
        self.ffn_norm = nn.LayerNorm(d, eps)
        self.attention_dropout = nn.Dropout(c["attention_dropout"])

    def mix(self, x, real):
        """-> what the positions give each other, and who read whom (None of a local layer)."""
        if hasattr(self, "local"):
            return self.local.output(convolve(self.local.value(x), self.local.conv, real)), None
        batch, length, width = x.shape
        qkv = self.attention.qkv(x)
        if hasattr(self.attention, "conv"):
            qkv = convolve(qkv, self.attention.conv, real)
        q, k, v = qkv.view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / math.sqrt(width // self.heads)
        scores = scores + NEVER * (~real)[:, None, None, :].to(scores.dtype)
        at = torch.arange(length, device=x.device)
        offset = at[None, :] - at[:, None]
        if hasattr(self.attention, "offsets"):
            table = torch.tensor([bucket(o) for o in range(1 - length, length)], device=x.device)
            scores = scores + self.attention.offsets[:, table[offset + length - 1]]
        if self.causal:
            scores = scores + NEVER * (offset > 0).to(scores.dtype)
        shares = scores.softmax(-1)
        context = (self.attention_dropout(shares) @ v).transpose(1, 2)
        if hasattr(self.attention, "gate"):
            context = context * self.attention.gate(x).sigmoid().unsqueeze(-1)
        return self.attention.output(context.reshape(batch, length, width)), shares

    def feed_forward(self, x):
        inner = self.ffn.inner(x)
        if self.geglu:
            gate, value = inner.chunk(2, -1)
            return self.ffn.outer(nn.functional.gelu(gate, approximate="tanh") * value)
        return self.ffn.outer(self.activation(inner))


class Encoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        d, e, eps = c["d_model"], c["embedding_size"], c["layer_norm_eps"]
        parts = {"token": nn.Embedding(c["vocab_size"], e), "segment": nn.Embedding(c["segments"], e)}
        if c["position"] == "table":
            parts["position"] = nn.Embedding(c["max_positions"], e)
        parts["norm"] = nn.LayerNorm(e, eps)
        if e != d:
            parts["projection"] = nn.Linear(e, d)
        self.embeddings = Holder(**parts)
        stored = c["local_layers"] + 1 if c["share_layers"] else c["n_layers"]
        self.layers = nn.ModuleList(Layer(c, i) for i in range(min(stored, c["n_layers"])))
        self.applications, self.pre = c["n_layers"], c["norm"] == "pre"
        self.longest = c["max_positions"]
        if self.pre:
            self.final_norm = nn.LayerNorm(d, eps)
        self.dropout = nn.Dropout(c["dropout"])

    def forward(self, ids, segments, real):
        """-> states after each layer, the last one normalized, and attention of each layer."""
        length = ids.shape[1]
        if length > self.longest:
            raise ValueError(f"the input has {length} pieces, the model reads at most {self.longest}")
        x = self.embeddings.token(ids) + self.embeddings.segment(segments)
        if hasattr(self.embeddings, "position"):
            x = x + self.embeddings.position.weight[:length]
        x = self.embeddings.norm(x)
        if hasattr(self.embeddings, "projection"):
            x = self.embeddings.projection(x)
        x = self.dropout(x)
        states, attention = [x], []
        for i in range(self.applications):
            layer = self.layers[min(i, len(self.layers) - 1)]
            if self.pre:
                mixed, shares = layer.mix(layer.attention_norm(x), real)
                x = x + self.dropout(mixed)
                x = x + self.dropout(layer.feed_forward(layer.ffn_norm(x)))
            else:
                mixed, shares = layer.mix(x, real)
                x = layer.attention_norm(x + self.dropout(mixed))
                x = layer.ffn_norm(x + self.dropout(layer.feed_forward(x)))
            states.append(x)
            attention.append(shares)
        if self.pre:
            states[-1] = self.final_norm(x)
        return states, attention


class MinibertPreTrainedModel(PreTrainedModel):
    config_class = MinibertConfig
    base_model_prefix = "bert"
    main_input_name = "input_ids"
    # A loss is the mean of its batch, so that Trainer divides by its accumulation steps; it would take **others for
    # a loss that does that itself.
    accepts_loss_kwargs = False

    def __init__(self, config):
        super().__init__(config)
        self.c = config.model
        self.bert = Encoder(self.c)

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            module.weight.data.normal_(std=self.c["init_std"])
            if getattr(module, "bias", None) is not None:
                module.bias.data.zero_()
        elif isinstance(module, nn.LayerNorm):
            module.weight.data.fill_(1)
            module.bias.data.zero_()
        elif isinstance(module, Weights):
            for weight in module.parameters():
                weight.data.normal_(std=self.c["init_std"])

    def get_input_embeddings(self):
        return self.bert.embeddings.token

    def set_input_embeddings(self, value):
        self.bert.embeddings.token = value

    def encode(self, input_ids, attention_mask, token_type_ids):
        """-> states, attention, which positions are no padding [B, S]."""
        real = input_ids.ne(0) if attention_mask is None else attention_mask.bool()
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        return (*self.bert(input_ids, token_type_ids, real), real)

    def first(self, hidden, real):
        """[B, D]: [CLS], or from left to right the last piece, which alone has read them all."""
        if not self.c["causal"]:
            return hidden[:, 0]
        return hidden[torch.arange(len(hidden), device=hidden.device), real.sum(1) - 1]


def told(output, states, attention, hidden_states, attentions):
    if hidden_states:
        output.hidden_states = tuple(states)
    if attentions:
        output.attentions = tuple(attention)
    return output


class MinibertModel(MinibertPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        if config.has_pooler:
            self.nsp = Holder(dense=nn.Linear(self.c["d_model"], self.c["d_model"]))
        self.post_init()

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, output_hidden_states=False,
                output_attentions=False, **others):
        states, attention, real = self.encode(input_ids, attention_mask, token_type_ids)
        pooled = self.nsp.dense(self.first(states[-1], real)).tanh() if hasattr(self, "nsp") else None
        output = BaseModelOutputWithPooling(last_hidden_state=states[-1], pooler_output=pooled)
        return told(output, states, attention, output_hidden_states, output_attentions)


class ContextBonus(nn.Module):
    """Scores of pieces that the input shows."""

    def __init__(self, embedding_size, rank):
        super().__init__()
        self.query, self.key = nn.Linear(embedding_size, rank), nn.Linear(embedding_size, rank)

    def forward(self, x, token, ids):
        count = torch.zeros(len(ids), len(token), device=ids.device)
        count.scatter_add_(1, ids, torch.ones_like(ids, dtype=count.dtype))
        weight = count.log1p()
        weight[:, :FIRST_ORDINARY_PIECE] = 0
        return self.query(x) @ self.key(token).t() * weight.unsqueeze(1)


class MinibertForMaskedLM(MinibertPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        c = self.c
        d, e, parts = c["d_model"], c["embedding_size"], {}
        if c["mlm_transform"]:
            parts["transform"], parts["norm"] = nn.Linear(d, e), nn.LayerNorm(e, c["layer_norm_eps"])
        if c["mlm_bias"]:
            parts["bias"] = nn.Parameter(torch.zeros(c["vocab_size"]))
        if not c["mlm_tied"]:
            parts["decoder"] = Weights(weight=(c["vocab_size"], e))
        if c["mlm_context"] > 0:
            parts["context"] = ContextBonus(e, c["mlm_context"])
        self.mlm = Holder(**parts)
        self.activation = ACTIVATIONS[c["activation"]]
        if config.has_pooler:
            nsp = {"dense": nn.Linear(d, d)}
            if config.sentence_task != "none":
                nsp["output"] = nn.Linear(d, 2, bias=c["nsp_bias"])
            self.nsp = Holder(**nsp)
        self.post_init()

    def sentence_logits(self, hidden, real):
        """[B, 2]: the second one says that B follows A."""
        return self.nsp.output(self.nsp.dense(self.first(hidden, real)).tanh())

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, labels=None,
                output_hidden_states=False, output_attentions=False, **others):
        states, attention, real = self.encode(input_ids, attention_mask, token_type_ids)
        x, token = states[-1], self.bert.embeddings.token.weight
        if hasattr(self.mlm, "transform"):
            x = self.mlm.norm(self.activation(self.mlm.transform(x)))
        decoder = self.mlm.decoder.weight if hasattr(self.mlm, "decoder") else token
        logits = x @ decoder.t()
        if hasattr(self.mlm, "bias"):
            logits = logits + self.mlm.bias
        if hasattr(self.mlm, "context"):
            logits = logits + self.mlm.context(x, token, input_ids)
        loss = None if labels is None else nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return told(MaskedLMOutput(loss=loss, logits=logits), states, attention, output_hidden_states,
                    output_attentions)


class MinibertForPreTraining(MinibertForMaskedLM):
    def forward(self, input_ids, attention_mask=None, token_type_ids=None, labels=None, next_sentence_label=None,
                output_hidden_states=False, output_attentions=False, **others):
        output = super().forward(input_ids, attention_mask, token_type_ids, labels, output_hidden_states=True,
                                 output_attentions=output_attentions)
        real = input_ids.ne(0) if attention_mask is None else attention_mask.bool()
        # transformers' first logit says that B follows A, the record's second one.
        pair = self.sentence_logits(output.hidden_states[-1], real).flip(-1)
        loss = output.loss
        if next_sentence_label is not None:
            pair_loss = nn.functional.cross_entropy(pair, next_sentence_label.flatten())
            loss = pair_loss if loss is None else loss + pair_loss
        return BertForPreTrainingOutput(loss=loss, prediction_logits=output.logits, seq_relationship_logits=pair,
                                        hidden_states=output.hidden_states if output_hidden_states else None,
                                        attentions=output.attentions)


class MinibertSequenceModel(MinibertPreTrainedModel):
    """One judgement of a whole text; `outputs` numbers."""

    def __init__(self, config, outputs):
        super().__init__(config)
        d = self.c["d_model"]
        self.mean = self.c.get("pooling") == "mean"
        parts = {} if self.mean else {"dense": nn.Linear(d, d)}
        self.sequence = Holder(output=nn.Linear(d, outputs), **parts)
        self.head_dropout = nn.Dropout(self.c.get("head_dropout", 0.0))
        self.post_init()

    def judge(self, input_ids, attention_mask, token_type_ids):
        states, attention, real = self.encode(input_ids, attention_mask, token_type_ids)
        if self.mean:
            weight = real.unsqueeze(-1).to(states[-1].dtype)
            x = (states[-1] * weight).sum(1) / weight.sum(1)
        else:
            x = self.sequence.dense(self.first(states[-1], real)).tanh()
        return self.sequence.output(self.head_dropout(x)), states, attention


def sequence_loss(logits, labels, problem):
    """As transformers has it for each `problem_type`; without one a single number is a regression."""
    if problem == "multi_label_classification":
        return nn.functional.binary_cross_entropy_with_logits(logits, labels.to(logits.dtype))
    if problem == "regression" or (problem is None and logits.shape[-1] == 1):
        return nn.functional.mse_loss(logits, labels.to(logits.dtype).view_as(logits))
    return nn.functional.cross_entropy(logits, labels.flatten())


class MinibertForSequenceClassification(MinibertSequenceModel):
    def __init__(self, config):
        super().__init__(config, config.num_labels)

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, labels=None,
                output_hidden_states=False, output_attentions=False, **others):
        logits, states, attention = self.judge(input_ids, attention_mask, token_type_ids)
        loss = None if labels is None else sequence_loss(logits, labels, self.config.problem_type)
        return told(SequenceClassifierOutput(loss=loss, logits=logits), states, attention, output_hidden_states,
                    output_attentions)


class MinibertForMultipleChoice(MinibertSequenceModel):
    def __init__(self, config):
        super().__init__(config, 1)

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, labels=None, **others):
        choices = input_ids.shape[1]
        flat = [None if x is None else x.flatten(0, 1) for x in (input_ids, attention_mask, token_type_ids)]
        logits = self.judge(*flat)[0].view(-1, choices)
        loss = None if labels is None else nn.functional.cross_entropy(logits, labels)
        return MultipleChoiceModelOutput(loss=loss, logits=logits)


class MinibertForTokenClassification(MinibertPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        tags, d = config.num_labels, self.c["d_model"]
        self.tag = Weights(weight=(tags, d), bias=(tags,))
        self.head_dropout = nn.Dropout(self.c.get("head_dropout", 0.0))
        self.post_init()

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, labels=None,
                output_hidden_states=False, output_attentions=False, **others):
        states, attention, _ = self.encode(input_ids, attention_mask, token_type_ids)
        logits = nn.functional.linear(self.head_dropout(states[-1]), self.tag.weight, self.tag.bias)
        loss = None if labels is None else nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
        return told(TokenClassifierOutput(loss=loss, logits=logits), states, attention, output_hidden_states,
                    output_attentions)


class MinibertForQuestionAnswering(MinibertPreTrainedModel):
    def __init__(self, config):
        super().__init__(config)
        parts = {"weight": (2, self.c["d_model"]), "bias": (2,)}
        if self.c.get("answer_lengths", 0) > 0:
            # How long answers are: minibert picks spans with it; no logit depends on it.
            parts["length"] = (self.c["answer_lengths"],)
        self.qa = Weights(**parts)
        self.post_init()

    def forward(self, input_ids, attention_mask=None, token_type_ids=None, start_positions=None,
                end_positions=None, output_hidden_states=False, output_attentions=False, **others):
        states, attention, real = self.encode(input_ids, attention_mask, token_type_ids)
        logits = nn.functional.linear(states[-1], self.qa.weight, self.qa.bias)
        logits = logits.masked_fill(~real.unsqueeze(-1), torch.finfo(logits.dtype).min)
        start, end = logits.unbind(-1)
        loss = None
        if start_positions is not None and end_positions is not None:
            parts = zip((start, end), (start_positions, end_positions))
            loss = sum(nn.functional.cross_entropy(one, at) for one, at in parts) / 2
        output = QuestionAnsweringModelOutput(loss=loss, start_logits=start, end_logits=end)
        return told(output, states, attention, output_hidden_states, output_attentions)
