import { randomUUID } from 'node:crypto'
import { beatSeconds } from '../../core-plugins/panel/panel-events/presence.ts'
import { call } from '../client.ts'
import type { LoadTarget } from '../load.ts'

/** The interval at which a panel announces its presence. */
const beatMs = beatSeconds * 1_000
const patienceMs = 30_000

export interface Place {
  readonly type: string
  readonly id: number
}

/** The connection and requests of an idle panel. */
export interface OpenPanel {
  /** Announces the field that the user is in; resolves when the service has accepted it. */
  focus(field: string): Promise<void>
  /**
   * The time (`performance.now`) at which an event arrives whose data contains these words.
   * @throws Error after half a minute without it
   */
  hears(words: string): Promise<number>
  close(): Promise<void>
}

/** Opens the stream of a panel, in a list or in an entry. */
export async function openPanel(target: LoadTarget, place?: Place): Promise<OpenPanel> {
  const stream = randomUUID()
  const aborting = new AbortController()
  const response = await fetch(`${target.url}/api/admin/events?stream=${stream}`, {
    headers: { authorization: `Bearer ${target.token}` },
    signal: aborting.signal,
  })
  if (response.body === null || !response.ok) throw new Error(`a stream answered ${response.status}`)
  const waiting = new Map<string, (atMs: number) => void>()
  const reading = readLines(response.body, (line) => {
    for (const [words, resolve] of waiting) if (line.includes(words)) resolve(performance.now())
  })

  let field: string | null = null
  const say = () =>
    call(target, '/api/admin/presence', {
      method: 'POST',
      body: { stream, entry: place === undefined ? null : { ...place, field } },
    })
  // Spread over the interval, as people's visits are.
  const timers: NodeJS.Timeout[] = []
  if (place !== undefined) {
    await say()
    const beat = () => void say().catch(() => undefined)
    const beginBeating = () => timers.push(setInterval(beat, beatMs).unref())
    timers.push(setTimeout(beginBeating, Math.random() * beatMs).unref())
  }
  return {
    async focus(next) {
      field = next
      await say()
    },
    async hears(words) {
      const timeout = AbortSignal.timeout(patienceMs)
      const heard = await new Promise<number>((resolve, reject) => {
        waiting.set(words, resolve)
        timeout.addEventListener('abort', () => reject(new Error(`a panel was never told ${words}`)))
      })
      waiting.delete(words)
      return heard
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      aborting.abort()
      await reading
    },
  }
}

async function readLines(body: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    }
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error
  }
}
