import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator } from 'playwright-core'
import { writingOf } from '../../../core-plugins/panel/admin-panel/app/ground/i18n/writing.ts'
import { startService, type TestService } from '../../support/service.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { inviteAda, openPage } from '../browser/panel-page.ts'

const pluginOptions = { i18n: { localized: true } }

const schemas = {
  'poem.json': {
    kind: 'collectionType',
    info: { singularName: 'poem', pluralName: 'poems', displayName: 'Poem' },
    options: { i18n: { enabled: true, locales: ['en', 'ar', 'he'], defaultLocale: 'en' } },
    attributes: {
      title: { type: 'string', pluginOptions },
      summary: { type: 'text', pluginOptions },
      body: { type: 'richtext', pluginOptions },
      shared: { type: 'string' },
    },
  },
}

const writingIn = (element: Locator) => Promise.all(['dir', 'lang'].map((name) => element.getAttribute(name)))

const directionOf = (element: Locator): Promise<string> =>
  element.evaluate((node) => Reflect.get(globalThis, 'getComputedStyle')(node).direction)

describe('how a locale is written', () => {
  it('follows its script', () => {
    for (const locale of ['ar', 'he', 'fa-IR', 'ur', 'ckb', 'dv', 'ks', 'pa-PK', 'az-Arab', 'uz-AF', 'yi']) {
      assert.deepEqual(writingOf(locale), { lang: locale, dir: 'rtl' })
    }
    for (const locale of ['en', 'de-AT', 'ja', 'pa', 'az', 'ar-Latn', 'ku']) {
      assert.deepEqual(writingOf(locale), { lang: locale, dir: 'ltr' })
    }
    assert.deepEqual(writingOf(undefined), { dir: 'auto' })
    assert.deepEqual(writingOf('not a locale'), { dir: 'auto' })
  })
})

describe('texts in the panel', { skip: withoutBrowser }, () => {
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

  it('are written in the direction of their language, and the panel in that of its own', async () => {
    const poem = { title: 'قصيدة جديدة!', summary: 'سطر واحد.', body: '<p>مرحبا</p><ul><li>واحد</li></ul>' }
    const { body } = await service.admin.post('/api/content/poem', {
      ...poem,
      shared: 'Shared',
      locale: 'ar',
    })
    for (const width of [1280, 360]) {
      const panel = await openPage(browser, service, { width, colorScheme: width === 360 ? 'dark' : 'light' })
      const { page } = panel
      await panel.signIn()
      await panel.goto(`/admin/content/poem/${body.data.id}`)
      await page.getByRole('textbox', { name: 'Body' }).getByText('مرحبا').waitFor()
      for (const name of ['Title', 'Summary', 'Body']) {
        const field = page.getByRole('textbox', { name, exact: true })
        assert.deepEqual(await writingIn(field), ['rtl', 'ar'], name)
        assert.equal(await directionOf(field), 'rtl')
      }
      assert.deepEqual(await writingIn(page.getByLabel('Shared')), ['auto', null])
      const heading = page.getByRole('heading', { level: 1 })
      assert.equal(await directionOf(heading), 'rtl')
      assert.equal(await page.evaluate('getComputedStyle(document.body).direction'), 'ltr')
      await panel.assertAccessible()
      await panel.screenshot('right-to-left')
      await panel.close()
    }
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/content/poem?locale=ar')
    const cell = page.getByText('قصيدة جديدة!')
    await cell.waitFor()
    assert.equal(await directionOf(cell), 'rtl')
    await panel.screenshot('right-to-left-list')
    await panel.close()
  })
})
