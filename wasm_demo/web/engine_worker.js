// The worker's side of engine_client.js.
import { EngineHost } from './engine_host.js';

const host = new EngineHost();
self.onmessage = async ({ data }) => {
  const answer = await host.answer(data);
  const weights = answer.result?.weights;
  self.postMessage(answer, weights ? [weights.buffer] : []);
};
