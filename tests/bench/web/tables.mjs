// The tables that a run prints.
export const NAMES = {
  ours: 'ours', relaxed_simd: 'relaxed SIMD', relaxed_simd16: 'relaxed, 16 bits', simd128: 'SIMD128',
  onnxruntime_int8: 'ort int8', onnxruntime_float: 'ort fp32',
};
const ms = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(2));

// rows: lists of texts, the first row above all; the first column is words, the others are numbers.
function print(title, rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  console.log(`\n${title}`);
  for (const row of rows) console.log(row.map((text, i) => (i ? text.padStart(widths[i]) : text.padEnd(widths[i]))).join('  '));
}

export const label = (row) => row.model + (row.random_weights ? '*' : '');

// Ours and every peer in ms, and how many times as fast as the fastest peer ours is: sample by sample, and with the
// fastest sample of each.
export function speedTable(title, rows) {
  if (!rows.length) return;
  const peers = Object.keys(rows[0].ratio);
  print(title, [
    ['model', 'pieces', 'ours', ...peers.map((peer) => NAMES[peer]), 'fastest peer', 'ours', 'both at best'],
    ...rows.map((row) => [label(row), String(row.length), ms(row.milliseconds[row.page]),
      ...peers.map((peer) => ms(row.milliseconds[peer])),
      NAMES[row.best_peer], `${row.ratio[row.best_peer].toFixed(1)} ×`, `${row.fastest_ratio.toFixed(1)} ×`]),
  ]);
}

// The kernels of ours in ms; '>' is what the page takes.
export function kernelTable(title, rows, kernels) {
  print(title, [
    ['model', 'pieces', ...kernels.map((kernel) => NAMES[kernel])],
    ...rows.map((row) => [label(row), String(row.length),
      ...kernels.map((kernel) => `${row.page === kernel ? '>' : ''}${ms(row.milliseconds[kernel])}`)]),
  ]);
}

// How often a peer's best guess is ours, and the least correlation of the logits.
export function agreementTable(title, rows) {
  const peers = Object.keys(rows[0].same_guess);
  print(title, [
    ['model', 'pieces', ...peers.map((peer) => NAMES[peer])],
    ...rows.map((row) => [label(row), String(row.length), ...peers.map((peer) => `${row.same_guess[peer]}/${row.sentences} ${row.least_correlation[peer].toFixed(4)}`)]),
  ]);
}
