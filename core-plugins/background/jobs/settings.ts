import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

export const concurrency = defineSetting(
  'jobs.concurrency',
  Type.Integer({
    tier: 'infrastructure',
    default: 10,
    minimum: 1,
    maximum: 1000,
    title: 'Jobs at a time',
    description:
      'How many jobs one process runs at the same time; kinds with a limit of their own do not count.',
  }),
)

export const pollIntervalMs = defineSetting(
  'jobs.pollIntervalMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 1_000,
    minimum: 10,
    maximum: 60_000,
    title: 'Look for jobs',
    description:
      'How often a process looks for jobs that others have made, in milliseconds; its own it runs at once.',
  }),
)

export const leaseMs = defineSetting(
  'jobs.leaseMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 30_000,
    minimum: 300,
    maximum: 3_600_000,
    title: 'Lease of a job',
    description:
      'After how long a job is given to another process when the one that runs it has died, in milliseconds; the same in all processes.',
  }),
)

export const shutdownGraceMs = defineSetting(
  'jobs.shutdownGraceMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 5_000,
    minimum: 0,
    maximum: 8_000,
    title: 'Grace at the stop',
    description:
      'How long running jobs may go on when the service stops before they are handed back, in milliseconds.',
  }),
)

export const retentionDays = defineSetting(
  'advanced.jobs.retentionDays',
  Type.Integer({
    tier: 'runtime',
    default: 14,
    minimum: 0,
    maximum: 3_650,
    title: 'Keep finished jobs',
    description: 'For how many days finished jobs are kept; failed ones are kept twice as long.',
  }),
)

/** All settings, to be contributed. */
export const jobSettings = [concurrency, pollIntervalMs, leaseMs, shutdownGraceMs, retentionDays]
