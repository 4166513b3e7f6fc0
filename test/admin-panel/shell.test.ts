import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { ada, inviteAda, lookAt, openPage } from './browser/panel-page.ts'

describe('the shell of the panel', { skip: withoutBrowser }, () => {
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

  it('shows the home page in light and dark, wide and narrow', async () => {
    await lookAt(browser, service, {
      name: 'home',
      path: '/admin',
      ready: (page) =>
        page.getByText('Nothing needs your attention.').or(page.getByRole('time')).first().waitFor(),
    })
  })

  it('says so where there is nothing, and has the focus on the heading', async () => {
    const panel = await openPage(browser, service)
    await panel.signIn()
    await panel.goto('/admin/nothing/here')
    await panel.page.getByRole('heading', { name: 'Not found' }).waitFor()
    const focused = await panel.page.evaluate('document.activeElement?.textContent')
    assert.equal(focused, 'Not found')
    await panel.assertAccessible()
    await panel.close()
  })

  it('speaks German', async () => {
    const panel = await openPage(browser, service, { locale: 'de-AT' })
    await panel.signIn()
    await panel.goto('/admin')
    await panel.page.getByRole('heading', { name: 'Start' }).waitFor()
    assert.equal(await panel.page.evaluate('document.documentElement.lang'), 'de')
    await panel.close()
  })

  it('opens a menu of the navigation where there is little room', async () => {
    const panel = await openPage(browser, service, { width: 360 })
    await panel.signIn()
    await panel.goto('/admin')
    await panel.page.getByRole('button', { name: 'Navigation' }).click()
    await panel.page.getByRole('dialog').getByRole('link', { name: 'Home', exact: true }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('navigation')
    await panel.page.keyboard.press('Escape')
    await panel.page.getByRole('dialog').waitFor({ state: 'hidden' })
    await panel.close()
  })

  it('lists the keys of the screen, and lets single keys be switched off', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin')
    await page.getByRole('button', { name: 'Search and commands' }).waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keys' })
    await help.getByText('Show the keys of this screen').waitFor()
    await panel.assertAccessible()
    await help.getByRole('switch').press('Space')
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'hidden' })
    await page.keyboard.press('?')
    assert.equal(await help.count(), 0)
    await panel.close()
  })

  it('asks for the password over the page when the session has ended, and continues', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    panel.expect(/401/)
    await page.clock.install()
    await panel.signIn()
    await panel.goto('/admin')
    await page.getByText('Welcome, ada.').waitFor()
    const { body } = await service.admin.get('/api/admin/users?limit=100')
    const users: readonly { id: number; username: string }[] = body.data
    const id = users.find(({ username }) => username === ada.identifier)?.id
    const changed = await service.admin.put(`/api/admin/users/${id}`, { password: 'what Ada was told' })
    assert.equal(changed.status, 200)
    // Back in the tab after a while, the page asks for its data again.
    await page.clock.fastForward(60_000)
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('session-ended')
    await page.getByLabel('Password').fill('what Ada was told')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await panel.close()
  })
})
