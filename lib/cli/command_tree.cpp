#include "cli/command_tree.h"

#include <algorithm>

#include "core/text.h"

namespace minibert {
namespace {

// "TEXT:{a,b}" -> a, b
std::vector<std::string> choices_in(const std::string& type) {
  const size_t begin = type.find('{'), end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  std::vector<std::string> out(1);
  for (const char c : type.substr(begin + 1, end - begin - 1))
    if (c == ',')
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

// What stands for the value in a line of help: the choices, or the kind.
std::string value_of(const CLI::Option& option, const std::vector<std::string>& choices) {
  if (option.get_items_expected_max() == 0) return "";
  if (!choices.empty()) return "{" + joined(choices, ",") + "}";
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

OptionText text_of(const CLI::Option& option) {
  OptionText out;
  out.positional = option.get_positional();
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  for (const std::string& name : option.get_fnames())
    if (std::ranges::find(out.names, "--" + name) == out.names.end())
      out.names.push_back("--" + name);
  if (out.positional) out.names.insert(out.names.begin(), option.get_name(true));
  out.choices = choices_in(option.get_type_name());
  out.value = value_of(option, out.choices);
  out.description = option.get_description();
  out.fallback = option.get_default_str();
  out.required = option.get_required();
  out.several = option.get_items_expected_max() > 1;
  return out;
}

CommandText tree_of(const CLI::App& app, const std::string& path) {
  CommandText out;
  out.path = path;
  out.description = app.get_description();
  for (const CLI::Option* option :
       app.get_options([](const CLI::Option* one) { return !one->get_group().empty(); }))
    out.options.push_back(text_of(*option));
  std::ranges::stable_partition(out.options, [](const OptionText& one) { return one.positional; });
  for (const CLI::App* command :
       app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
    out.commands.push_back(tree_of(*command, path + " " + command->get_name()));
  return out;
}

}  // namespace

CommandText command_tree(const CLI::App& app) { return tree_of(app, "minibert"); }

}  // namespace minibert
