// @ts-check
/*
 * Runs on each worker thread. Plain JavaScript, since a thread begins without anything that could translate:
 * under `npm start` the modules of tasks are translated already, otherwise tsx does it here.
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
