import type { Worker as TicketWorker } from 'bullmq'
import type { Log } from '../../../kernel/index.ts'
import type { ConnectRedis, Redis } from '../../foundation/redis/redis.ts'
import type { Dispatch } from './dispatch.ts'
import type { Runner } from './runner.ts'

const queueName = 'jobs'
/** The number of jobs that a runner claims at once. */
const jobsPerTicket = 50
const maxTickets = 100
/** The version was checked before; BullMQ would print its own warning to the console. */
const skipVersionCheck = true
/** In milliseconds: if a ticket is not in the queue by then, the fallback announces it. */
const timeLimitMs = 2_000

export interface BullmqDispatchOptions {
  readonly redis: Redis
  /** Used while Redis is unreachable. */
  readonly fallback: Dispatch
  readonly log: Log
}

/**
 * Dispatches over BullMQ: a commit that creates jobs adds tickets to a Redis queue, and each ticket goes to one process with
 * capacity. A ticket only says that there is work; the database decides which job to run, and by which process. Lost or duplicate
 * tickets are therefore harmless. While Redis is down, or refuses commands, the fallback dispatches.
 */
export function createBullmqDispatch({ redis, fallback, log }: BullmqDispatchOptions): Dispatch {
  const prefix = redis.names.tickets
  let tickets: Promise<Tickets> | undefined
  const endTickets = redis.use((connect) => {
    const opened = openTickets({ connect, prefix, log })
    tickets = opened
    return async () => {
      tickets = undefined
      await (await opened).close()
    }
  })
  let endWorker: () => Promise<void> = async () => undefined

  let unannounced = 0
  let isAnnouncing = false

  /** Commits made while tickets are being sent share the next batch. */
  async function announceAll(): Promise<void> {
    isAnnouncing = true
    while (unannounced > 0) {
      const count = Math.min(maxTickets, Math.ceil(unannounced / jobsPerTicket))
      unannounced = 0
      await announceAtOnce(count)
    }
    isAnnouncing = false
  }

  async function announceAtOnce(count: number): Promise<void> {
    try {
      if (tickets === undefined) throw new Error('Redis is not used')
      await (await tickets).add(count)
    } catch (error) {
      log.debug({ err: error }, 'jobs are not announced over Redis')
      fallback.announce(count)
    }
  }

  function announce(jobs: number): void {
    unannounced += jobs
    if (!isAnnouncing) void announceAll()
  }

  return {
    announce,
    serve(runner) {
      fallback.serve(runner)
      endWorker = redis.use((connect) => {
        const opened = openTicketWorker({ connect, prefix, runner, log, onMore: () => announce(1) })
        // Forced, because a ticket being processed waits for a runner that has already stopped.
        return async () => (await opened).close(true)
      })
    },
    async stop() {
      await endWorker()
      await endTickets()
      await fallback.stop()
    },
  }
}

interface QueueOptions {
  readonly connect: ConnectRedis
  readonly prefix: string
  readonly log: Log
}

interface Tickets {
  /** @throws Error while Redis is unreachable */
  add(count: number): Promise<void>
  close(): Promise<void>
}

async function openTickets({ connect, prefix, log }: QueueOptions): Promise<Tickets> {
  // While Redis is down, tickets are rejected immediately instead of queueing in memory.
  const connection = connect({
    commandTimeout: timeLimitMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  })
  const { Queue } = await import('bullmq')
  const defaultJobOptions = { removeOnComplete: true, removeOnFail: true, attempts: 1 }
  const queue = new Queue(queueName, { connection, prefix, defaultJobOptions, skipVersionCheck })
  queue.on('error', (error) => log.debug({ err: error }, 'the queue of tickets is out of reach'))
  return {
    async add(count) {
      // BullMQ would wait for the first connection indefinitely.
      if (connection.status !== 'ready') throw new Error('Redis is not connected')
      await queue.addBulk(Array.from({ length: count }, () => ({ name: 'ticket', data: {} })))
    },
    close: () => queue.close(),
  }
}

interface TicketWorkerOptions extends QueueOptions {
  readonly runner: Runner
  /** Called when there is more work than this process can take. */
  readonly onMore: () => void
}

async function openTicketWorker(options: TicketWorkerOptions): Promise<TicketWorker> {
  const { connect, prefix, runner, log, onMore } = options
  const connection = connect()
  const { Worker } = await import('bullmq')
  const tickets = new Worker(
    queueName,
    async () => {
      // One at a time, and the next one only when there is capacity, so that tickets go to processes with capacity.
      await runner.hasRoom()
      if (await runner.look()) onMore()
    },
    { connection, prefix, concurrency: 1, skipVersionCheck, autorun: false },
  )
  tickets.on('error', (error) => log.debug({ err: error }, 'tickets are out of reach'))
  // BullMQ would poll a connection that failed before it was ready in a tight loop, blocking the event loop.
  tickets
    .waitUntilReady()
    .then(() => tickets.run())
    .catch((error) => log.debug({ err: error }, 'no more tickets are taken from this connection'))
  return tickets
}
