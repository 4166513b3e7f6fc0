import type { Page, Request } from 'playwright-core'
import { until } from '../../support/until.ts'

const usualQuietMs = 500

/** The visits of a page. */
export interface Visits {
  /** Opens an address, and waits for the page to be at rest. */
  goto(path: string): Promise<void>
  /**
   * Waits until nothing is asked for half a second, unless told otherwise: what Playwright calls `networkidle`, but
   * for the stream of events, which never ends.
   */
  rest(): Promise<void>
}

/** Follows the requests of a page, from its first one on. */
export function createVisits(page: Page, quietMs = usualQuietMs): Visits {
  const pending = new Set<Request>()
  let changedAtMs = performance.now()
  const isStream = (request: Request) => new URL(request.url()).pathname.endsWith('/admin/events')
  const end = (request: Request) => {
    if (pending.delete(request)) changedAtMs = performance.now()
  }
  page.on('request', (request) => {
    if (isStream(request)) return
    pending.add(request)
    changedAtMs = performance.now()
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  const isQuiet = () => pending.size === 0 && performance.now() - changedAtMs > quietMs
  return {
    rest() {
      changedAtMs = performance.now()
      return until(isQuiet)
    },
    async goto(path) {
      pending.clear()
      await page.goto(path)
      await until(isQuiet)
    },
  }
}
