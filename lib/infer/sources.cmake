# The portable engine's sources, for all who compile them: the native library (CMakeLists.txt), the page's
# WebAssembly (wasm_demo/engine) and the fuzzer (tests/fuzz/run.sh, by `cmake -P`, which prints them). Paths
# begin at lib/. Of the text room the engine needs Korean particles and the check of a tokenizer alone. A kernel's file
# alone is compiled for its instruction set, so each build adds its own kernels.
set(MINIBERT_RULES
    rules/context_words.cpp
    rules/intervention.cpp
    rules/particle_pairs.cpp
    rules/qa_windows.cpp
    rules/question_overlap.cpp
    rules/span_decode.cpp
    rules/tag_decode.cpp
    rules/text_windows.cpp
    text/korean.cpp
    text/sentencepiece_check.cpp)
set(MINIBERT_ENGINE
    infer/answerer.cpp
    infer/any_model.cpp
    infer/classifier.cpp
    infer/explain.cpp
    infer/fill_json.cpp
    infer/fill_mask.cpp
    infer/intervene.cpp
    infer/particles.cpp
    infer/tagger.cpp
    infer/teach.cpp
    infer/training.cpp
    infer/whole_words.cpp
    infer/word_guesses.cpp
    infer/written_masks.cpp
    infer/engine/architecture.cpp
    infer/engine/attention.cpp
    infer/engine/context_bonus.cpp
    infer/engine/convolution.cpp
    infer/engine/engine.cpp
    infer/engine/fastest_kernel.cpp
    infer/engine/float_ops.cpp
    infer/engine/linear.cpp
    infer/engine/model.cpp
    infer/engine/piece_tokenizer.cpp
    infer/engine/ranking.cpp
    infer/engine/text_model.cpp
    infer/engine/trace.cpp
    infer/format/crc32.cpp
    infer/format/mbq_file.cpp
    infer/format/mbq_series.cpp
    infer/kernels/kernel_scalar.cpp
    infer/kernels/kernels.cpp
    infer/kernels/quantize.cpp)
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  foreach(source ${MINIBERT_RULES} ${MINIBERT_ENGINE})
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo lib/${source})
  endforeach()
endif()
