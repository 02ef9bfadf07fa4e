#include "data/splits/tagged_data.h"

#include <algorithm>

#include "core/error.h"
#include "data/files/share_out.h"
#include "data/files/tagged_file.h"

namespace minibert {

TaggedSplits load_tagged(const ResolvedData& data,
                         const std::function<void(const std::string&)>& say) {
  if (data.source) return read_tagged_files(*data.source, say);
  TaggedSplits splits;
  bool any = false;
  for (size_t i = 0; i < data.files.size(); ++i) {
    const DataFile& file = data.set.files[i];
    if (file.kind != "tags") continue;
    any = true;
    std::vector<TaggedSentence> sentences =
        read_tagged_file(data.files[i].path, TagForm::characters, {}, file.split, 1, say);
    std::vector<TaggedSentence>* out[] = {&splits.train, &splits.dev, &splits.test};
    if (data.set.rows && data.set.rows->from == file.split) {
      const auto split_of =
          share_out_by_hash({data.set.rows->train, data.set.rows->dev, data.set.rows->test},
                            sentences, [](const TaggedSentence& one) { return one.text; });
      for (size_t k = 0; k < sentences.size(); ++k)
        out[split_of[k]]->push_back(std::move(sentences[k]));
    } else {
      std::ranges::move(sentences, std::back_inserter(*out[file.split == "train" ? 0
                                                           : file.split == "dev" ? 1
                                                                                 : 2]));
    }
  }
  if (!any) throw usage_error("data set " + data.set.id + ": has no tagged sentences");
  if (splits.train.empty())
    throw usage_error("data set " + data.set.id + ": has no training sentences");
  return splits;
}

}  // namespace minibert
