import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '../support/client.ts'
import type { Random } from './random.ts'

/** A request had no answer, as its process was killed: what has become of it is not known. */
export class NoAnswer extends Error {}

/** What one client of the load knows. */
export interface LoadClient {
  readonly index: number
  /** Its requests throw `NoAnswer` when the process dies. */
  readonly client: Client
  readonly random: Random
  /** Counts a request that was acknowledged. */
  acknowledge(): void
  isOver(): boolean
}

/** What a client does: again and again, until it is over. */
export type Work = (load: LoadClient) => Promise<void>

export interface LoadOptions {
  readonly work: Work
  readonly clients: number
  readonly random: Random
  /** Clients that are signed in, one for each process; the first one's dies. */
  readonly processes: readonly Client[]
}

/** Several clients at work at the same time. */
export interface RunningLoad {
  /** Resolves when so many more requests were acknowledged. */
  acknowledges(count: number): Promise<void>
  /** Lets each client finish what it does; those whose process is gone have finished. @throws what a client threw */
  end(): Promise<void>
}

const patienceMs = 60_000

/** Between the requests of a client that would otherwise take the processor from those that the test is about. */
export const breathe = () => delay(5)

export function startLoad({ work, clients, random, processes }: LoadOptions): RunningLoad {
  let acknowledged = 0
  let isOver = false
  let failure: unknown

  const loadOf = (index: number, client: Client): LoadClient => ({
    index,
    client,
    random,
    acknowledge: () => void acknowledged++,
    isOver: () => isOver,
  })

  /** A client whose process dies goes on with another one. */
  async function run(index: number): Promise<void> {
    const first = processes[index % processes.length]
    const others = processes.filter((client) => client !== first)
    for (const client of [...(first === undefined ? [] : [first]), ...others]) {
      try {
        return await work(loadOf(index, client))
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error
      }
    }
  }

  const running = Array.from({ length: clients }, (_, index) =>
    run(index).catch((error) => {
      failure ??= error
    }),
  )

  return {
    async acknowledges(count) {
      const wanted = acknowledged + count
      const deadline = performance.now() + patienceMs
      while (acknowledged < wanted) {
        if (failure !== undefined) throw failure
        if (performance.now() > deadline) throw new Error('nothing of the load is acknowledged')
        await delay(1)
      }
    },
    async end() {
      isOver = true
      await Promise.all(running)
      if (failure !== undefined) throw failure
    },
  }
}

/** A client that tells a process that is gone from all else that can go wrong. */
export function impatientClient(url: string, token: string): Client {
  const inner = createClient(url, token)
  return clientOf((method, path, options) => inner.request(method, path, options).catch(tellNoAnswer))
}

/** A client to which 503 is no answer, either: the database may have got the request or not. */
export function tellingUnavailable(client: Client): Client {
  return clientOf(async (method, path, options) => {
    const answer = await client.request(method, path, options)
    if (answer.status === 503) throw new NoAnswer('the service is unavailable')
    return answer
  })
}

function clientOf(request: Client['request']): Client {
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
    put: (path, body, options) => request('PUT', path, { ...options, body }),
    patch: (path, body, options) => request('PATCH', path, { ...options, body }),
    delete: (path, body, options) => request('DELETE', path, { ...options, body }),
  }
}

/** What goes wrong on the way: before an answer, or in the middle of it. */
const onTheWay = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ETIMEDOUT']

function tellNoAnswer(error: unknown): never {
  if (onTheWay.includes((error as NodeJS.ErrnoException).code ?? ''))
    throw new NoAnswer('no answer', { cause: error })
  throw error
}
