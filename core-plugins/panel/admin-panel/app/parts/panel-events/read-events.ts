import type { LiveEvent } from './live.ts'

/**
 * Reads server-sent events with fetch, because `EventSource` cannot send an `Authorization` header. `onSign` is called for every
 * chunk received. Resolves when the stream ends.
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: LiveEvent) => void,
  onSign: () => void,
): Promise<void> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onSign()
    text += decoder.decode(part.value, { stream: true })
    const whole = text.split('\n\n')
    text = whole.pop() ?? ''
    for (const each of whole) {
      const event = eventIn(each)
      if (event !== undefined) onEvent(event)
    }
  }
}

function eventIn(text: string): LiveEvent | undefined {
  const kind = /^event: (.*)$/m.exec(text)?.[1]
  const data = /^data: (.*)$/m.exec(text)?.[1]
  return kind === undefined || data === undefined ? undefined : { kind, data: JSON.parse(data) }
}
