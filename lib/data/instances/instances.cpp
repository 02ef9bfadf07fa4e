#include "data/instances/instances.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/sha256.h"
#include "core/text.h"
#include "data/corpus.h"
#include "data/instances/instance_builder.h"
#include "data/ordered_pipeline.h"
#include "data/text_overlap.h"
#include "text/pair_encoder.h"

namespace minibert {
namespace {

// Bytes of text in one unit of work. It affects random_next: changing it changes the instances.
constexpr size_t kBatchBytes = size_t{256} << 10;

// Neighbouring documents. `counts` is the reader's state behind them.
struct TextBatch {
  std::vector<Document> documents;
  uint64_t first_document = 0;        // number of documents[0] in all passes
  int64_t first_in_pass = 0;          // and in its own
  std::optional<Document> neighbour;  // the one before, if documents has but one
  CorpusCounts counts;
};

CorpusCounts operator+(const CorpusCounts& a, const CorpusCounts& b) {
  return {.documents = a.documents + b.documents,
          .paragraphs = a.paragraphs + b.paragraphs,
          .bytes = a.bytes + b.bytes,
          .excluded_paragraphs = a.excluded_paragraphs + b.excluded_paragraphs};
}

struct BuiltBatch {
  InstanceBatch instances;
  CorpusCounts counts;
};

// Cuts the corpus into batches, once for every pass.
class BatchReader {
 public:
  BatchReader(const std::vector<std::string>& paths, const InstanceSettings& settings,
              const TextOverlap* exclude)
      : paths_(paths),
        options_{.part = settings.part, .exclude = exclude},
        keep_neighbour_(settings.sentence_task == SentenceTask::random_next),
        text_limit_(settings.text_limit),
        passes_left_(settings.passes),
        corpus_(paths_, options_) {}

  bool next(TextBatch* batch) {
    if (passes_left_ == 0) return false;
    batch->first_in_pass = static_cast<int64_t>(corpus_.counts().documents);
    batch->first_document = before_.documents + corpus_.counts().documents;
    size_t bytes = 0;
    Document document;
    bool text = true;
    while ((bytes < kBatchBytes || batch->documents.size() < 2) && (text = next(&document))) {
      bytes += document.bytes;
      batch->documents.push_back(std::move(document));
    }
    batch->counts = before_ + corpus_.counts();
    if (keep_neighbour_ && !batch->documents.empty()) {
      if (batch->documents.size() == 1) batch->neighbour = std::move(last_);
      last_ = batch->documents.back();
    }
    if (!text && --passes_left_ > 0) {
      before_ = batch->counts;
      corpus_ = CorpusReader(paths_, options_);
    }
    return true;
  }

 private:
  // False at the end of a pass.
  bool next(Document* document) {
    return (text_limit_ == 0 || corpus_.counts().bytes < text_limit_) && corpus_.next(document);
  }

