// One visit: what ?engine= names is started and guesses once. Leaves in window.first how long that took since the
// visit began, in ms.
import { peersOf, startOurs } from './engines.mjs';

const engine = new URLSearchParams(location.search).get('engine');
const { job, threads, length, ids, position } = await (await fetch('visit.json')).json();
const start = engine === 'ours' ? () => startOurs(job.model) : peersOf(job, length)[engine];
const started = await start(threads);
const best = (logits) => logits.reduce((top, value, i) => (value > logits[top] ? i : top), 0);
const guess = best(await started.logits(Int32Array.from(ids), position));
window.first = { milliseconds: performance.now(), guess };
