import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, openPage } from './browser/panel-page.ts'

const schemas = {
  'article.json': {
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    attributes: { title: { type: 'string', required: true } },
  },
}

for (const search of ['on', 'off']) {
  describe(`the palette with the search ${search}`, { skip: withoutBrowser }, () => {
    let service: TestService
    let browser: Browser
    before(async () => {
      const env = search === 'off' ? { SVC_PLUGINS_DISABLED: 'search' } : {}
      ;[service, browser] = await Promise.all([startService({ schemas, env }), startBrowser()])
      await inviteAda(service)
      assert.equal(
        (await service.admin.post('/api/content/article', { title: 'Über den Gezeiten' })).status,
        201,
      )
    })
    after(async () => {
      await browser?.close()
      await service?.stop()
    })

    it('finds an entry by keyboard alone', async () => {
      const panel = await openPage(browser, service)
      const { page } = panel
      await panel.signIn()
      await panel.goto('/admin')
      await page.getByRole('button', { name: 'Search and commands' }).waitFor()
      await page.keyboard.press('Control+k')
      const palette = page.getByRole('dialog', { name: 'Search and commands' })
      await palette.waitFor()
      await page.keyboard.type('Gezeiten')
      await palette.getByRole('menuitem', { name: /Über den Gezeiten/ }).waitFor()
      await panel.assertAccessible()
      await panel.screenshot(`palette-${search}`)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/admin/content/article/1')
      await page.getByRole('heading', { name: 'Über den Gezeiten' }).waitFor()
      await panel.close()
    })
  })
}

describe('the palette', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser
  before(async () => {
    ;[service, browser] = await Promise.all([startService({ schemas }), startBrowser()])
    await inviteAda(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('runs commands, and closes with the focus where it was', async () => {
    const panel = await openPage(browser, service, { colorScheme: 'light', width: 360 })
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin')
    const opener = page.getByRole('button', { name: 'Search and commands' })
    await opener.click()
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    await palette.waitFor()
    await page.keyboard.type('dark')
    await palette.getByRole('menuitem', { name: 'Dark appearance' }).waitFor()
    await panel.assertAccessible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await palette.waitFor({ state: 'hidden' })
    assert.equal(await page.evaluate('document.documentElement.dataset.mode'), 'dark')
    await panel.assertAccessible()
    await panel.screenshot('dark-by-choice')
    await page.reload()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.dataset.mode'), 'dark')
    await opener.hover()
    await page.getByRole('tooltip').getByText('Search and commands').waitFor()
    await opener.click()
    await palette.waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'hidden' })
    await panel.close()
  })
})
