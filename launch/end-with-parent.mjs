// @ts-check
import cluster from 'node:cluster'
import { isMainThread } from 'node:worker_threads'

/*
 * Imported by the service of `mortise dev`, which has a channel to it: if the channel closes, that process has ended,
 * in whatever way, and the service has to end too.
 */
if (isMainThread && cluster.isPrimary && process.channel !== undefined) {
  process.once('disconnect', () => process.kill(process.pid, 'SIGINT'))
  process.channel.unref()
}
