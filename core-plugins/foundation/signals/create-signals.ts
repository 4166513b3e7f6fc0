import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../../kernel/index.ts'
import { createProbe, type ProbeTiming } from './probe.ts'
import type { Signals } from './signals.ts'
import type { OpenTransport, Transport } from './transport.ts'

/** The topic of probes, which a process sends to itself to check that it receives anything; reserved for this. */
const probeTopic = '?'

/** Creates signals over a transport, and a function to end them. */
export async function createSignals(
  open: OpenTransport,
  log: Log,
  timing?: ProbeTiming,
): Promise<{ signals: Signals; stop(): void }> {
  const self = randomBytes(6).toString('hex')
  const listeners = new Map<string, Set<() => void>>()

  function notify(topic: string): void {
    for (const listener of listeners.get(topic) ?? []) {
      try {
        listener()
      } catch (error) {
        log.error({ topic, err: error }, `a listener to the signal ${topic} failed`)
      }
    }
  }

  function receive(message: string): void {
    const [sender, topic = ''] = message.split(' ', 2)
    if (sender !== self) notify(topic)
    else if (topic === probeTopic) probe.heard()
  }

  async function publish(topic: string): Promise<void> {
    await transport?.publish(`${self} ${topic}`)
  }

  let transport: Transport | undefined
  const probe = createProbe({
    send: () => publish(probeTopic),
    restart: () => transport?.restart(),
    log,
    timing,
    // Signals sent during an outage are lost, so all listeners have to check.
    onConnected: () => [...listeners.keys()].forEach(notify),
  })
  transport = await open({
    message: receive,
    opened: () => probe.send(),
    lost: () => probe.lost(),
  })
  const sender = createSender(publish, log)

  const signals: Signals = {
    get isConnected() {
      return probe.isConnected
    },
    send: sender,
    onSignal(topic, listener) {
      const all = listeners.get(topic) ?? new Set()
      listeners.set(topic, all.add(listener))
      return () => all.delete(listener)
    },
  }
  return {
    signals,
    stop() {
      probe.stop()
      transport?.stop()
    },
  }
}

/**
 * The minimum interval between signals of one topic, in milliseconds: over a database, each of them costs a commit.
 */
const restMs = 25

/**
 * Sends a topic at once, and merges requests that follow soon after into one more: a signal only says that there is
 * something to check, so a later one covers all before it.
 */
function createSender(publish: (topic: string) => Promise<void>, log: Log): (topic: string) => void {
  const waiting = new Map<string, boolean>()

  async function send(topic: string): Promise<void> {
    do {
      waiting.set(topic, false)
      await publish(topic).catch((error) =>
        log.debug(
          { topic, err: error },
          'a signal could not be sent; other processes will notice when they next check',
        ),
      )
      // If the process ends meanwhile, the others notice at their next regular check.
      await delay(restMs, undefined, { ref: false })
    } while (waiting.get(topic) === true)
    waiting.delete(topic)
  }

  return (topic) => {
    if (waiting.has(topic)) waiting.set(topic, true)
    else void send(topic)
  }
}
