// The subcommands; each is one file cli/<name>.cpp that adds itself to the program.
#pragma once

#include <CLI/CLI.hpp>

namespace minibert {

// All of them, --version and --language. Old names are among them, in a group without a name.
void add_commands(CLI::App& app);

// A command's callback does the work and may throw Error; main() prints it and picks the status.
void add_version(CLI::App& app);
void add_run(CLI::App& app);
void add_new(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_data(CLI::App& app);
void add_data_instances(CLI::App& data);  // data instances, called by add_data
void add_data_cloze(CLI::App& data);      // data make-cloze, called by add_data
void add_data_kowiki(CLI::App& data);     // data make-kowiki, likewise
void add_data_overlap(CLI::App& data);    // data overlap, likewise
void add_data_sentences(CLI::App& data);  // data make-sentences, called by add_data
void add_data_text(CLI::App& data);       // data make-text, likewise
void add_tokenizer(CLI::App& app);
void add_learn_bpe(CLI::App& tokenizer);  // tokenizer learn-bpe, called by add_tokenizer
void add_inspect(CLI::App& app);
void add_compare(CLI::App& app);
void add_predict(CLI::App& app);
void add_fill_mask(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_export(CLI::App& app);
void add_import(CLI::App& app);
void add_nsp(CLI::App& app);
void add_embed(CLI::App& app);
void add_attention(CLI::App& app);
void add_verify(CLI::App& app);
void add_query(CLI::App& app);
void add_report(CLI::App& app);
void add_watch(CLI::App& app);
void add_language(CLI::App& app);
void add_renamed(CLI::App& app);

}  // namespace minibert
