// Rasterizing and packing glyphs. A shelf packer suffices: glyphs of one size have one height.
#include "drawing/glyph_cache.h"

#include <emscripten.h>

#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "imgui_internal.h"
#include "text/text_units.h"

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#include "imstb_truetype.h"
#pragma clang diagnostic pop

namespace minibert::page {
namespace {

constexpr float kCssSize[] = {14.0f, 17.0f, 25.0f, 19.0f, 14.0f, 27.0f};
constexpr bool kBold[] = {false, false, false, true, true, true};
constexpr size_t kBoldFile = 1;
constexpr int kMaxSide = 4096;
constexpr size_t kMaxGlyphs = 40000;  // ImFont::Glyphs must not move: FallbackGlyph points into it

constexpr char32_t kFirstPrivate = 0xE000, kLastPrivate = 0xF8FF;
constexpr float kBrowserSize =
    0.9f;  // of the font size, at which the browser's fonts look as large
constexpr float kSidewise =
    0.3f;  // of the font size, that a glyph of the browser may reach over its width

// Returns the width of a text in the browser's fonts at `size` device pixels, in device pixels.
// clang-format off
EM_JS(float, browser_width, (const char* text, float size), {
  if (!Module.glyphs)
    Module.glyphs = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  Module.glyphs.font = `${size}px sans-serif`;
  return Module.glyphs.measureText(UTF8ToString(text)).width;
});

// Draws it, from x = `left` on, into an alpha bitmap at `pixels`. What has colors becomes gray: the lighter, the
// fainter.
EM_JS(void, browser_glyph, (const char* text, float size, float left, uint8_t* pixels, int width, int height), {
  const context = Module.glyphs;
  context.canvas.width = width;
  context.canvas.height = height;
  context.font = `${size}px sans-serif`;
  context.textBaseline = 'alphabetic';
  context.textAlign = 'left';
  context.fillText(UTF8ToString(text), left, height * 0.75);
  const rgba = context.getImageData(0, 0, width, height).data;
  for (let i = 0; i < width * height; ++i) {
    const light = (0.3 * rgba[4 * i] + 0.59 * rgba[4 * i + 1] + 0.11 * rgba[4 * i + 2]) / 255;
    HEAPU8[pixels + i] = rgba[4 * i + 3] * (1 - 0.8 * light);
  }
});
// clang-format on

// Hangul and Hanja. Symbols that the first font lacks (▁, U+2581) are the browser's.
bool own_font_may_have(char32_t c) {
  return (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x3400 && c <= 0x9FFF) ||
         (c >= 0xF900 && c <= 0xFAFF);
}

// Returns true for a character that is drawn with the one before it, or not at all.
bool takes_no_room(char32_t c) {
  return c == 0x200D || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0020 && c <= 0xE007F);
}

// Returns true for a byte that may begin something other than single left-to-right characters of
// our own fonts and of the browser's: combining marks, conjoining jamo, joiners, private
// characters, right-to-left scripts, characters beyond the basic plane.
bool may_need_clusters(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if (byte < 0xCC) continue;
    const auto next = i + 1 < text.size() ? static_cast<uint8_t>(text[i + 1]) : uint8_t{0};
    if (byte <= 0xCD || (byte >= 0xD6 && byte <= 0xE1 && (byte != 0xE0 || next < 0xA4)) ||
        (byte == 0xE2 && (next == 0x83 || (next == 0x80 && i + 2 < text.size() &&
                                           static_cast<uint8_t>(text[i + 2]) == 0x8D))) ||
        byte >= 0xEE)
      return true;
  }
  return false;
}

}  // namespace

struct GlyphCache::Face {
  std::vector<uint8_t> file;
  stbtt_fontinfo info;
};

GlyphCache::GlyphCache(CanvasRenderer* renderer) : renderer_(renderer) {}
GlyphCache::~GlyphCache() = default;

float GlyphCache::css_size(TextSize size) { return kCssSize[static_cast<int>(size)]; }

bool GlyphCache::add_font(std::vector<uint8_t> file) {
  auto face = std::make_unique<Face>();
  face->file = std::move(file);
  const int offset = stbtt_GetFontOffsetForIndex(face->file.data(), 0);
  if (offset < 0 || !stbtt_InitFont(&face->info, face->file.data(), offset)) return false;
  faces_.push_back(std::move(face));
  wants_font_ = false;
  for (Slot& slot : slots_) {
    if (slot.bold && faces_.size() == kBoldFile + 1)  // what it drew so far was not bold
      std::fill(slot.font->IndexLookup.begin() + 0x21, slot.font->IndexLookup.end(),
                static_cast<ImWchar>(-1));
    const std::vector<char32_t> pending = std::move(slot.pending);
    slot.pending.clear();
    for (const char32_t c : pending) {
      slot.font->IndexLookup[static_cast<int>(c)] = static_cast<ImWchar>(-1);
      add(slot, c);
    }
  }
  return true;
}

