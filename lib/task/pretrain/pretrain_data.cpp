#include "task/pretrain/pretrain_data.h"

#include <algorithm>

#include "core/error.h"
#include "core/text.h"
#include "data/instances/instances.h"

namespace minibert {
namespace {

constexpr uint64_t kDevInstanceSeed = 20260102;

InstanceSettings measured_settings(const PretrainSettings& settings) {
  InstanceSettings measured = settings.instances;
  measured.masking = Masking::dynamic;
  measured.seed = kDevInstanceSeed;
  measured.limit = static_cast<uint64_t>(settings.dev_limit);
  measured.text_limit = 0;
  measured.mask = settings.measured_mask();
  measured.lone_paragraphs = false;  // the same held-out instances, whatever is trained on
  measured.part = ArticlePart::all;
  // The dev articles of kowiki make 3,846 instances in one pass; new cuts of them make up the rest.
  measured.passes = 2;
  return measured;
}

// The training files, each as often as it is read.
std::vector<std::string> repeated(const ResolvedData& data,
                                  const std::map<std::string, int64_t>& repeat) {
  std::vector<std::string> out, names;
  for (size_t i = 0; i < data.files.size(); ++i) {
    const DataFile& file = data.set.files[i];
    if (file.kind != "text" || file.split == "dev" || file.split == "test") continue;
    names.push_back(file.name);
    const auto times = repeat.find(file.name);
    out.insert(out.end(), times == repeat.end() ? 1 : static_cast<size_t>(times->second),
               data.files[i].path);
  }
  for (const auto& [name, times] : repeat)
    if (std::ranges::count(names, name) == 0)
      throw usage_error("instances.repeat: found \"" + name + "\", expected a training file of " +
                        data.set.id + ": " + joined(names));
  return out;
}

}  // namespace

PretrainData::PretrainData(const LoadRequest& request)
    : data_(request.data),
      text_(text_files(request.data)),
      tokenizer_(request.tokenizer),
      settings_(as<PretrainSettings>(request.settings)),
      threads_(request.threads),
      cache_(request.cache),
      say_(request.say),
      find_(request.find) {
  if (request.limit > 0) settings_.dev_limit = request.limit;
}

std::map<std::string, size_t> PretrainData::examples() {
  return {{"train", training(settings_.instances.sequence_length)->size()},
          {"dev", measured(Split::dev)->size()}};
}

nlohmann::json PretrainData::statistics() {
  return {{"train", training(settings_.instances.sequence_length)->statistics()},
          {"dev", measured(Split::dev)->statistics()}};
}

std::shared_ptr<const InstanceFile> PretrainData::instances(const std::vector<std::string>& files,
                                                            const InstanceSettings& settings,
                                                            const TextOverlap* exclude) const {
  return std::make_shared<const InstanceFile>(
      cached_instances(files, tokenizer_, settings, cache_ + "/instances", threads_, exclude));
}

const TextOverlap* PretrainData::excluded() {
  if (settings_.exclude.empty()) return nullptr;
  if (!exclude_)
    exclude_ = std::make_unique<TextOverlap>(evaluation_overlap(settings_.exclude, find_));
  return exclude_.get();
}

std::shared_ptr<const InstanceFile> PretrainData::training(int64_t n_seq) {
  std::shared_ptr<const InstanceFile>& file = training_[n_seq];
  if (!file) {
    InstanceSettings settings = settings_.instances;
    settings.sequence_length = static_cast<int>(n_seq);
    file = instances(repeated(data_, settings_.repeat), settings, excluded());
    say_("instances: " + std::to_string(file->size()) + " of up to " + std::to_string(n_seq) +
         " pieces (" + file->path() + ")");
    if (file->size() < settings.limit)
      say_("warning: instances.limit asks for " + std::to_string(settings.limit) +
           ", the text of " + data_.set.id + " makes no more");
    if (const std::string unused = unused_text(file->statistics()); !unused.empty())
      say_("warning: " + unused);
  }
  return file;
}

std::shared_ptr<const Blanks> PretrainData::blanks() {
  for (size_t i = 0; i < data_.files.size() && !blanks_; ++i) {
    if (data_.set.files[i].kind != "blanks") continue;
    blanks_ = std::make_shared<const Blanks>(data_.files[i].path, tokenizer_, excluded());
    say_("blanks: " + std::to_string(blanks_->size()) + " sentences (" + data_.files[i].path +
         "), " + std::to_string(blanks_->excluded()) + " more are left out");
  }
  return blanks_;
}

std::shared_ptr<const InstanceFile> PretrainData::measured(Split split) {
  std::shared_ptr<const InstanceFile>& file = measured_[split];
  if (!file) {
    const std::vector<std::string>& files = split == Split::train ? text_.train
                                            : split == Split::dev ? text_.dev
                                                                  : text_.test;
    if (files.empty())
      throw usage_error("data " + data_.set.id + ": has no text for split \"" + to_string(split) +
                        "\" (of files of one's own: data." + to_string(split) + ")");
    // Nothing is left out of held-out text, so that figures of all experiments compare.
    file = instances(files, measured_settings(settings_), nullptr);
  }
  return file;
}

}  // namespace minibert
