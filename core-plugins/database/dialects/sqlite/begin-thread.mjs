// @ts-check
/*
 * Where a reading thread begins. Plain JavaScript, since a thread begins without anything that could translate: under
 * `npm start` its module is translated already, otherwise tsx does it here.
 */
import { workerData } from 'node:worker_threads'

if (/\.[mc]?ts$/.test(workerData.url)) {
  const { register } = await import('tsx/esm/api')
  register()
}
await import(workerData.url)
