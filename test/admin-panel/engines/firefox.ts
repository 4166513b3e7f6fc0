import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { asText, type Engine, type EngineKind, valueIn } from './engine.ts'
import { findProgram, startProgram } from './program.ts'

type Params = Readonly<Record<string, unknown>>

interface Answer {
  readonly id: number
  readonly result?: Params
  readonly error?: string
  readonly message?: string
}

interface Evaluated {
  readonly result?: { readonly value: string }
  /** Where the expression is none. */
  readonly exceptionDetails?: { readonly text: string }
}

/** The connection to a browser that speaks WebDriver BiDi. */
interface Bidi {
  /** @throws Error with what the browser says against the command */
  send<Result>(method: string, params: Params): Promise<Result>
  close(): void
}

const file = findProgram('firefox-esr') ?? findProgram('firefox')

/** Firefox of the machine, without a window, over WebDriver BiDi, which it speaks by itself. */
export const firefox: EngineKind = {
  name: 'Firefox',
  missing: file === undefined ? ['firefox-esr'] : [],
  async start() {
    const profile = await mkdtemp(join(tmpdir(), 'mortise-firefox-'))
    const program = startProgram(
      file ?? 'firefox',
      ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'],
      { HOME: profile, LANG: 'en_GB.UTF-8' },
    )
    const bidi = await connect(await program.says(/WebDriver BiDi listening on (ws:\S+)/))
    return {
      ...(await openTab(bidi)),
      async close() {
        bidi.close()
        await program.end()
        await rm(profile, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}

async function connect(url: string): Promise<Bidi> {
  const socket = new WebSocket(`${url}/session`)
  await once(socket, 'open')
  const waiting = new Map<number, (answer: Answer) => void>()
  let lastId = 0
  socket.on('message', (text) => {
    const answer = JSON.parse(String(text)) as Answer
    waiting.get(answer.id)?.(answer)
  })
  return {
    async send<Result>(method: string, params: Params) {
      const id = ++lastId
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
      socket.send(JSON.stringify({ id, method, params }))
      const { result, error, message } = await answered
      waiting.delete(id)
      if (error !== undefined) throw new Error(`${method}: ${error}: ${message}`)
      return result as Result
    },
    close: () => socket.close(),
  }
}

async function openTab({ send }: Bidi): Promise<Pick<Engine, 'open' | 'evaluate' | 'perform'>> {
  await send('session.new', { capabilities: {} })
  // The first window of a browser without a screen does not have the focus.
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'window' })
  await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 860 } })
  return {
    async open(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await send<Evaluated>('script.evaluate', {
        expression: asText(expression),
        target: { context },
        awaitPromise: true,
        userActivation: true,
      })
      if (result === undefined) throw new Error(exceptionDetails?.text)
      return valueIn(result.value)
    },
    async perform(actions) {
      await send('input.performActions', { context, actions })
    },
  }
}
