import cluster, { type Worker } from 'node:cluster'

/** Sent between the processes that share a port, relayed by the one that started them. */
type ClusterMessage =
  | { readonly kind: 'cluster:request'; readonly id: number; readonly topic: string }
  | {
      readonly kind: 'cluster:query'
      readonly id: number
      readonly topic: string
      readonly requester: number
    }
  | {
      readonly kind: 'cluster:response'
      readonly id: number
      readonly requester: number
      readonly workers: number
      readonly response: unknown
    }

/** Requests to all processes that share the port, including this one. */
export interface ClusterRequests {
  /** Registers this process's handler for a topic; its result must be JSON. */
  handle(topic: string, handler: () => Promise<unknown>): void
  /** Returns the responses of all processes, without those that do not respond in time. */
  request(topic: string): Promise<readonly unknown[]>
  close(): void
}

const timeoutMs = 2_000

/** If SVC_PROCESSES is 1, only this process responds. */
export function createClusterRequests(): ClusterRequests {
  const handlers = new Map<string, () => Promise<unknown>>()
  const pendingResponses = new Map<
    number,
    (message: Extract<ClusterMessage, { kind: 'cluster:response' }>) => void
  >()
  let lastId = 0

  async function respond(query: Extract<ClusterMessage, { kind: 'cluster:query' }>): Promise<void> {
    const response = await handlers.get(query.topic)?.()
    process.send?.({ ...query, kind: 'cluster:response', workers: 0, response } satisfies ClusterMessage)
  }

  function receive(message: ClusterMessage): void {
    if (message.kind === 'cluster:query') respond(message).catch(() => undefined)
    if (message.kind === 'cluster:response') pendingResponses.get(message.id)?.(message)
  }

  function requestWorkers(topic: string): Promise<readonly unknown[]> {
    lastId += 1
    const id = lastId
    return new Promise((resolve) => {
      const responses: unknown[] = []
      const finish = () => {
        clearTimeout(timer)
        pendingResponses.delete(id)
        resolve(responses)
      }
      const timer = setTimeout(finish, timeoutMs)
      pendingResponses.set(id, ({ response, workers }) => {
        if (response !== undefined) responses.push(response)
        if (responses.length >= workers) finish()
      })
      process.send?.({ kind: 'cluster:request', id, topic } satisfies ClusterMessage)
    })
  }

  if (cluster.isWorker) process.on('message', receive)
  return {
    handle: (topic, handler) => void handlers.set(topic, handler),
    async request(topic) {
      if (cluster.isWorker) return requestWorkers(topic)
      return [await handlers.get(topic)?.()]
    },
    close: () => void process.off('message', receive),
  }
}

/** In the process that started the others: relays a worker's messages to their recipients. */
export function relayClusterMessage(message: ClusterMessage, from: Worker, all: readonly Worker[]): void {
  if (message.kind === 'cluster:request') {
    const { id, topic } = message
    for (const worker of all) worker.send({ kind: 'cluster:query', id, topic, requester: from.id })
  }
  if (message.kind === 'cluster:response') {
    all.find(({ id }) => id === message.requester)?.send({ ...message, workers: all.length })
  }
}
