"""The engine, through the C interface (minibert.h). Results are its JSON as dicts and lists, but offsets
count characters of the text, like Python's strings."""
import ctypes
import json
import os
import threading

_API_VERSION = 1


class Error(ValueError):
    """One line that tells what was found and what was expected."""


def _load():
    library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libminibert.so"))
    found = library.minibert_api_version()
    if found != _API_VERSION:
        raise ImportError(f"libminibert.so: found interface {found}, expected {_API_VERSION}")
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    library.minibert_version.restype = text
    library.minibert_task.restype = text
    library.minibert_task.argtypes = [pointer]
    library.minibert_close.argtypes = library.minibert_free.argtypes = [pointer]
    library.minibert_close.restype = library.minibert_free.restype = None
    for name, arguments in {
        "open": [text],
        "open_bytes": [text, ctypes.c_size_t],
        "facts": [pointer],
        "fill": [pointer, text, number],
        "answer": [pointer, text, text, number],
        "classify": [pointer, text, text, number],
        "tag": [pointer, text],
        "tokenize": [pointer, text],
    }.items():
        function = getattr(library, f"minibert_{name}")
        function.argtypes = [*arguments, ctypes.POINTER(pointer)]
        # A pointer that is to be freed, so not c_char_p, which Python copies and forgets.
        function.restype = pointer
    return library


_library = _load()


def version():
    """The library's release, "0.2.0"."""
    return _library.minibert_version().decode()


def _taken(pointer):
    text = ctypes.string_at(pointer)
    _library.minibert_free(pointer)
    return text.decode(errors="replace")  # a path may be no UTF-8


def _call(function, *arguments):
    error = ctypes.c_void_p()
    result = function(*arguments, ctypes.byref(error))
    if result is None:
        raise Error(_taken(error) if error.value else "there is not enough memory")
    return result


def _bytes(text, name="text"):
    if not isinstance(text, str):
        raise TypeError(f"{name}: found {type(text).__name__}, expected str")
    if "\0" in text:
        raise Error("the text has a character U+0000, which ends a text in C")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Error("the text has half of a surrogate pair, expected Unicode characters") from None


def _count(top):
    if not isinstance(top, int) or isinstance(top, bool):
        raise TypeError(f"top: found {type(top).__name__}, expected int")
    if not 1 <= top <= 1000:
        raise Error(f"top: found {top}, expected 1…1000")
    return top


def _count_characters(value, at):
    """Converts every "begin" and "end" in `value` from bytes to characters; `at` maps byte to character."""
    if isinstance(value, list):
        for one in value:
            _count_characters(one, at)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key in ("begin", "end"):
                value[key] = at[one]
            else:
                _count_characters(one, at)
    return value


def _characters_at(text):
    at = []
    for place, character in enumerate(text):
        at += [place] * len(character.encode())
    return [*at, len(text)]


class Engine:
    """A model file (.mbq): a path, or its bytes. Threads may share an Engine, which
    serves one at a time. Raises Error."""

    def __init__(self, model):
        self._model = None
        self._lock = threading.Lock()  # ctypes lets go of Python's own while the engine computes
        if isinstance(model, (bytes, bytearray)):
            self._model = _call(_library.minibert_open_bytes, bytes(model), len(model))
        else:
            self._model = _call(_library.minibert_open, os.fsencode(model))

    def __reduce__(self):
        raise TypeError("an Engine cannot be copied or pickled: open the model again")

    def __del__(self):
        if getattr(self, "_model", None):
            _library.minibert_close(self._model)

    @property
    def task(self):
        """The model's task: "masks", "answers", "labels" or "names"."""
        return _library.minibert_task(self._model).decode()

    @property
    def facts(self):
        """The model's architecture, origin and quality ("card")."""
        with self._lock:
            facts = _call(_library.minibert_facts, self._model)
        return json.loads(_taken(facts))

    def fill(self, text, top=5):
        """Returns the `top` (1 to 1000) best pieces for every [MASK], or in a text without one for every blank
        that people write (___, ( ), [ mask ], <mask>, □, ○○): {"masks": [{"guesses": [{"text", "probability", …}], …}],
        "filled", …}."""
        return self._result(_library.minibert_fill, text, _bytes(text), _count(top))

    def answer(self, question, context, top=1):
        """Returns the `top` (1 to 1000) best answers in the context: {"answers": [{"text", "begin", "end",
        "probability"}], …}."""
        return self._result(_library.minibert_answer, context, _bytes(question, "question"), _bytes(context, "context"), _count(top))

    def classify(self, text, second=None, words=False):
        """Returns {"labels": [{"label", "probability"}], …}, most probable first. `second`: the other text of a
        pair, an error for a model of single texts. `words`: adds the best label's probability without each word."""
        other = None if second is None else _bytes(second, "second")
        return self._result(_library.minibert_classify, text, _bytes(text), other, int(words))

    def tag(self, text):
        """Returns {"entities": [{"type", "text", "begin", "end", "probability"}], …}."""
        return self._result(_library.minibert_tag, text, _bytes(text))

    def tokenize(self, text):
        """Returns the pieces that the model reads: [{"id", "piece", "begin", "end"}]."""
        return self._result(_library.minibert_tokenize, text, _bytes(text))

    def _result(self, function, text, *arguments):
        with self._lock:
            found = _call(function, self._model, *arguments)
        return _count_characters(json.loads(_taken(found)), _characters_at(text))
