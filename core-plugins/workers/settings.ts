import { availableParallelism } from 'node:os'
import { type Config, defineSetting } from '../config/config.ts'

export const maxThreads = defineSetting<number>({
  key: 'workers.maxThreads',
  tier: 'infrastructure',
  type: 'integer',
  default: 0,
  min: 0,
  max: 64,
  label: 'Worker threads',
  description:
    'Threads of one process for thumbnails, backups and other heavy work; 0 for one less than there are processors. They start when needed.',
})

export const maxQueue = defineSetting<number>({
  key: 'workers.maxQueue',
  tier: 'infrastructure',
  type: 'integer',
  default: 500,
  min: 0,
  max: 100_000,
  label: 'Waiting worker tasks',
  description: 'How many tasks may wait for a worker thread; what comes then is answered with 503.',
})

/** One processor is left to the event loop, which has requests to answer meanwhile. */
export function threadCount(config: Config): number {
  return config.get(maxThreads) || Math.max(1, availableParallelism() - 1)
}
