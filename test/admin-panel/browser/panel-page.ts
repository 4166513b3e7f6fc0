import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { TestService } from '../../support/service.ts'
import { createVisits } from './at-rest.ts'

/** Kept for whoever wants to look; not in the repository. */
const screenshotFolder = join(import.meta.dirname, '../screenshots')

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface PageOptions {
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  readonly locale?: string
  /** That of the machine unless told, as `Europe/Berlin`. */
  readonly timezoneId?: string
}

/** A page of the panel that notices what must never happen in it. */
export interface PanelPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Opens a path of the service and waits until the page is at rest. */
  goto(path: string): Promise<void>
  /** Becomes an admin user, without the sign-in page. */
  signIn(account?: typeof ada): Promise<void>
  /** Fails if accessibility rules of WCAG 2.2 A and AA are violated. */
  assertAccessible(): Promise<void>
  /** Writes `<name>-<light|dark>-<width>.png` into test/admin-panel/screenshots, unless SCREENSHOTS=off. */
  screenshot(name: string, mode?: 'light' | 'dark'): Promise<void>
  /** Fails if anything has violated the policy, left the origin, or complained in the console. Closes the page. */
  close(): Promise<void>
  /** For what a test provokes on purpose: `expect401` and the like. Matching complaints are not counted. */
  expect(complaint: RegExp): void
}

/** A super-admin with a password of her own: the first one of a service has to change it before anything else. */
export const ada = { identifier: 'ada', password: 'the password of Ada L.' }

/** Lets Ada sign in. */
export async function inviteAda(service: Pick<TestService, 'admin'>) {
  const { identifier: username, password } = ada
  const account = { email: 'ada@example.com', username, password, role: 'super-admin' }
  const answer = await service.admin.post('/api/admin/auth/register', account)
  assert.equal(answer.status, 201)
}

/** How long to wait for what a test expects; the machine may be busy. */
const longestWaitMs = 120_000

/** Opens a page in a profile of its own. */
export async function openPage(
  browser: Browser,
  { url }: Pick<TestService, 'url'>,
  options: PageOptions = {},
): Promise<PanelPage> {
  const { colorScheme = 'light', width = 1280, locale = 'en-GB', timezoneId } = options
  const context = await browser.newContext({
    baseURL: url,
    colorScheme,
    locale,
    ...(timezoneId && { timezoneId }),
    viewport: { width, height: width < 600 ? 760 : 860 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(longestWaitMs)
  const { complaints, expected } = watch(page, url)

  return {
    page,
    context,
    goto: createVisits(page).goto,
    async signIn({ identifier, password } = ada) {
      const answer = await context.request.post('/api/admin/auth/login', { data: { identifier, password } })
      assert.equal(answer.status(), 200)
    },
    async assertAccessible() {
      await page.evaluate(axeSource)
      const violations = await page.evaluate(runAxe)
      assert.deepEqual(violations, [])
    },
    async screenshot(name, mode = colorScheme) {
      if (process.env.SCREENSHOTS === 'off') return
      mkdirSync(screenshotFolder, { recursive: true })
      await page.screenshot({ path: join(screenshotFolder, `${name}-${mode}-${width}.png`) })
    },
    expect: (complaint) => void expected.push(complaint),
    async close() {
      await context.close()
      assert.deepEqual(
        complaints.filter((complaint) => !expected.some((pattern) => pattern.test(complaint))),
        [],
      )
    },
  }
}

/** What Chromium says when so little of the processor is left that a page takes seconds to draw. */
const slowMachine = /was preloaded using link preload but not used within a few seconds/

/** Violations of the policy are errors in the console. */
function watch(page: Page, url: string) {
  const complaints: string[] = []
  const expected: RegExp[] = []
  page.on('console', (message) => {
    if (slowMachine.test(message.text())) return
    if (!['error', 'warning'].includes(message.type())) return
    complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(`${url}/`) || /^(data|blob):/.test(request.url())
    if (!isOwn) complaints.push(`request to another origin: ${request.url()}`)
  })
  return { complaints, expected }
}

/** Runs in the page. */
async function runAxe(): Promise<string[]> {
  const axe = Reflect.get(globalThis, 'axe') as typeof import('axe-core')
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  // React Aria's announcements name elements that may be gone again; they go by themselves.
  const context = { exclude: [['[data-live-announcer]']] }
  // Pages in frames are not the panel's.
  const { violations } = await axe.run(context, {
    iframes: false,
    runOnly: { type: 'tag', values: tags },
    // Of what is in order it would otherwise describe every element.
    resultTypes: ['violations'],
  })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** Looks at a screen in light and dark, wide and narrow: accessible, clean, and kept as pictures. */
export async function lookAt(
  browser: Browser,
  service: TestService,
  {
    name,
    path,
    ready,
    isSignedIn = true,
  }: {
    readonly name: string
    readonly path: string
    readonly ready: (page: Page) => Promise<unknown>
    readonly isSignedIn?: boolean
  },
) {
  for (const width of [1280, 360]) {
    const panel = await openPage(browser, service, { width })
    if (isSignedIn) await panel.signIn()
    // The page to sign in on fetches the application, and nobody signs in here.
    else panel.expect(/was preloaded using link preload but not used/)
    await panel.goto(path)
    await ready(panel.page)
    const overflow = await panel.page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.ok(Number(overflow) <= 0, `${name} is wider than ${width} px`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await panel.page.emulateMedia({ colorScheme })
      // What is dark differs by its colours only, which are the same at any width.
      if (colorScheme === 'light' || width === 1280) await panel.assertAccessible()
      await panel.screenshot(name, colorScheme)
    }
    await panel.close()
  }
}
