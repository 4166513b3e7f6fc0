import { randomBytes } from 'node:crypto'
import { Queue } from 'bullmq'
import { inParallel, type JobsRun, type JobsSide, waitUntil } from './jobs-side.ts'
import { startProcesses } from './processes.ts'

export const queueName = 'bench'

const redisUrl = () => process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379'

export function connectionOf() {
  const { hostname, port } = new URL(redisUrl())
  return { host: hostname, port: Number(port || 6379) }
}

/** Bare BullMQ on Redis, which keeps jobs in memory: the cost of a queue outside of transactions. */
export function bullmqSide(folder: string): JobsSide {
  return {
    title: 'bare BullMQ',
    async measure({ jobs, processes, concurrency, writers }): Promise<JobsRun> {
      const prefix = `bench-${randomBytes(4).toString('hex')}`
      const queue = new Queue(queueName, {
        connection: connectionOf(),
        prefix,
        defaultJobOptions: { removeOnComplete: true },
      })
      const workers = await startProcesses({
        script: new URL('./bullmq-process.ts', import.meta.url),
        args: [prefix, String(concurrency)],
        count: processes,
        folder,
        env: {},
      })
      const startedAt = performance.now()
      await inParallel(jobs, writers, (value) => queue.add('noop', { value }))
      const enqueuedAt = performance.now()
      await waitUntil(async () => (await queue.getJobCountByTypes('waiting', 'active')) === 0)
      const endedAt = performance.now()
      await workers.stop()
      await queue.obliterate({ force: true })
      await queue.close()
      return { enqueueMs: enqueuedAt - startedAt, totalMs: endedAt - startedAt }
    },
  }
}
