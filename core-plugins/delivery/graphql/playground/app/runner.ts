import type { Editor, QueryEditor } from './editors.ts'
import { remember } from './kept.ts'
import { operationAt, operationsIn } from './operations.ts'
import { type Caller, execute, type Outgoing, subscribe } from './service.ts'

export interface RunnerParts {
  readonly query: QueryEditor
  readonly variables: Editor
  readonly headers: Editor
  readonly result: Editor
  readonly caller: () => Caller
  /** Shows one line about the response, or about the problem that prevents sending. */
  readonly report: (text: string) => void
  readonly changed: (isRunning: boolean) => void
}

/** Sends the operation at the cursor. */
export interface Runner {
  run(): Promise<void>
  stop(): void
}

/** The number of events of a subscription that are shown. */
const mostShown = 100

export function createRunner({ changed, report, result, ...editors }: RunnerParts): Runner {
  let running: AbortController | undefined

  async function send(outgoing: Outgoing, isSubscription: boolean, { signal }: AbortController) {
    const started = performance.now()
    result.replace('')
    report(isSubscription ? 'Waiting for events …' : 'Waiting for the answer …')
    const events: string[] = []
    const next = (text: string) => {
      events.unshift(text)
      result.replace(events.slice(0, mostShown).map(pretty).join('\n\n'))
      report(`${events.length} ${events.length === 1 ? 'event' : 'events'}, the newest first`)
    }
    const answer = isSubscription
      ? await subscribe(outgoing, { signal, next })
      : await execute(outgoing, signal)
    if (answer === undefined) return report(`The subscription has ended after ${events.length} events.`)
    result.replace(pretty(answer.text))
    const ms = Math.round(performance.now() - started)
    report(`${answer.status} · ${ms} ms · ${sizeOf(answer.text)}`)
  }

  return {
    stop: () => running?.abort(),
    async run() {
      running?.abort()
      const own = new AbortController()
      running = own
      changed(true)
      try {
        const { outgoing, isSubscription } = readEditors(editors)
        remember({ query: outgoing.query, variables: editors.variables.text() })
        await send(outgoing, isSubscription, own)
      } catch (error) {
        if (!own.signal.aborted) report(error instanceof Error ? error.message : String(error))
        else if (running === own) report('Stopped.')
      } finally {
        if (running === own) changed(false)
      }
    },
  }
}

/** @throws Error that describes the problem in the variables or headers */
function readEditors({
  query,
  variables,
  headers,
  caller,
}: Pick<RunnerParts, 'query' | 'variables' | 'headers' | 'caller'>) {
  const text = query.text()
  const meant = operationAt(operationsIn(text) ?? [], query.cursor())
  const outgoing: Outgoing = {
    query: text,
    variables: objectIn('Variables', variables.text()),
    operationName: meant?.name,
    caller: caller(),
    headers: objectIn('Headers', headers.text()) as Record<string, string>,
  }
  return { outgoing, isSubscription: meant?.isSubscription === true }
}

function objectIn(what: string, text: string): object {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${what} are not valid JSON.`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Error(`${what} have to be a JSON object.`)
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const sizeOf = ({ length }: string) => (length < 1000 ? `${length} B` : `${(length / 1000).toFixed(1)} KB`)
