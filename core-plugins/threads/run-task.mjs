// @ts-check
/*
 * Runs on each worker thread. Plain JavaScript, since a thread starts without a TypeScript loader: under `npm
 * start` the tasks' modules are already compiled, otherwise tsx compiles them here.
 */

let isTranslating = false

/** @param {{ url: string, payload: unknown }} task */
export default async function runTask({ url, payload }) {
  if (!isTranslating && /\.[mc]?ts$/.test(url)) {
    const { register } = await import('tsx/esm/api')
    register()
    isTranslating = true
  }
  const module = await import(url)
  return module.default(payload)
}
