import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'
import { asText, type EngineKind, valueIn } from './engine.ts'
import { findProgram, startProgram } from './program.ts'

const driver = findProgram('WebKitWebDriver')
/** A display in memory. */
const display = findProgram('Xvfb')
const browser = ['4.1', '6.0', '4.0']
  .map(
    (version) =>
      `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-${version}/MiniBrowser`,
  )
  .find((path) => existsSync(path))

/** The browser of WebKitGTK, on a display that nobody sees, over WebDriver. */
export const webkit: EngineKind = {
  name: 'WebKit',
  missing: [
    ...(driver === undefined || browser === undefined ? ['webkit2gtk-driver'] : []),
    ...(display === undefined ? ['xvfb'] : []),
  ],
  async start() {
    const folder = await mkdtemp(join(tmpdir(), 'mortise-webkit-'))
    const env = {
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      LANG: 'C.UTF-8',
      // There is no bus of a desktop, and no graphics card.
      LIBGL_ALWAYS_SOFTWARE: '1',
      GSETTINGS_BACKEND: 'memory',
      NO_AT_BRIDGE: '1',
    }
    const screen = startProgram(
      display ?? 'Xvfb',
      ['-displayfd', '1', '-screen', '0', '1280x960x24', '-nolisten', 'tcp'],
      env,
    )
    const number = await screen.says(/^(\d+)$/m)
    const port = await freePort()
    const program = startProgram(driver ?? 'WebKitWebDriver', [`--port=${port}`], {
      ...env,
      DISPLAY: `:${number}`,
    })
    const { send } = await startSession(`http://127.0.0.1:${port}`)
    return {
      async open(url) {
        await send('POST', 'url', { url })
      },
      async evaluate(expression) {
        return valueIn(
          await send('POST', 'execute/async', {
            script: `${asText(expression)}.then(arguments[0])`,
            args: [],
          }),
        )
      },
      async perform(actions) {
        await send('POST', 'actions', { actions })
      },
      async close() {
        await send('DELETE', '', undefined)
        await program.end()
        await screen.end()
        await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      },
    }
  },
}

async function startSession(url: string) {
  await until(() =>
    fetch(`${url}/status`).then(
      (answer) => answer.ok,
      () => false,
    ),
  )
  const { sessionId } = await ask<{ sessionId: string }>('POST', `${url}/session`, {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': {
          binary: browser,
          args: ['--automation'],
        },
      },
    },
  })
  const session = `${url}/session/${sessionId}`
  const send = <Value>(method: string, command: string, body: unknown) =>
    ask<Value>(method, command === '' ? session : `${session}/${command}`, body)
  await send('POST', 'window/rect', { x: 0, y: 0, width: 1280, height: 940 })
  return { send }
}

/** @throws Error with what the driver says against the command */
async function ask<Value>(method: string, url: string, body: unknown): Promise<Value> {
  const answer = await fetch(url, { method, body: body === undefined ? null : JSON.stringify(body) })
  const { value } = (await answer.json()) as { value: Value & { error?: string; message?: string } }
  if (!answer.ok) throw new Error(`${new URL(url).pathname}: ${value.error}: ${value.message}`)
  return value
}
