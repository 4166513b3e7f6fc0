import { Type } from 'typebox'
import {
  defineJob,
  type JobContext,
  type JobKind,
  type Jobs,
  jobKinds,
  jobsService,
} from '../../core-plugins/background/jobs/jobs.ts'
import { databaseService, type Transaction } from '../../core-plugins/foundation/database/database.ts'
import { definePlugin, type Plugin } from '../../kernel/index.ts'
import { type StartOptions, startService, type TestService } from '../support/service.ts'

export type Work = (value: unknown, context: JobContext) => unknown

/** A kind of job that does what a test says. */
export interface TestKind {
  readonly kind: JobKind<{ value?: unknown }>
  /** Replaces what jobs of this kind do. */
  does(work: Work): void
}

export function testKind(name: string, options: Partial<JobKind<{ value?: unknown }>> = {}): TestKind {
  let work: Work = () => undefined
  return {
    kind: defineJob({
      retryDelayMs: () => 5,
      ...options,
      name,
      payload: Type.Object({ value: Type.Optional(Type.Unknown()) }, { additionalProperties: false }),
      run: ({ value }, context) => work(value, context),
    }),
    does(next) {
      work = next
    },
  }
}

/** A service with the jobs of a test. */
export interface JobsWorld extends TestService {
  readonly jobs: Jobs
  /** Runs in its own transaction. */
  inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

export function pluginOf(kinds: readonly TestKind[]): Plugin {
  return definePlugin({
    name: 'test-jobs',
    description: 'Kinds of jobs for tests',
    register({ contribute }) {
      for (const { kind } of kinds) contribute(jobKinds, kind as JobKind)
    },
  })
}

export async function startJobsWorld(
  kinds: readonly TestKind[],
  { plugins = [], ...options }: StartOptions = {},
): Promise<JobsWorld> {
  const service = await startService({ schemas: {}, ...options, plugins: [...plugins, pluginOf(kinds)] })
  return {
    ...service,
    jobs: service.kernel.get(jobsService),
    inTransaction: (work) => service.kernel.get(databaseService).transaction(work),
  }
}

/** A gate that opens once. */
export function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
