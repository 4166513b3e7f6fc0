import { toError } from './transport.ts'

/** An event of an answer in the form of `text/event-stream`. */
export interface StreamedEvent {
  readonly event: string
  readonly data: string
}

/** Longer than the service is ever silent. */
const silenceMs = 60_000

/**
 * The events of an answer, until it ends or nothing comes any more.
 * @throws MortiseError where the service has refused the request
 */
export async function* eventsIn(response: Response): AsyncGenerator<StreamedEvent, void, undefined> {
  if (!response.ok || response.body === null) {
    throw toError(response, await response.json().catch(() => undefined))
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for (let text = ''; ; ) {
      clearTimeout(timer)
      timer = setTimeout(() => void reader.cancel().catch(() => undefined), silenceMs)
      const { done, value } = await reader.read()
      if (done) return
      const events = (text + value).split('\n\n')
      text = events.pop() ?? ''
      for (const each of events) {
        const [, event] = /^event: (.*)$/m.exec(each) ?? []
        const [, data = ''] = /^data: (.*)$/m.exec(each) ?? []
        if (event !== undefined) yield { event, data }
      }
    }
  } finally {
    clearTimeout(timer)
    await reader.cancel().catch(() => undefined)
  }
}
