import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { expectStatus } from '../../api/auth-callers.ts'
import { startService, type TestService } from '../../support/service.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { openPage } from '../browser/panel-page.ts'
import { pageSchemas } from '../fields/page-schemas.ts'

const localized = { i18n: { localized: true } }
const shownBy = (widget: string) => ({ pluginOptions: { panel: { widget } } })

const schemas = {
  ...pageSchemas,
  'house.json': {
    kind: 'collectionType',
    info: { singularName: 'house', pluralName: 'houses', displayName: 'House' },
    options: { i18n: { enabled: true, locales: ['en', 'ar'], defaultLocale: 'en' } },
    attributes: {
      title: { type: 'string', required: true, pluginOptions: localized },
      story: { type: 'text', pluginOptions: localized },
      text: { type: 'richtext', pluginOptions: localized },
      kind: { type: 'enum', enum: ['villa', 'hut'] },
      rooms: { type: 'integer' },
      price: { type: 'decimal' },
      free: { type: 'boolean' },
      built: { type: 'date' },
      opens: { type: 'string', ...shownBy('time') },
      site: { type: 'string', ...shownBy('url') },
      script: { type: 'string', ...shownBy('url') },
      secret: { type: 'string', ...shownBy('password') },
      facts: { type: 'json' },
      notes: { type: 'json' },
    },
  },
}

const reader = { identifier: 'rita', password: 'the password of Rita R.' }

