import { randomUUID } from 'node:crypto'
import { until } from '../support/until.ts'

/** An event as a stream tells it. */
export interface ToldEvent {
  readonly event: string
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly data: any
}

/** What one panel is told. */
export interface OpenStream {
  /** The name that the stream was opened with. */
  readonly name: string
  readonly status: number
  readonly events: readonly ToldEvent[]
  readonly isClosed: () => boolean
  /** Waits for an event that is like this. */
  told(event: string, isMeant?: (data: ToldEvent['data']) => boolean): Promise<ToldEvent>
  close(): Promise<void>
}

/** Opens the stream of whoever has the token; resolves when it is open or refused. */
export async function openStream(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const name = randomUUID()
  const aborting = new AbortController()
  const response = await fetch(`${url}/api/admin/events?stream=${name}`, {
    headers: { ...headers, authorization: `Bearer ${token}` },
    signal: aborting.signal,
  })
  const events: ToldEvent[] = []
  let isClosed = false
  const reading = (response.status === 200 ? read(response, events) : response.text())
    .catch(() => undefined)
    .finally(() => {
      isClosed = true
    })
  const stream: OpenStream = {
    name,
    status: response.status,
    events,
    isClosed: () => isClosed,
    async told(event, isMeant = () => true) {
      const find = () => events.find((each) => each.event === event && isMeant(each.data))
      await until(() => find() !== undefined)
      return find() as ToldEvent
    },
    async close() {
      aborting.abort()
      await reading
    },
  }
  if (response.status === 200) await stream.told('hello')
  return stream
}

async function read(response: Response, events: ToldEvent[]): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    events.push(...parts.flatMap(eventIn))
  }
}

function eventIn(part: string): ToldEvent[] {
  const lines = new Map(part.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
  const event = lines.get('event')
  if (event === undefined) return []
  return [{ event, id: lines.get('id'), data: JSON.parse(lines.get('data') ?? 'null') }]
}
