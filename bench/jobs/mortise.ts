import { join } from 'node:path'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { type DialectName, databaseService } from '../../core-plugins/foundation/database/database.ts'
import { silentLog } from '../../kernel/index.ts'
import { createService } from '../../service.ts'
import { createDatabase } from '../database.ts'
import { inParallel, type JobsRun, type JobsSide, waitUntil } from './jobs-side.ts'
import { noopJob, noopPlugin } from './noop-job.ts'
import { startProcesses } from './processes.ts'

/** Jobs as plugins create them: each in a transaction of its own, stored in the database. */
export function mortiseSide(database: DialectName, folder: string, redisUrl?: string): JobsSide {
  return {
    title: redisUrl === undefined ? database : `${database} and Redis`,
    async measure({ jobs, processes, concurrency, writers }): Promise<JobsRun> {
      const { url, drop } = await createDatabase(database, folder)
      const env = {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: '0',
        DATABASE_URL: url,
        JWT_SECRET: 'a secret for benchmarks of 32 characters',
        DEFAULT_ADMIN_PASSWORD: 'a password for benchmarks',
        SVC_SCHEMAS_DIR: join(folder, 'schemas'),
        SVC_JOBS_CONCURRENCY: String(concurrency),
        ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
      }
      const web = await createService({
        env: { ...env, SVC_ROLE: 'web' },
        workingDirectory: folder,
        plugins: [noopPlugin],
        log: { ...silentLog, level: 'silent' },
      })
      await web.start()
      const script = new URL('./mortise-process.ts', import.meta.url)
      const workerEnv = { ...env, SVC_ROLE: 'worker' }
      const workers = await startProcesses({ script, args: [], count: processes, folder, env: workerEnv })
      const queue = web.get(jobsService)
      const store = web.get(databaseService)
      const startedAt = performance.now()
      await inParallel(jobs, writers, (value) =>
        store.transaction((tx) => queue.enqueue(tx, noopJob, { value })),
      )
      const enqueuedAt = performance.now()
      await waitUntil(async () => (await queue.stats()).byStatus.completed === jobs)
      const endedAt = performance.now()
      await workers.stop()
      await web.stop()
      await drop()
      return { enqueueMs: enqueuedAt - startedAt, totalMs: endedAt - startedAt }
    },
  }
}
