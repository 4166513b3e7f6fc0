import { Type } from 'typebox'
import { defineJob, type JobKind, jobKinds } from '../../core-plugins/background/jobs/jobs.ts'
import { definePlugin } from '../../kernel/index.ts'

/** A job that does nothing, so that only the queue is measured. */
export const noopJob = defineJob({
  name: 'bench.noop',
  payload: Type.Object({ value: Type.Integer() }),
  run: () => undefined,
})

export const noopPlugin = definePlugin({
  name: 'bench-jobs',
  description: 'Jobs that do nothing',
  register({ contribute }) {
    contribute(jobKinds, noopJob as JobKind)
  },
})
