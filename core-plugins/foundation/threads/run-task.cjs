// @ts-check
/*
 * Runs on each worker thread. Plain JavaScript, since a thread starts without a TypeScript loader: under `npm
 * start` the tasks' modules are already compiled, otherwise tsx compiles them here. CommonJS, since Piscina begins with
 * `require`: on Node.js 20, a thread that is ended while it requires an ES module takes the process with it.
 */

let isTranslating = false

/** @param {{ url: string, payload: unknown }} task */
module.exports = async function runTask({ url, payload }) {
  if (!isTranslating && /\.[mc]?ts$/.test(url)) {
    const { register } = await import('tsx/esm/api')
    register()
    isTranslating = true
  }
  const { default: run } = await import(url)
  return run(payload)
}
