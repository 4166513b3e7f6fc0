import type { Page } from 'playwright-core'
import { until } from '../../support/until.ts'

/**
 * Waits until an expression is true in the page. `waitForFunction` would ask again by `eval`, which the panel's content
 * security policy forbids, so it fails wherever the first look comes too early.
 */
export const waitInPage = (page: Page, expression: string): Promise<void> =>
  until(() => page.evaluate<boolean>(expression), expression)