  const std::vector<std::string> paths_;
  const CorpusOptions options_;
  const bool keep_neighbour_;
  const uint64_t text_limit_;
  int passes_left_;
  CorpusReader corpus_;
  CorpusCounts before_;  // in earlier passes
  std::optional<Document> last_;
};

EncodedDocument encode(const Document& document, const PairEncoder& encoder) {
  EncodedDocument encoded;
  std::vector<int32_t> ids;
  for (const std::string& paragraph : document.paragraphs) {
    ids.clear();
    encoder.encode(paragraph, &ids);
    encoded.add(ids);
  }
  return encoded;
}

BuiltBatch build(TextBatch&& batch, const PairEncoder& encoder, const InstanceSettings& settings,
                 const PieceRoles& roles) {
  std::vector<EncodedDocument> window;
  window.reserve(batch.documents.size() + 1);
  for (const Document& document : batch.documents) window.push_back(encode(document, encoder));
  if (batch.neighbour) window.push_back(encode(*batch.neighbour, encoder));
  BuiltBatch built{.instances = {}, .counts = batch.counts};
  if (settings.unit == InstanceUnit::packed) {
    build_packed_instances(window, batch.first_document, settings, roles, &built.instances);
  } else {
    for (size_t i = 0; i < batch.documents.size(); ++i)
      build_instances(window, i, batch.first_document + i, settings, roles, &built.instances);
  }
  for (int64_t& document : built.instances.documents) document += batch.first_in_pass;
  return built;
}

void count(const InstanceBatch& batch, InstanceStatistics* statistics) {
  statistics->instances += batch.size();
  statistics->tokens += batch.pieces.size();
  statistics->masked += batch.masked_positions.size();
  statistics->unused_documents += batch.unused_documents;
  statistics->unused_paragraphs += batch.unused_paragraphs;
  statistics->in_order +=
      static_cast<uint64_t>(std::count(batch.nsp.begin(), batch.nsp.end(), uint8_t{1}));
  for (const uint16_t length : batch.lengths) {
    statistics->longest = std::max<uint64_t>(statistics->longest, length);
    ++statistics->length_histogram[static_cast<size_t>(length - 1) / InstanceStatistics::kBin];
  }
}

// create_instances into `path` itself.
InstanceStatistics write_instances(const std::vector<std::string>& text_files,
                                   const Tokenizer& tokenizer, const InstanceSettings& settings,
                                   const std::string& path, int threads,
                                   const TextOverlap* exclude) {
  if (tokenizer.size() > 65536)
    throw Error("tokenizer: " + std::to_string(tokenizer.size()) +
                " pieces, expected at most 65536");
  const PieceRoles roles(tokenizer);
  const PairEncoder encoder(tokenizer);
  InstanceStatistics statistics;
  statistics.length_histogram.resize(
      static_cast<size_t>((settings.sequence_length - 1) / InstanceStatistics::kBin + 1));

  BatchReader reader(text_files, settings, exclude);
  InstanceFileWriter writer(path, settings.masking == Masking::fixed);
  ordered_pipeline<TextBatch, BuiltBatch>(
      threads, [&](TextBatch* batch) { return reader.next(batch); },
      [&](TextBatch&& batch) { return build(std::move(batch), encoder, settings, roles); },
      [&](BuiltBatch&& batch) {
        if (settings.limit > 0) batch.instances.truncate(settings.limit - statistics.instances);
        writer.append(batch.instances);
        count(batch.instances, &statistics);
        statistics.documents = batch.counts.documents;
        statistics.paragraphs = batch.counts.paragraphs;
        statistics.excluded_paragraphs = batch.counts.excluded_paragraphs;
        return settings.limit == 0 || statistics.instances < settings.limit;
      });
  if (statistics.instances == 0)
    throw Error(joined(text_files) +
                ": no instance can be made, expected documents of at least two paragraphs");
  writer.finish(to_json(settings), to_json(statistics), tokenizer.sha256(), roles);
  return statistics;
}

}  // namespace

double InstanceStatistics::mask_rate() const {
  return tokens == 0 ? 0 : static_cast<double>(masked) / static_cast<double>(tokens);
}

nlohmann::json to_json(const InstanceStatistics& statistics) {
  const auto instances = static_cast<double>(std::max<uint64_t>(statistics.instances, 1));
  return {{"documents", statistics.documents},
          {"paragraphs", statistics.paragraphs},
          {"excluded_paragraphs", statistics.excluded_paragraphs},
          {"unused_documents", statistics.unused_documents},
          {"unused_paragraphs", statistics.unused_paragraphs},
          {"instances", statistics.instances},
          {"tokens", statistics.tokens},
          {"in_order", statistics.in_order},
          {"masked", statistics.masked},
          {"mask_rate", statistics.mask_rate()},
          {"mean_length", static_cast<double>(statistics.tokens) / instances},
          {"longest", statistics.longest},
          {"length_histogram",
           {{"bin_width", InstanceStatistics::kBin}, {"counts", statistics.length_histogram}}}};
}

std::string unused_text(const nlohmann::json& statistics) {
  const auto count = [&](const char* name) { return statistics.value(name, uint64_t{0}); };
  constexpr uint64_t kNotWorthAWord = 100;  // one in so many
  if (count("unused_documents") * kNotWorthAWord < count("documents") ||
      count("unused_documents") == 0)
    return "";
  return std::to_string(count("unused_documents")) + " of " + std::to_string(count("documents")) +
         " documents have one paragraph and are left out, because a sentence task needs two; " +
         std::to_string(count("paragraphs") - count("unused_paragraphs")) + " of " +
         std::to_string(count("paragraphs")) +
         " paragraphs are used (to use all: instances.lone_paragraphs true or sentence_task none)";
}

InstanceStatistics create_instances(const std::vector<std::string>& text_files,
                                    const Tokenizer& tokenizer, const InstanceSettings& settings,
                                    const std::string& out_path, int threads,
                                    const TextOverlap* exclude) {
  InstanceStatistics statistics;
  replace_file(out_path, [&](const std::string& temporary) {
    statistics = write_instances(text_files, tokenizer, settings, temporary, threads, exclude);
  });
  return statistics;
}

std::string cached_instances(const std::vector<std::string>& text_files, const Tokenizer& tokenizer,
                             const InstanceSettings& settings, const std::string& cache_dir,
                             int threads, const TextOverlap* exclude) {
  namespace fs = std::filesystem;
  nlohmann::json key = {{"format", "minibert-instances 2, unused text counted"},
                        {"tokenizer", tokenizer.sha256()},
                        {"settings", to_json(settings)},
                        {"texts", nlohmann::json::array()}};
  if (exclude != nullptr) key["exclude"] = exclude->sha256();
  for (const std::string& file : corpus_files(text_files))
    key["texts"].push_back(sha256_file(file));
  const std::string path =
      (fs::path(cache_dir) / (sha256_hex(key.dump()).substr(0, 32) + ".h5")).string();
  if (fs::exists(path)) return path;
  replace_shared_file(path, [&](const std::string& own) {
    write_instances(text_files, tokenizer, settings, own, threads, exclude);
  });
  return path;
}

}  // namespace minibert
