import { defineSetting } from '../config/config.ts'

export const concurrency = defineSetting<number>({
  key: 'jobs.concurrency',
  tier: 'infrastructure',
  type: 'integer',
  default: 10,
  min: 1,
  max: 1000,
  label: 'Jobs at a time',
  description:
    'How many jobs one process runs at the same time; kinds with a limit of their own do not count.',
})

export const pollIntervalMs = defineSetting<number>({
  key: 'jobs.pollIntervalMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 1_000,
  min: 10,
  max: 60_000,
  label: 'Look for jobs',
  description:
    'How often a process looks for jobs that others have made, in milliseconds; its own it runs at once.',
})

export const leaseMs = defineSetting<number>({
  key: 'jobs.leaseMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 30_000,
  min: 300,
  max: 3_600_000,
  label: 'Lease of a job',
  description:
    'After how long a job is given to another process when the one that runs it has died, in milliseconds; the same in all processes.',
})

export const shutdownGraceMs = defineSetting<number>({
  key: 'jobs.shutdownGraceMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 5_000,
  min: 0,
  max: 8_000,
  label: 'Grace at the stop',
  description:
    'How long running jobs may go on when the service stops before they are handed back, in milliseconds.',
})

export const retentionDays = defineSetting<number>({
  key: 'advanced.jobs.retentionDays',
  tier: 'runtime',
  type: 'integer',
  default: 14,
  min: 0,
  max: 3_650,
  label: 'Keep finished jobs',
  description: 'For how many days finished jobs are kept; failed ones are kept twice as long.',
})

/** All of them, to be contributed. */
export const jobSettings = [concurrency, pollIntervalMs, leaseMs, shutdownGraceMs, retentionDays]
