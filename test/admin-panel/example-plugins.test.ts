import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, lookAt, openPage } from './browser/panel-page.ts'

const schemas = {
  'article.json': {
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    attributes: {
      title: { type: 'string', required: true },
      body: { type: 'richtext' },
      shade: { type: 'color' },
      seo: { type: 'component', component: 'shared.seo' },
    },
    pluginOptions: { panel: { columns: ['title', 'shade', 'reading-time:minutes'] } },
  },
  'components/shared.seo.json': {
    uid: 'shared.seo',
    category: 'shared',
    info: { displayName: 'SEO' },
    attributes: { metaTitle: { type: 'string' }, metaDescription: { type: 'text' } },
  },
}

describe('the example plugins and the example theme in the panel', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser
  let id: number

  before(async () => {
    const root = join(import.meta.dirname, '../..')
    const env = {
      SVC_PLUGINS_DIR: join(root, 'plugins'),
      SVC_THEMES_DIR: join(root, 'themes'),
      SVC_SITE_THEME: 'harbour',
    }
    ;[service, browser] = await Promise.all([startService({ schemas, env }), startBrowser()])
    await inviteAda(service)
    const body = `<p>${'word '.repeat(450)}</p>`
    const answer = await service.admin.post('/api/content/article', {
      title: 'Tides',
      body,
      shade: '#ff8800',
    })
    assert.equal(answer.status, 201)
    id = answer.body.data.id
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('seo: a widget leads to an entry, beside whose form a panel rates what one types', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin')
    const widget = page.getByRole('region', { name: 'Search engines' })
    await widget.getByText('2 fields').waitFor()
    await widget.getByRole('link', { name: 'Tides' }).click()
    await page.waitForURL(`**/admin/content/article/${id}`)
    await page.getByRole('button', { name: 'Search engines' }).click()
    await page.getByText('No title yet').waitFor()
    await panel.assertAccessible()
    await panel.screenshot('seo-panel')
    await panel.close()
  })

  it('harbour: its names, logo, colours, layout and density, from the first page on', async () => {
    await lookAt(browser, service, {
      name: 'harbour-sign-in',
      path: '/admin/sign-in',
      isSignedIn: false,
      ready: (page) => page.getByText('Welcome aboard').waitFor(),
    })
    await lookAt(browser, service, {
      name: 'harbour-home',
      path: '/admin',
      ready: (page) => page.getByText('2 fields').waitFor(),
    })
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/content/article')
    const logo = await page.getByRole('banner').locator('img').boundingBox()
    assert.ok(Math.round(logo?.width ?? 0) >= 24)
    const row = await page.getByRole('row', { name: 'Tides' }).boundingBox()
    assert.equal(row?.height, 36)
    const home = await page.getByRole('link', { name: 'Home', exact: true }).boundingBox()
    assert.ok((home?.y ?? 999) < 60)
    const primary = await page.evaluate(
      "getComputedStyle(document.querySelector('main header button')).backgroundColor",
    )
    assert.equal(primary, 'rgb(11, 79, 108)')
    await panel.close()
  })

  it('color: a field has the plugin’s own input', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/article/${id}`)
    const picker = page.locator('input[type=color]')
    assert.equal(await picker.inputValue(), '#ff8800')
    await page.getByRole('textbox', { name: 'Shade', exact: true }).fill('#00aa55')
    const answer = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.keyboard.press('Control+s')
    assert.equal((await answer).status(), 200)
    assert.equal((await service.admin.get(`/api/content/article/${id}`)).body.data.shade, '#00aa55')
    await panel.close()
  })

  it('reading-time: a list has its column, filled by one request', async () => {
    await lookAt(browser, service, {
      name: 'reading-time',
      path: '/admin/content/article',
      ready: (page) => page.getByText('3 min').first().waitFor(),
    })
  })
})
