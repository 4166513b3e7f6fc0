import type { Queue, Worker as TicketWorker } from 'bullmq'
import type { Log } from '../../kernel/index.ts'
import type { Redis } from '../redis/redis.ts'
import type { Dispatch } from './dispatch.ts'
import type { Worker } from './worker.ts'

const queueName = 'jobs'
/** As many as a worker claims with one look. */
const jobsPerTicket = 50
const maxTickets = 100

/**
 * Dispatches over BullMQ: a commit that makes jobs puts tickets into a queue of Redis, and each ticket goes to one
 * process that has room. It says only that there is something to do; what that is, and who may do it, the database
 * says. So tickets that are lost with Redis, or come twice, do no harm.
 */
export function createBullmqDispatch(redis: Redis, log: Log): Dispatch {
  const prefix = `${redis.keyPrefix}bull`
  const queue = openQueue(redis, prefix, log)
  let ticketWorker: Promise<TicketWorker> | undefined

  let unannounced = 0
  let isAnnouncing = false

  /** Commits that come while tickets are under way share the next ones. */
  async function announceAll(): Promise<void> {
    isAnnouncing = true
    while (unannounced > 0) {
      const count = Math.min(maxTickets, Math.ceil(unannounced / jobsPerTicket))
      unannounced = 0
      await addTickets(count)
    }
    isAnnouncing = false
  }

  async function addTickets(count: number): Promise<void> {
    try {
      const tickets = Array.from({ length: count }, () => ({ name: 'ticket', data: {} }))
      await (await queue).addBulk(tickets)
    } catch (error) {
      log.debug({ err: error }, 'jobs wait until a process looks for them')
    }
  }

  function announce(jobs: number): void {
    unannounced += jobs
    if (!isAnnouncing) void announceAll()
  }

  return {
    announce,
    serve(worker) {
      ticketWorker = openTicketWorker({ redis, prefix, worker, log, onMore: () => announce(1) })
      ticketWorker.catch((error) => log.error({ err: error }, 'jobs are not dispatched over Redis'))
    },
    async stop() {
      // Forced: a ticket that is being worked on waits for a worker that has stopped.
      await ticketWorker?.then((opened) => opened.close(true)).catch(() => undefined)
      await queue.then((opened) => opened.close()).catch(() => undefined)
    },
  }
}

async function openQueue(redis: Redis, prefix: string, log: Log): Promise<Queue> {
  const { Queue } = await import('bullmq')
  // While Redis is gone tickets are dropped at once instead of piling up in memory.
  const connection = await redis.connect({ enableOfflineQueue: false, maxRetriesPerRequest: 1 })
  const defaultJobOptions = { removeOnComplete: true, removeOnFail: true, attempts: 1 }
  const queue = new Queue(queueName, { connection, prefix, defaultJobOptions })
  queue.on('error', (error) => log.debug({ err: error }, 'the queue of tickets is out of reach'))
  return queue
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
