import { availableParallelism } from 'node:os'
import { Type } from 'typebox'
import { type Config, defineSetting } from '../config/config.ts'

export const maxThreads = defineSetting(
  'threads.max',
  Type.Integer({
    tier: 'infrastructure',
    default: 0,
    minimum: 0,
    maximum: 64,
    title: 'Worker threads',
    description:
      'Threads of one process for thumbnails, backups and other heavy work; 0 for one less than there are processors. They start when needed.',
  }),
)

export const maxQueue = defineSetting(
  'threads.maxQueue',
  Type.Integer({
    tier: 'infrastructure',
    default: 500,
    minimum: 0,
    maximum: 100_000,
    title: 'Waiting thread tasks',
    description: 'How many tasks may wait for a thread; further ones are refused with 503.',
  }),
)

/** Leaves one processor for the event loop. */
export function threadCount(config: Config): number {
  return config.get(maxThreads) || Math.max(1, availableParallelism() - 1)
}