describe('an entry that may only be read', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    ;[service, browser] = await Promise.all([startService({ schemas }), startBrowser()])
    const permissions = {
      content: { page: { read: true }, author: { read: true }, house: { read: true } },
      media: {},
    }
    const role = { name: 'reader', description: '', permissions }
    expectStatus(await service.admin.post('/api/admin/roles', role), 201)
    const { identifier: username, password } = reader
    const account = { email: 'rita@example.com', username, password, role: 'reader' }
    expectStatus(await service.admin.post('/api/admin/auth/register', account), 201)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('shows values instead of inputs, and says where there is none', async () => {
    const author = await service.admin.post('/api/content/author', { name: 'Ann' })
    const { body } = await service.admin.post('/api/content/page', {
      ...{
        title: 'Harbour',
        body: '<p>Low <a href="https://a.example/">water</a></p>',
        author: author.body.data.id,
      },
      ...{ faq: [{ question: 'When?' }], seo: { metaTitle: 'Sea', index: true } },
    })
    for (const width of [1280, 360]) {
      const panel = await openPage(browser, service, { width })
      const { page } = panel
      await panel.signIn(reader)
      await panel.goto(`/admin/content/page/${body.data.id}`)
      const field = (name: string) => page.getByRole('group', { name, exact: true })
      await field('Title').getByText('Harbour').waitFor()
      await field('Body').getByText('Low').waitFor()
      await field('Author').getByRole('link', { name: 'Ann' }).waitFor()
      await field('Meta title').getByText('Sea').waitFor()
      for (const empty of ['Related', 'Cover', 'Pictures', 'Blocks']) {
        await field(empty).getByText('Not set').waitFor()
      }
      const main = page.getByRole('main')
      assert.equal(await main.locator('input, textarea, select').count(), 0)
      assert.equal(await main.getByRole('button', { name: /add|remove|choose|paste/i }).count(), 0)
      for (const mode of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: mode })
        await panel.assertAccessible()
        await panel.screenshot('entry-read-only', mode)
      }
      await panel.close()
    }
  })

  it('reads each kind of value in its own way, and texts in their language', async () => {
    const { body } = await service.admin.post('/api/content/house', {
      ...{ locale: 'ar', title: 'بيت', story: 'سطر واحد', text: '<p>مرحبا</p>', kind: 'hut', rooms: 12345 },
      ...{ price: '1234.25', free: false, built: '2026-02-03', opens: '09:30', site: 'https://a.example/x' },
      ...{ script: 'javascript:alert(1)', secret: 'open sesame', facts: { floors: [1, 2] } },
    })
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn(reader)
    await panel.goto(`/admin/content/house/${body.data.id}`)
    const field = (name: string) => page.getByRole('group', { name, exact: true })
    const texts = {
      ...{
        Kind: 'hut',
        Rooms: '12,345',
        Price: '1,234.25',
        Free: 'No',
        Built: '3 Feb 2026',
        Opens: '09:30',
      },
      ...{ Script: 'javascript:alert(1)', Secret: 'Not shown', Notes: 'Not set' },
    }
    for (const [name, text] of Object.entries(texts))
      await field(name).getByText(text, { exact: true }).waitFor()
    for (const [name, text] of Object.entries({ Title: 'بيت', Story: 'سطر واحد', Text: 'مرحبا' })) {
      const value = field(name).locator('[lang=ar][dir=rtl]')
      await value.waitFor()
      assert.equal(await value.innerText(), text, name)
    }
    assert.equal(await field('Facts').locator('pre').innerText(), '{\n  "floors": [\n    1,\n    2\n  ]\n}')
    assert.equal(await field('Site').getByRole('link').getAttribute('href'), 'https://a.example/x')
    assert.equal(await field('Script').getByRole('link').count(), 0)
    const main = page.getByRole('main')
    assert.doesNotMatch(await main.innerText(), /sesame/)
    assert.equal(await main.locator('input, textarea, select, [contenteditable]').count(), 0)
    assert.equal(await main.getByRole('textbox').count(), 0)
    await panel.assertAccessible()
    await panel.screenshot('values-read-only')
    await panel.close()
  })

  it('reads rich text without an editor: links open a new tab, what is only kept is told by its text', async () => {
    const table = `<table><tbody><tr><td>${'tide '.repeat(40)}</td><td>the end</td></tr></tbody></table>`
    const bodies = {
      visual: `<p>To <a href="https://a.example/">the sea</a>, <a href="/near">near</a>, <a href="mailto:a@a.example">by mail</a>, <a href="tel:1">by phone</a></p>${table}`,
      source: '<p>cut <b>off',
    }
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn(reader)
    const open = async (html: string) => {
      const { body } = await service.admin.post('/api/content/page', {
        ...{ title: 'Texts', body: html, faq: [{ question: 'When?', answer: 'At noon' }] },
        blocks: [{ __component: 'blocks.text', body: html }],
      })
      await panel.goto(`/admin/content/page/${body.data.id}`)
    }
    const field = page.getByRole('group', { name: 'Body', exact: true })

    await open(bodies.visual)
    for (const name of ['the sea', 'near', 'by mail']) {
      const link = field.getByRole('link', { name })
      await link.waitFor()
      assert.equal(await link.getAttribute('target'), '_blank', name)
      assert.equal(await link.getAttribute('rel'), 'noreferrer', name)
    }
    await field.getByText('by phone').waitFor()
    assert.equal(await field.getByRole('link').count(), 3, 'addresses of other kinds are not followed')
    await field.getByText('the end').waitFor()
    assert.equal(await field.locator('table').count(), 0)
    assert.equal(await field.getByRole('textbox').count(), 0)

    const questions = page.getByRole('group', { name: 'Faq', exact: true })
    assert.equal(await questions.getByText(/from 1 to 3/).count(), 0, 'limits are for those who write')
    await questions.getByRole('button', { name: 'When?' }).click()
    await questions.getByText('At noon').waitFor()
    const blocks = page.getByRole('group', { name: 'Blocks', exact: true })
    await blocks.getByRole('button', { name: 'Text' }).click()
    await blocks.getByRole('link', { name: 'the sea' }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('rich-text-read-only')

    await open(bodies.source)
    assert.equal(await field.locator('pre').innerText(), bodies.source)
    assert.equal(await field.getByRole('button').count(), 0)
    await panel.assertAccessible()
    await panel.close()
  })
})