void GlyphCache::rebuild(float pixel_ratio) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  atlas->Clear();

  const int wanted = pixel_ratio <= 1.25f ? 1024 : 2048;
  side_ = overflowed_ ? std::min(kMaxSide, 2 * side_) : std::max(side_, wanted);
  overflowed_ = false;
  atlas->Flags |= ImFontAtlasFlags_NoMouseCursors;
  atlas->TexDesiredWidth = side_;
  // ImGui draws no bold letters: a bold size loads its letters like all others.
  static const ImWchar kAscii[] = {0x20, 0x7E, 0}, kSpace[] = {0x20, 0x20, 0};
  for (int i = 0; i < kTextSizes; ++i) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = config.OversampleV = 1;
    config.PixelSnapH = true;
    slots_[i].pixels = std::round(kCssSize[i] * pixel_ratio);
    slots_[i].pending.clear();
    slots_[i].bold = kBold[i];
    std::vector<uint8_t>& file = faces_.front()->file;
    slots_[i].font =
        atlas->AddFontFromMemoryTTF(file.data(), static_cast<int>(file.size()), slots_[i].pixels,
                                    &config, kBold[i] ? kSpace : kAscii);
  }
  const int area = atlas->AddCustomRectRegular(side_ - 2, side_ - side_ / 4);
  uint8_t* alpha = nullptr;
  atlas->GetTexDataAsAlpha8(&alpha, &texture_width_, &texture_height_);
  const ImFontAtlasCustomRect* rect = atlas->GetCustomRectByIndex(area);
  area_x_ = rect->X;
  area_y_ = rect->Y;
  area_width_ = rect->Width;
  area_height_ = rect->Height;
  pen_x_ = pen_y_ = shelf_ = 0;
  clusters_.clear();
  characters_.clear();
  for (Slot& slot : slots_) slot.font->Glyphs.reserve(kMaxGlyphs);
  for (Slot& slot : slots_) slot.font->BuildLookupTable();

  atlas->SetTexID(renderer_->make_texture(texture_width_, texture_height_, alpha));
  atlas->ClearTexData();
}

ImFont* GlyphCache::font(TextSize size) const { return slots_[static_cast<int>(size)].font; }

std::string_view GlyphCache::drawable(TextSize size, std::string_view text) {
  Slot& slot = slots_[static_cast<int>(size)];
  if (may_need_clusters(text) && first_invalid_utf8(text) == kValid) {
    const std::u32string points = to_code_points(text);
    std::u32string line;
    for (size_t at = 0, end; at < points.size(); at = end) {
      end = glyph_end(points, at);
      line += character_for(std::u32string_view(points).substr(at, end - at));
    }
    drawable_ = to_utf8(line);
    text = drawable_;
  }
  for (size_t i = 0; i < text.size();) {
    if (static_cast<uint8_t>(text[i]) < (slot.bold ? 0x21 : 0x80)) {
      ++i;
      continue;
    }
    unsigned int c = 0;
    i += ImTextCharFromUtf8(&c, text.data() + i, text.data() + text.size());
    need(slot, c);
  }
  return text;
}

char32_t GlyphCache::character_for(std::u32string_view glyph) {
  const char32_t first = glyph.front();
  if (glyph.size() == 1 && first <= 0xFFFF && (first < kFirstPrivate || first > kLastPrivate))
    return first;
  const auto [found, is_new] = characters_.try_emplace(
      std::u32string(glyph), kFirstPrivate + static_cast<char32_t>(clusters_.size()));
  if (!is_new) return found->second;
  if (found->second > kLastPrivate) {
    characters_.erase(found);
    overflowed_ = true;
    return 0xFFFD;
  }
  clusters_.emplace_back(glyph);
  return found->second;
}

void GlyphCache::need(Slot& slot, char32_t c) {
  const ImVector<ImWchar>& lookup = slot.font->IndexLookup;
  if (static_cast<int>(c) >= lookup.Size || lookup[static_cast<int>(c)] == static_cast<ImWchar>(-1))
    add(slot, c);
}

void GlyphCache::add(Slot& slot, char32_t c) {
  Bitmap bitmap;
  int x = 0, y = 0;
  const bool is_cluster = c >= kFirstPrivate && c <= kLastPrivate;
  if (is_cluster) {
    const size_t cluster = c - kFirstPrivate;
    if (cluster < clusters_.size()) draw_by_browser(slot, clusters_[cluster], &bitmap);
  } else if (!takes_no_room(c) && !draw(slot, c, &bitmap)) {
    if (faces_.size() < kFontFiles && own_font_may_have(c)) {
      wants_font_ = true;
      slot.pending.push_back(c);
    }
    draw_by_browser(slot, std::u32string(1, c), &bitmap);
  }
  if (!place(bitmap, &x, &y)) {
    overflowed_ = true;
    return;
  }
  insert(slot, c, bitmap, x, y);
}

