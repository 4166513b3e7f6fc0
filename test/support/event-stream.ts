import { until } from './until.ts'

/** A server-sent event. */
export interface ToldEvent {
  readonly event: string
  readonly id: string | undefined
  /** The `retry` value: the reconnection delay in milliseconds. */
  readonly retry: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly data: any
}

/** A reader of server-sent events. */
export interface EventReader {
  readonly status: number
  readonly headers: Headers
  /** The response body if the stream was refused. */
  readonly refusal: () => Promise<string>
  readonly events: readonly ToldEvent[]
  readonly isClosed: () => boolean
  /** Waits for an event that matches. */
  told(event: string, isMeant?: (data: ToldEvent['data']) => boolean): Promise<ToldEvent>
  close(): Promise<void>
}

/** Opens a stream; resolves when it is open or refused. */
export async function readEventStream(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const aborting = new AbortController()
  const response = await fetch(url, { headers, signal: aborting.signal })
  const events: ToldEvent[] = []
  let isClosed = false
  const isOpen = response.status === 200
  const reading = (isOpen ? read(response, events) : response.text())
    .catch(() => undefined)
    .finally(() => {
      isClosed = true
    })
  return {
    status: response.status,
    headers: response.headers,
    refusal: async () => (await reading) ?? '',
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
}

async function read(response: Response, events: ToldEvent[]): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    events.push(...parts.flatMap(eventIn))
  }
  return text
}

function eventIn(part: string): ToldEvent[] {
  const lines = new Map(part.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
  const event = lines.get('event')
  if (event === undefined) return []
  return [
    { event, id: lines.get('id'), retry: lines.get('retry'), data: JSON.parse(lines.get('data') ?? 'null') },
  ]
}
