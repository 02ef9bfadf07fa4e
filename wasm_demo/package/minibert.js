// The entry of the package: everything that a page may use. minibert.d.ts types it, README.md tells it.
export { VERSION as version } from './built.js';
export { Engine, load } from './engine_client.js';
export { MinibertError } from './errors.js';
export { download, Progress } from './loader.js';
export { Model } from './model.js';
export { pipeline } from './pipeline.js';
export { hasRelaxedSimd, missingFeatures } from './support.js';
