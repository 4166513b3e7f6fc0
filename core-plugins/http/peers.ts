import cluster, { type Worker } from 'node:cluster'

/** Sent between the processes that share a port, relayed by the one that started them. */
type PeerMessage =
  | { readonly kind: 'peers:ask'; readonly id: number; readonly topic: string }
  | { readonly kind: 'peers:question'; readonly id: number; readonly topic: string; readonly asker: number }
  | {
      readonly kind: 'peers:answer'
      readonly id: number
      readonly asker: number
      readonly peers: number
      readonly answer: unknown
    }

/** Asks all processes that share the port, this one included. */
export interface Peers {
  /** Registers what this process answers to a topic: JSON. */
  answer(topic: string, give: () => Promise<unknown>): void
  /** Returns the answers of all processes; leaves out those that do not answer in time. */
  ask(topic: string): Promise<readonly unknown[]>
  close(): void
}

const patienceMs = 2_000

/** The peers of this process; if SVC_PROCESSES is 1, it has none and asks only itself. */
export function createPeers(): Peers {
  const givers = new Map<string, () => Promise<unknown>>()
  const gatherers = new Map<number, (message: Extract<PeerMessage, { kind: 'peers:answer' }>) => void>()
  let lastId = 0

  async function answerQuestion(question: Extract<PeerMessage, { kind: 'peers:question' }>): Promise<void> {
    const answer = await givers.get(question.topic)?.()
    process.send?.({ ...question, kind: 'peers:answer', peers: 0, answer } satisfies PeerMessage)
  }

  function receive(message: PeerMessage): void {
    if (message.kind === 'peers:question') answerQuestion(message).catch(() => undefined)
    if (message.kind === 'peers:answer') gatherers.get(message.id)?.(message)
  }

  function askPeers(topic: string): Promise<readonly unknown[]> {
    lastId += 1
    const id = lastId
    return new Promise((resolve) => {
      const answers: unknown[] = []
      const finish = () => {
        clearTimeout(timer)
        gatherers.delete(id)
        resolve(answers)
      }
      const timer = setTimeout(finish, patienceMs)
      gatherers.set(id, ({ answer, peers }) => {
        if (answer !== undefined) answers.push(answer)
        if (answers.length >= peers) finish()
      })
      process.send?.({ kind: 'peers:ask', id, topic } satisfies PeerMessage)
    })
  }

  if (cluster.isWorker) process.on('message', receive)
  return {
    answer: (topic, give) => void givers.set(topic, give),
    async ask(topic) {
      if (cluster.isWorker) return askPeers(topic)
      return [await givers.get(topic)?.()]
    },
    close: () => void process.off('message', receive),
  }
}

/** In the process that started the others: relays a worker's messages to their recipients. */
export function relayToPeers(message: PeerMessage, from: Worker, all: readonly Worker[]): void {
  if (message.kind === 'peers:ask') {
    const { id, topic } = message
    for (const worker of all) worker.send({ kind: 'peers:question', id, topic, asker: from.id })
  }
  if (message.kind === 'peers:answer') {
    all.find(({ id }) => id === message.asker)?.send({ ...message, peers: all.length })
  }
}
