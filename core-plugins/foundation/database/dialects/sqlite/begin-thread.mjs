// @ts-check
/*
 * Entry point of a statement thread. Plain JavaScript, since a new thread has no TypeScript loader: under `npm start`
 * its module has been translated, otherwise tsx does it here.
 */
import { workerData } from 'node:worker_threads'

if (/\.[mc]?ts$/.test(workerData.url)) {
  const { register } = await import('tsx/esm/api')
  register()
}
await import(workerData.url)
