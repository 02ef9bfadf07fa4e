// The worker's side of engine_client.js.
import { EngineHost } from './engine_host.js';

const host = new EngineHost();
self.onmessage = async ({ data }) => {
  const answer = await host.answer(data);
  const numbers = answer.result?.numbers;
  self.postMessage(answer, numbers ? [numbers.buffer] : []);
};
