import type { Worker as TicketWorker } from 'bullmq'
import type { Log } from '../../kernel/index.ts'
import type { Redis } from '../redis/redis.ts'
import type { Dispatch } from './dispatch.ts'
import type { Worker } from './worker.ts'

const queueName = 'jobs'
/** As many as a worker claims with one look. */
const jobsPerTicket = 50
const maxTickets = 100
/** A ticket that is not there by then is announced another way. */
const timeLimitMs = 2_000

export interface BullmqDispatchOptions {
  readonly redis: Redis
  /** What is left while Redis cannot be reached. */
  readonly fallback: Dispatch
  readonly log: Log
}

/**
 * Dispatches over BullMQ: a commit that makes jobs puts tickets into a queue of Redis, and each ticket goes to one
 * process that has room. It says only that there is something to do; what that is, and who may do it, the database
 * says. So tickets that are lost with Redis, or come twice, do no harm. While Redis is gone the fallback dispatches.
 */
export function createBullmqDispatch({ redis, fallback, log }: BullmqDispatchOptions): Dispatch {
  const prefix = `${redis.keyPrefix}bull`
  const tickets = openTickets(redis, prefix, log)
  let ticketWorker: Promise<TicketWorker> | undefined

  let unannounced = 0
  let isAnnouncing = false

  /** Commits that come while tickets are under way share the next ones. */
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
    serve(worker) {
      fallback.serve(worker)
      ticketWorker = openTicketWorker({ redis, prefix, worker, log, onMore: () => announce(1) })
      ticketWorker.catch((error) => log.error({ err: error }, 'jobs are not dispatched over Redis'))
    },
    async stop() {
      // Forced: a ticket that is being worked on waits for a worker that has stopped.
      await ticketWorker?.then((opened) => opened.close(true)).catch(() => undefined)
      await tickets.then((opened) => opened.close()).catch(() => undefined)
      await fallback.stop()
    },
  }
}

interface Tickets {
  /** @throws Error while Redis cannot be reached */
  add(count: number): Promise<void>
  close(): Promise<void>
}

async function openTickets(redis: Redis, prefix: string, log: Log): Promise<Tickets> {
  const { Queue } = await import('bullmq')
  // While Redis is gone tickets are refused at once instead of piling up in memory.
  const connection = await redis.connect({
    commandTimeout: timeLimitMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
  })
  const defaultJobOptions = { removeOnComplete: true, removeOnFail: true, attempts: 1 }
  const queue = new Queue(queueName, { connection, prefix, defaultJobOptions })
  queue.on('error', (error) => log.debug({ err: error }, 'the queue of tickets is out of reach'))
  return {
    async add(count) {
      // BullMQ would wait for the first connection for as long as that takes.
      if (connection.status !== 'ready') throw new Error('Redis is not connected')
      await queue.addBulk(Array.from({ length: count }, () => ({ name: 'ticket', data: {} })))
    },
    close: () => queue.close(),
  }
}

interface TicketWorkerOptions {
  readonly redis: Redis
  readonly prefix: string
  readonly worker: Worker
  readonly log: Log
  /** There is more to do than this process can. */
  readonly onMore: () => void
}

async function openTicketWorker({
  redis,
  prefix,
  worker,
  log,
  onMore,
}: TicketWorkerOptions): Promise<TicketWorker> {
  const { Worker } = await import('bullmq')
  const connection = await redis.connect()
  const tickets = new Worker(
    queueName,
    async () => {
      // One at a time, and the next one only when there is room, so that it goes to a process that has some.
      await worker.hasRoom()
      if (await worker.look()) onMore()
    },
    { connection, prefix, concurrency: 1 },
  )
  tickets.on('error', (error) => log.debug({ err: error }, 'tickets are out of reach'))
  return tickets
}
