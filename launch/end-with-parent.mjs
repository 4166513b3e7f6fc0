// @ts-check
import cluster from 'node:cluster'
import { isMainThread } from 'node:worker_threads'

/*
 * Imported by the service of `mortise dev`, which has a channel to it: where that closes, whoever would have ended the service
 * is gone, however it was ended.
 */
if (isMainThread && cluster.isPrimary && process.channel !== undefined) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGINT'))
  process.channel.unref()
}
