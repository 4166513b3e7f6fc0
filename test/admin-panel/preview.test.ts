import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, openPage, type PageOptions } from './browser/panel-page.ts'
import { type PreviewSite, startPreviewSite } from './browser/preview-site.ts'

const folder = join(import.meta.dirname, '../../schemas')

/** Those of the project, which the example is made for. */
function projectSchemas(): Record<string, object> {
  const names = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /^[^.].*\.json$/.test(name))
  const own = names.filter((name) => !name.startsWith('.schema'))
  return Object.fromEntries(own.map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]))
}

const previewed = (name: string, url: string) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  pluginOptions: { panel: { preview: { url } } },
  attributes: { title: { type: 'string' } },
})

describe('previews in the panel', { skip: withoutBrowser }, () => {
  let service: TestService
  let site: PreviewSite
  /** Its pages may be shown, but not call the API. */
  let foreign: PreviewSite
  let browser: Browser
  let id: number

  before(async () => {
    ;[site, foreign] = await Promise.all([startPreviewSite(), startPreviewSite()])
    const schemas = projectSchemas()
    const article = {
      ...schemas['article.json'],
      pluginOptions: {
        panel: { preview: { url: '/article.html?slug={slug}', newUrl: '/article.html' } },
      },
    }
    service = await startService({
      env: { SVC_PREVIEW_ORIGINS: `${site.origin},${foreign.origin}`, SVC_CORS_ORIGINS: site.origin },
      schemas: {
        ...schemas,
        'article.json': article,
        'note.json': previewed('note', `${site.origin}/note.html?token={token}`),
        'leaflet.json': previewed('leaflet', `${foreign.origin}/note.html`),
        'memo.json': previewed('memo', `${site.origin}/silent.html`),
        'letter.json': previewed('letter', 'https://elsewhere.example/{title}'),
      },
    })
    await Promise.all([site, foreign].map((each) => each.use(service.url)))
    browser = await startBrowser()
    await inviteAda(service)
    const author = await create('author', { name: 'Ada' })
    const blocks = [
      { __component: 'shared.rich-text', body: '<p>The first block</p>' },
      { __component: 'shared.quote', text: 'The second block', source: 'Somebody' },
    ]
    id = await create('article', {
      title: 'A harbour',
      slug: 'a-harbour',
      body: '<p>Quiet</p>',
      author,
      blocks,
    })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    for (const each of [site, foreign]) each?.stop()
  })

  async function create(type: string, data: object): Promise<number> {
    const { status, body } = await service.admin.post(`/api/content/${type}`, data)
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.id
  }

  async function open(path: string, options: PageOptions = {}) {
    const panel = await openPage(browser, service, options)
    panel.expect(new RegExp(`^request to another origin: ${site.origin}/`))
    // Readers may not read articles: only the preview shows this one.
    panel.expect(/status of 401/)
    await panel.signIn()
    await panel.goto(`/admin/content/${path}`)
    return panel
  }

  const shown = (page: Page): FrameLocator => page.frameLocator('iframe')
  const heading = (page: Page, text: string) =>
    shown(page).getByRole('heading', { name: text, exact: true }).waitFor()
  const said = (page: Page, text: RegExp) => page.getByText(text).waitFor()

  it('follow what is typed, and keep what they have populated', async () => {
    const { page, close } = await open(`article/${id}?panel=preview`)
    await heading(page, 'A harbour')
    await said(page, /The page follows what you type/)
    await page.getByLabel('Title').fill('A busy harbour')
    await heading(page, 'A busy harbour')
    await shown(page).getByText('By Ada').waitFor()
    const stored = await service.admin.get(`/api/content/article/${id}`)
    assert.equal(stored.body.data.title, 'A harbour')
    await page.keyboard.press('Control+z')
    await heading(page, 'A harbour')
    await close()
  })

  it('populate what was just picked, also before the first save', async () => {
    const grace = await create('author', { name: 'Grace' })
    const { page, close } = await open(`article/${id}?panel=preview`)
    await shown(page).getByText('By Ada').waitFor()
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/content/article/preview')) asked.push(request.postData() ?? '')
    })
    const pick = async () => {
      await page.getByRole('combobox', { name: 'Find: Author' }).fill('Gra')
      await page.getByRole('option', { name: /^Grace/ }).click()
      await shown(page).getByText('By Grace').waitFor()
    }
    await page
      .getByRole('group', { name: 'Author' })
      .getByRole('button', { name: /^Remove/ })
      .click()
    await pick()
    await page.getByLabel('Title').fill('A harbour of hers')
    await heading(page, 'A harbour of hers')
    await shown(page).getByText('By Grace').waitFor()
    assert.deepEqual(
      asked.map((body) => JSON.parse(body)),
      [{ fields: { author: grace }, populate: 'author,cover,blocks.image', id }],
    )
    await page.goto(`${service.url}/admin/content/article/new?panel=preview`)
    await page.getByLabel('Title').fill('Fresh')
    await heading(page, 'Fresh')
    await pick()
    await page.goto(`${service.url}/admin/content/note/new?panel=preview`)
    await said(page, /The page comes with the first save/)
    await close()
  })

  it('lead to the field that is clicked, also in a collapsed block', async () => {
    const { page, close } = await open(`article/${id}?panel=preview`)
    await shown(page).getByText('The second block').click()
    await page.locator('[data-path="blocks.1.text"] :focus').waitFor()
    await page.keyboard.type('Here: ')
    await shown(page).getByText('Here:').waitFor()
    await close()
  })

  it('are loaded again when the entry is saved, and when somebody asks for it', async () => {
    const { page, close } = await open(`article/${id}?panel=preview`)
    await heading(page, 'A harbour')
    await page.getByLabel('Title').fill('A saved harbour')
    const reloaded = page.waitForEvent('framenavigated', (frame) => frame.parentFrame() !== null)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await reloaded
    await heading(page, 'A saved harbour')
    await page.getByLabel('Title').fill('A harbour')
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await heading(page, 'A harbour')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Unsaved').waitFor({ state: 'hidden' })
    await close()
  })

  it('are as wide as a phone, a tablet or a desktop', async () => {
    const { page, close } = await open(`article/${id}`)
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    await heading(page, 'A harbour')
    for (const [device, width] of [
      ['Phone', 390],
      ['Tablet', 768],
      ['Desktop', 1280],
    ] as const) {
      await page.getByRole('button', { name: device }).click()
      const matches = `matchMedia('(width: ${width}px)').matches`
      const frame = page.frames().find((each) => each.parentFrame() !== null)
      await frame?.waitForFunction(matches)
    }
    await page.getByRole('button', { name: 'Close the preview' }).click()
    await page.locator('iframe').waitFor({ state: 'detached' })
    assert.equal(new URL(page.url()).searchParams.get('panel'), null)
    await close()
  })

  it('listen to nobody but the page and the panel', async () => {
    const { page, close } = await open(`article/${id}?panel=preview`)
    await said(page, /The page follows what you type/)
    const frame = page.frames().find((each) => each.parentFrame() !== null)
    const forged = `{ mortise: 'preview', kind: 'change', fields: { title: 'Forged' } }`
    await frame?.evaluate(`new Promise((resolve) => {
      addEventListener('message', resolve, { once: true })
      postMessage(${forged})
    })`)
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('message', resolve, { once: true })
      postMessage({ mortise: 'preview', kind: 'click', field: 'slug' })
    })`)
    await frame?.evaluate(
      `parent.postMessage({ mortise: 'preview', kind: 'click', field: 'constructor.x' }, '*')`,
    )
    await page.getByLabel('Title').fill('Typed')
    await heading(page, 'Typed')
    assert.equal(await page.evaluate(`document.activeElement?.closest('[data-path="title"]') !== null`), true)
    assert.equal(await shown(page).getByText('Forged').count(), 0)
    await close()
  })

  it('work as the documentation says, and may get a token in their address', async () => {
    const note = await create('note', { title: 'One' })
    const { page, close } = await open(`note/${note}?panel=preview`)
    await heading(page, 'One')
    await page.getByLabel('Title').fill('Two')
    await heading(page, 'Two')
    const address = await page.locator('iframe').getAttribute('src')
    const authorization = `Bearer ${new URL(address ?? '').searchParams.get('token')}`
    const answer = await fetch(`${service.url}/api/content/note/${note}/preview`, {
      headers: { authorization },
    })
    const { data } = (await answer.json()) as { data: { title: string } }
    assert.equal(data.title, 'One')
    await close()
  })

  it('say why there is no page, or no answer', async () => {
    const memo = await open(`memo/${await create('memo', { title: 'One' })}?panel=preview`)
    await shown(memo.page).getByText('Silent').waitFor()
    await said(memo.page, /The page does not answer/)
    await memo.close()
    const leaflet = await open(`leaflet/${await create('leaflet', { title: 'One' })}?panel=preview`)
    for (const complaint of [/CORS policy/, /ERR_FAILED/, /Failed to fetch/]) leaflet.expect(complaint)
    leaflet.expect(new RegExp(`^request to another origin: ${foreign.origin}/`))
    await said(leaflet.page, /The page could not show the draft/)
    await leaflet.close()
    const letter = await open(`letter/${await create('letter', { title: 'One' })}?panel=preview`)
    await said(letter.page, /https:\/\/elsewhere\.example is not among the origins/)
    await letter.close()
    const empty = await open(`letter/${await create('letter', {})}?panel=preview`)
    await said(empty.page, /Its address consists of: title/i)
    await empty.close()
  })

  it('are accessible, in light and dark, wide and narrow', async () => {
    for (const width of [1280, 360]) {
      const panel = await open(`article/${id}?panel=preview`, { width })
      await heading(panel.page, 'A harbour')
      await said(panel.page, /The page follows what you type/)
      const overflow = await panel.page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(overflow) <= 0, `wider than ${width} px`)
      for (const colorScheme of ['light', 'dark'] as const) {
        await panel.page.emulateMedia({ colorScheme })
        await panel.assertAccessible()
        await panel.screenshot('preview', colorScheme)
      }
      if (width === 360) {
        await shown(panel.page).getByRole('heading', { name: 'A harbour' }).click()
        await panel.page.locator('[data-path="title"] :focus').waitFor()
      }
      await panel.close()
    }
  })
})
