import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { buildApp } from '../../../core-plugins/panel/admin-panel/build/build-app.ts'
import { skipWithout } from '../../support/scope.ts'

/** The headless shell is the same browser without what draws windows: it takes a third less of the processor. */
const candidates = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

const executablePath = candidates.find((path) => path !== undefined && existsSync(path))

/** For `skip`: why the tests of a file cannot run here, or false. */
export const withoutBrowser = skipWithout('Chromium', executablePath !== undefined)

/** Starts a browser without a window; one for all tests of a file. The panel is built then: no page waits for that. */
export async function startBrowser(): Promise<Browser> {
  if (executablePath !== undefined) await buildApp()
  return startBareBrowser()
}

/** Starts a browser for pages that are not of the panel. `args` are added to its own. */
export async function startBareBrowser(args: readonly string[] = []): Promise<Browser> {
  if (executablePath === undefined) throw new Error('there is no Chromium; name it in CHROMIUM')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-sync',
      ...args,
      // A name that is no loopback, where browsers are stricter.
      '--host-resolver-rules=MAP cms.test 127.0.0.1',
    ],
  })
}
