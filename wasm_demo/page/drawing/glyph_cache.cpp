// Rasterizing and packing glyphs. A shelf packer suffices: glyphs of one size have one height.
#include "drawing/glyph_cache.h"

#include <emscripten.h>

#include <algorithm>
#include <cmath>

#include "core/utf8.h"
#include "imgui_internal.h"

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#include "imstb_truetype.h"
#pragma clang diagnostic pop

namespace minibert::page {
namespace {

constexpr float kCssSize[] = {14.0f, 17.0f, 25.0f, 19.0f, 14.0f};
constexpr bool kBold[] = {false, false, false, true, true};
constexpr float kBoldStroke = 0.05f;  // of the font size, that strokes are widened by
constexpr float kRaisedSize = 0.72f, kRaisedBy = 0.3f;  // of the font size
constexpr int kMaxSide = 4096;
constexpr size_t kMaxGlyphs = 40000;  // ImFont::Glyphs must not move: FallbackGlyph points into it

// Draws one character with the browser's fonts (a character that our files do not have, e.g. an
// emoji) into an alpha bitmap at `pixels`; returns the advance in device pixels.
// clang-format off
EM_JS(float, browser_glyph, (int code_point, float size, uint8_t* pixels, int side), {
  const canvas = Module.glyphCanvas || (Module.glyphCanvas = document.createElement('canvas'));
  canvas.width = canvas.height = side;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.font = `${size}px sans-serif`;
  context.textBaseline = 'alphabetic';
  const text = String.fromCodePoint(code_point);
  context.fillText(text, side / 8, side * 0.75);
  const rgba = context.getImageData(0, 0, side, side).data;
  for (let i = 0; i < side * side; ++i) HEAPU8[pixels + i] = rgba[4 * i + 3];
  return context.measureText(text).width;
});
// clang-format on

// Hangul and Hanja. Symbols that the first font lacks, as the pieces' own ▁ (U+2581), are the
// browser's.
bool full_font_may_have(char32_t c) {
  return (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0x1100 && c <= 0x11FF) ||
         (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF);
}

// What makes one emoji of several characters. As letters are drawn one by one here, the first is shown, and what
// modifies it takes no room.
bool joins_emoji(char32_t c) {
  return c == 0x200D || (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0x1F3FB && c <= 0x1F3FF) ||
         (c >= 0xE0020 && c <= 0xE007F);
}

// Raised digits are drawn of the digits: the font has four of them, and those too small to read on a screen.
char32_t lowered(char32_t c) {
  if (c == 0xB9) return U'1';
  if (c == 0xB2 || c == 0xB3) return U'2' + (c - 0xB2);
  return c == 0x2070 || (c >= 0x2074 && c <= 0x2079) ? U'0' + (c - 0x2070) : 0;
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
  for (Slot& slot : slots_) {
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
  // ImGui draws no bold letters: those of a bold size come as all others do.
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
  for (Slot& slot : slots_) slot.font->Glyphs.reserve(kMaxGlyphs);
  for (Slot& slot : slots_) slot.font->BuildLookupTable();

  atlas->SetTexID(renderer_->make_texture(texture_width_, texture_height_, alpha));
  texture_bytes_ = static_cast<size_t>(texture_width_) * static_cast<size_t>(texture_height_);
  atlas->ClearTexData();
}

ImFont* GlyphCache::font(TextSize size) const { return slots_[static_cast<int>(size)].font; }

void GlyphCache::need(TextSize size, std::string_view text) {
  Slot& slot = slots_[static_cast<int>(size)];
  for (size_t i = 0; i < text.size();) {
    if (static_cast<uint8_t>(text[i]) < (slot.bold ? 0x21 : 0x80)) {
      ++i;
      continue;
    }
    unsigned int c = 0;
    i += ImTextCharFromUtf8(&c, text.data() + i, text.data() + text.size());
    const ImVector<ImWchar>& lookup = slot.font->IndexLookup;
    if (static_cast<int>(c) >= lookup.Size ||
        lookup[static_cast<int>(c)] == static_cast<ImWchar>(-1))
      add(slot, c);
  }
}

void GlyphCache::add(Slot& slot, char32_t c) {
  Bitmap bitmap;
  int x = 0, y = 0;
  if (!joins_emoji(c) && !draw(slot, c, &bitmap)) {
    if (faces_.size() < 2 && full_font_may_have(c)) {
      wants_full_ = true;
      slot.pending.push_back(c);
      bitmap.advance = slot.pixels;
    } else {
      const int side = static_cast<int>(std::ceil(slot.pixels * 1.6f));
      bitmap.pixels.assign(static_cast<size_t>(side) * side, 0);
      bitmap.advance =
          browser_glyph(static_cast<int>(c), slot.pixels * 0.9f, bitmap.pixels.data(), side);
      bitmap.width = bitmap.height = side;
      bitmap.left = -side / 8;
      bitmap.top = -static_cast<int>(std::lround(side * 0.75));
    }
  }
  if (slot.bold) embolden(slot.pixels, &bitmap);
  if (!place(bitmap, &x, &y)) {
    overflowed_ = true;
    return;
  }
  insert(slot, c, bitmap, x, y);
}

bool GlyphCache::draw(const Slot& slot, char32_t c, Bitmap* bitmap) const {
  if (const char32_t digit = lowered(c); digit != 0) {
    Slot small;
    small.pixels = std::round(slot.pixels * kRaisedSize);
    if (!draw(small, digit, bitmap)) return false;
    bitmap->top -= static_cast<int>(std::round(slot.pixels * kRaisedBy));
    return true;
  }
  for (const auto& face : faces_) {
    const int glyph = stbtt_FindGlyphIndex(&face->info, static_cast<int>(c));
    if (glyph == 0) continue;
    const float scale = stbtt_ScaleForPixelHeight(&face->info, slot.pixels);
    int advance = 0, bearing = 0, right = 0, bottom = 0;
    stbtt_GetGlyphHMetrics(&face->info, glyph, &advance, &bearing);
    stbtt_GetGlyphBitmapBox(&face->info, glyph, scale, scale, &bitmap->left, &bitmap->top, &right,
                            &bottom);
    bitmap->width = right - bitmap->left;
    bitmap->height = bottom - bitmap->top;
    bitmap->advance = std::round(static_cast<float>(advance) * scale);
    bitmap->pixels.assign(static_cast<size_t>(bitmap->width) * bitmap->height, 0);
    if (!bitmap->pixels.empty())
      stbtt_MakeGlyphBitmap(&face->info, bitmap->pixels.data(), bitmap->width, bitmap->height,
                            bitmap->width, scale, scale, glyph);
    return true;
  }
  return false;
}

// Widens each stroke to the right and, half as much, downwards: every pixel takes the most of those beside it.
void GlyphCache::embolden(float pixels, Bitmap* bitmap) {
  if (bitmap->pixels.empty()) return;
  const float stroke = std::max(0.6f, pixels * kBoldStroke);
  const auto widen = [](const Bitmap& from, float by, bool across) {
    Bitmap to = from;
    const int whole = static_cast<int>(by);
    (across ? to.width : to.height) += whole + 1;
    to.pixels.assign(static_cast<size_t>(to.width) * to.height, 0);
    for (int y = 0; y < to.height; ++y)
      for (int x = 0; x < to.width; ++x) {
        float most = 0;
        for (int shift = 0; shift <= whole + 1; ++shift) {
          const int fx = across ? x - shift : x, fy = across ? y : y - shift;
          if (fx < 0 || fy < 0 || fx >= from.width || fy >= from.height) continue;
          const float share = shift <= whole ? 1 : by - static_cast<float>(whole);
          most = std::max(most, share * from.pixels[static_cast<size_t>(fy * from.width + fx)]);
        }
        to.pixels[static_cast<size_t>(y * to.width + x)] = static_cast<uint8_t>(most);
      }
    return to;
  };
  *bitmap = widen(widen(*bitmap, stroke, true), stroke / 2, false);
  bitmap->advance += std::round(stroke / 2);
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
