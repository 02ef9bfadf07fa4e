"""The pretraining model of the course (S0) in real Keras 2, as its cells build it: layers, their names and their order
are what the files that it saves are read by."""
import tensorflow as tf

L = tf.keras.layers


def gelu(x):
    return 0.5 * x * (1 + tf.tanh(x * 0.7978845608 * (1 + 0.044715 * x * x)))


def start():
    return tf.keras.initializers.TruncatedNormal(stddev=0.02)


def dense(units, **others):
    return L.Dense(units, kernel_initializer=start(), bias_initializer=tf.zeros_initializer, **others)


class SharedEmbedding(L.Layer):
    def __init__(self, c, name="weight_shared_embedding"):
        super().__init__(name=name)
        self.shape = [c["n_vocab"], c["d_model"]]

    def build(self, input_shape):
        with tf.name_scope("shared_embedding_weight"):
            self.shared_weights = self.add_weight(name="weights", shape=self.shape, initializer=start())

    def call(self, inputs, mode="embedding"):
        if mode == "embedding":
            return tf.gather(self.shared_weights, tf.cast(inputs, tf.int32))
        return tf.matmul(inputs, self.shared_weights, transpose_b=True)


class PositionalEmbedding(L.Layer):
    def __init__(self, c, name="position_embedding"):
        super().__init__(name=name)
        self.embedding = L.Embedding(c["n_seq"], c["d_model"], embeddings_initializer=start())

    def call(self, inputs):
        return self.embedding(tf.cast(tf.math.cumsum(tf.ones_like(inputs), axis=1, exclusive=True), tf.int32))


class MultiHeadAttention(L.Layer):
    def __init__(self, c, name="multi_head_attention"):
        super().__init__(name=name)
        self.c = c
        width = c["n_head"] * c["d_head"]
        self.W_Q, self.W_K, self.W_V, self.W_O = dense(width), dense(width), dense(width), dense(c["d_model"])

    def call(self, Q, K, V, mask):
        batch, heads, width = tf.shape(Q)[0], self.c["n_head"], self.c["d_head"]
        q, k, v = (
            tf.transpose(tf.reshape(W(x), [batch, -1, heads, width]), [0, 2, 1, 3])
            for W, x in ((self.W_Q, Q), (self.W_K, K), (self.W_V, V))
        )
        score = tf.matmul(q, k, transpose_b=True) / tf.math.sqrt(tf.cast(width, tf.float32))
        out = tf.matmul(tf.nn.softmax(score - 1.0e9 * mask[:, tf.newaxis], axis=-1), v)
        return self.W_O(tf.reshape(tf.transpose(out, [0, 2, 1, 3]), [batch, -1, heads * width]))


class PositionWiseFeedForward(L.Layer):
    def __init__(self, c, name="feed_forward"):
        super().__init__(name=name)
        self.W_1, self.W_2 = dense(c["d_ff"], activation=gelu), dense(c["d_model"])

    def call(self, inputs):
        return self.W_2(self.W_1(inputs))


class EncoderLayer(L.Layer):
    def __init__(self, c, name):
        super().__init__(name=name)
        self.self_attention = MultiHeadAttention(c)
        self.norm1 = L.LayerNormalization(epsilon=c["layernorm_epsilon"])
        self.ffn = PositionWiseFeedForward(c)
        self.norm2 = L.LayerNormalization(epsilon=c["layernorm_epsilon"])
        self.dropout = L.Dropout(c["dropout"])

    def call(self, x, mask):
        x = self.norm1(x + self.dropout(self.self_attention(x, x, x, mask)))
        return self.norm2(x + self.dropout(self.ffn(x)))


class BERT(L.Layer):
    """[CLS] and the scores of all pieces."""

    def __init__(self, c, name="bert"):
        super().__init__(name=name)
        self.i_pad = c["i_pad"]
        self.embedding, self.position = SharedEmbedding(c), PositionalEmbedding(c)
        self.segment = L.Embedding(2, c["d_model"], embeddings_initializer=start())
        self.norm = L.LayerNormalization(epsilon=c["layernorm_epsilon"])
        self.encoder_layers = [EncoderLayer(c, name=f"encoder_layer_{i}") for i in range(c["n_layer"])]
        self.dropout = L.Dropout(c["dropout"])

    def call(self, inputs):
        tokens, segments = inputs
        mask = tf.cast(tf.math.equal(tokens, self.i_pad), tf.float32)[:, tf.newaxis]
        x = self.dropout(self.norm(self.embedding(tokens) + self.position(tokens) + self.segment(segments)))
        for layer in self.encoder_layers:
            x = layer(x, mask)
        return x[:, 0], self.embedding(x, mode="linear")


class PooledOutput(L.Layer):
    def __init__(self, c, outputs, name):
        super().__init__(name=name)
        self.dense1 = dense(c["d_model"], activation=tf.nn.tanh)
        self.dense2 = dense(outputs, use_bias=False, activation=tf.nn.softmax, name="nsp")

    def call(self, inputs):
        return self.dense2(self.dense1(inputs))


def pretraining(c):
    tokens, segments = L.Input((None,), name="enc_tokens"), L.Input((None,), name="segments")
    first, scores = BERT(c)((tokens, segments))
    nsp = L.Softmax(name="nsp")(PooledOutput(c, 2, name="pooled_nsp")(first))
    return tf.keras.Model(inputs=(tokens, segments), outputs=(nsp, L.Softmax(name="mlm")(scores)))
