// @ts-check
/*
 * Entry point of a thread of statements. Plain JavaScript, since a new thread has nothing that could translate:
 * under `npm start` its module has been translated, otherwise tsx does it here.
 */
import { workerData } from 'node:worker_threads'

if (/\.[mc]?ts$/.test(workerData.url)) {
  const { register } = await import('tsx/esm/api')
  register()
}
await import(workerData.url)