void GlyphCache::draw_by_browser(const Slot& slot, std::u32string_view glyph,
                                 Bitmap* bitmap) const {
  const float size = slot.pixels * kBrowserSize;
  const std::string text = to_utf8(glyph);
  const float width = browser_width(text.c_str(), size);
  const float left = std::round(slot.pixels * kSidewise);
  bitmap->width = static_cast<int>(std::ceil(width + 2 * left));
  bitmap->height = static_cast<int>(std::ceil(slot.pixels * 1.6f));
  bitmap->left = -static_cast<int>(left);
  bitmap->top = -static_cast<int>(std::lround(static_cast<float>(bitmap->height) * 0.75f));
  bitmap->advance = std::round(width);  // what follows stands on whole pixels
  bitmap->pixels.assign(static_cast<size_t>(bitmap->width) * bitmap->height, 0);
  browser_glyph(text.c_str(), size, left, bitmap->pixels.data(), bitmap->width, bitmap->height);
}

bool GlyphCache::draw(const Slot& slot, char32_t c, Bitmap* bitmap) const {
  // The second file is bold: for a bold size it comes first, for others it does not count.
  for (size_t i = 0; i < faces_.size(); ++i) {
    if (!slot.bold && i == kBoldFile) continue;
    const size_t file =
        slot.bold && i <= kBoldFile && faces_.size() > kBoldFile ? kBoldFile - i : i;
    const stbtt_fontinfo* font = &faces_[file]->info;
    const int glyph = stbtt_FindGlyphIndex(font, static_cast<int>(c));
    if (glyph == 0) continue;
    const float scale = stbtt_ScaleForPixelHeight(font, slot.pixels);
    int advance = 0, bearing = 0, right = 0, bottom = 0;
    stbtt_GetGlyphHMetrics(font, glyph, &advance, &bearing);
    stbtt_GetGlyphBitmapBox(font, glyph, scale, scale, &bitmap->left, &bitmap->top, &right,
                            &bottom);
    bitmap->advance = std::round(static_cast<float>(advance) * scale);
    bitmap->width = right - bitmap->left;
    bitmap->height = bottom - bitmap->top;
    bitmap->pixels.assign(static_cast<size_t>(bitmap->width) * bitmap->height, 0);
    stbtt_MakeGlyphBitmap(font, bitmap->pixels.data(), bitmap->width, bitmap->height, bitmap->width,
                          scale, scale, glyph);
    return true;
  }
  return false;
}

bool GlyphCache::place(const Bitmap& bitmap, int* x, int* y) {
  if (bitmap.width == 0 || bitmap.height == 0) return true;
  if (pen_x_ + bitmap.width + 1 > area_width_) {
    pen_x_ = 0;
    pen_y_ += shelf_ + 1;
    shelf_ = 0;
  }
  if (pen_y_ + bitmap.height + 1 > area_height_) return false;
  *x = area_x_ + pen_x_;
  *y = area_y_ + pen_y_;
  pen_x_ += bitmap.width + 1;
  shelf_ = std::max(shelf_, bitmap.height);
  renderer_->update_texture(*x, *y, bitmap.width, bitmap.height, bitmap.pixels.data());
  return true;
}

void GlyphCache::insert(Slot& slot, char32_t c, const Bitmap& bitmap, int x, int y) {
  ImFont* font = slot.font;
  if (static_cast<size_t>(font->Glyphs.Size) + 1 >= kMaxGlyphs) {
    overflowed_ = true;
    return;
  }
  const float baseline = std::round(font->Ascent);
  const float left = static_cast<float>(bitmap.left);
  const float top = baseline + static_cast<float>(bitmap.top);
  const float width = static_cast<float>(texture_width_);
  const float height = static_cast<float>(texture_height_);
  font->AddGlyph(nullptr, static_cast<ImWchar>(c), left, top, left + bitmap.width,
                 top + bitmap.height, static_cast<float>(x) / width, static_cast<float>(y) / height,
                 static_cast<float>(x + bitmap.width) / width,
                 static_cast<float>(y + bitmap.height) / height, bitmap.advance);
  // Not BuildLookupTable(): it goes over all glyphs and adds a tab each time.
  const int code = static_cast<int>(c);
  const int old_size = font->IndexLookup.Size;
  font->GrowIndex(code + 1);
  for (int i = old_size; i < font->IndexAdvanceX.Size; ++i)
    font->IndexAdvanceX[i] = font->FallbackAdvanceX;
  font->IndexLookup[code] = static_cast<ImWchar>(font->Glyphs.Size - 1);
  font->IndexAdvanceX[code] = bitmap.advance;
  font->DirtyLookupTables = false;
}

}  // namespace minibert::page
