// The engine's second thread (dot_helper.cpp): relaxed_simd.wasm once more, on the engine's memory.
self.onmessage = async ({ data: { module, memory, job } }) => {
  const { exports } = await WebAssembly.instantiate(module, { env: { memory } });
  exports.help_dot(job);  // never returns
};
