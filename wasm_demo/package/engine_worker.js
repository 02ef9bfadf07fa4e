// The worker's side of engine_client.js.
import { EngineHost } from './engine_host.js';

// Where the host asks for trusted types of this worker, too: its second thread is a script beside it.
try {
  self.trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => (new URL(url, import.meta.url).origin === self.location.origin ? url : null),
  });
} catch { /* one thread */ }

const host = new EngineHost();
self.onmessage = async ({ data }) => {
  const answer = await host.answer(data);
  const numbers = answer.result?.numbers;
  self.postMessage(answer, numbers ? [numbers.buffer] : []);
};
