import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { testAdmin } from '../../testing/environment.ts'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { ada, inviteAda, openPage } from './browser/panel-page.ts'

async function typeSignIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail or username').fill(ada.identifier)
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.keyboard.press('Enter')
}

describe('signing in to the panel', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    ;[service, browser] = await Promise.all([startService(), startBrowser()])
    await inviteAda(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('leads from the address of the panel to its home page, and back after signing out', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    panel.expect(/401/)
    await panel.goto('/admin/')
    await page.waitForURL('**/admin/sign-in')
    await panel.assertAccessible()
    await panel.screenshot('sign-in')
    await page.getByLabel('E-mail or username').fill(ada.identifier)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.keyboard.press('Enter')
    await page.getByText('The name or the password is not right.').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    assert.equal(new URL(page.url()).pathname, '/admin')
    await page.reload()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.getByRole('button', { name: 'ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/admin/sign-in')
    await panel.close()
  })

  it('insists on a password of one’s own', async () => {
    const panel = await openPage(browser, service, { colorScheme: 'dark', width: 360 })
    const { page } = panel
    panel.expect(/400/)
    await panel.goto('/admin/sign-in?next=/admin')
    await page.getByLabel('E-mail or username').fill(testAdmin.email)
    await page.getByLabel('Password', { exact: true }).fill(testAdmin.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('new-password')
    await page.getByLabel('New password').fill('short')
    await page.keyboard.press('Enter')
    await page.getByText(/must have at least/).waitFor()
    await page.getByLabel('New password').fill('a password that only I know')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await panel.close()
  })

  it('says that the session does not stay where the browser refuses it, and why', async () => {
    const production = await startService({ env: { NODE_ENV: 'production' } })
    await inviteAda(production)
    const url = production.url.replace(/127\.0\.0\.1|localhost/, 'cms.test')
    const panel = await openPage(browser, { url })
    const { page } = panel
    panel.expect(/401|Cross-Origin-Opener-Policy/)
    await panel.goto('/admin/sign-in')
    await typeSignIn(page)
    await page.getByRole('heading', { name: 'You will be signed out soon' }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('session-not-kept')
    await page.getByRole('button', { name: 'Go on without' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await panel.close()
    await production.stop()
  })

  it('stays signed in over http where the operator says so', async () => {
    const env = { NODE_ENV: 'production', SVC_AUTH_SECURE_COOKIES: 'false' }
    const production = await startService({ env })
    await inviteAda(production)
    const panel = await openPage(browser, {
      url: production.url.replace(/127\.0\.0\.1|localhost/, 'cms.test'),
    })
    const { page } = panel
    panel.expect(/Cross-Origin-Opener-Policy/)
    await panel.goto('/admin/sign-in')
    await typeSignIn(page)
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await panel.close()
    await production.stop()
  })

  it('leads nowhere outside of the panel', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    for (const next of ['https://example.com/admin', 'http://[', '/admin/../api']) {
      await panel.goto(`/admin/sign-in?next=${next}`)
      await typeSignIn(page)
      await page.getByRole('heading', { name: 'Home' }).waitFor()
      assert.equal(page.url(), `${service.url}/admin`, next)
    }
    await panel.close()
  })
})
