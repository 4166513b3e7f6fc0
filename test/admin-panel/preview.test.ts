import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
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

interface OpenOptions extends PageOptions {
  /** Whether the test moves it. */
  readonly hasClock?: boolean
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
        'poster.json': previewed('poster', `${site.origin}/rendered?type=poster&id={id}&token={token}`),
        'flyer.json': previewed('flyer', `${site.origin}/plain?type=flyer&id={id}&token={token}`),
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

  async function open(path: string, { hasClock = false, ...options }: OpenOptions = {}) {
    const panel = await openPage(browser, service, options)
    if (hasClock) await panel.page.clock.install()
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

  const frameOf = (page: Page) => page.frames().find((each) => each.parentFrame() !== null)
  const tokenIn = (page: Page) => new URL(frameOf(page)?.url() ?? '').searchParams.get('token') ?? ''

  /** As the server of a developer does it. */
  async function reloadFrame(page: Page): Promise<void> {
    const reloaded = page.waitForEvent('framenavigated', (frame) => frame.parentFrame() !== null)
    await frameOf(page)?.evaluate('location.reload()')
    await reloaded
  }

  /** Waits until another token would be another one: they differ by the second in which they are made. */
  async function past(token: string): Promise<void> {
    const [, claims = ''] = token.split('.')
    const { iat } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    await until(() => Date.now() / 1000 > iat + 1)
  }

  it('have a valid token in their address for as long as they are open', async () => {
    const poster = await create('poster', { title: 'One' })
    const { page, close } = await open(`poster/${poster}?panel=preview`, { hasClock: true })
    await heading(page, 'One')
    await said(page, /The page follows what you type/)
    const first = tokenIn(page)
    const rendered = site.tokens.length
    await past(first)
    await page.clock.fastForward('09:00')
    await until(() => tokenIn(page) !== first)
    assert.equal(site.tokens.length, rendered, 'the page was not loaded for that')
    site.expire(first)
    await reloadFrame(page)
    await heading(page, 'One')
    // On the clock of the page, which is ahead, the next one may be due already.
    assert.notEqual(site.tokens.at(-1), first)
    await said(page, /The page follows what you type/)
    await close()
  })

  it('are loaded with another token before theirs expires, if they are plain pages', async () => {
    const flyer = await create('flyer', { title: 'One' })
    const { page, close } = await open(`flyer/${flyer}?panel=preview`, { hasClock: true })
    await heading(page, 'One')
    await said(page, /The page does not answer/)
    const first = tokenIn(page)
    await past(first)
    await page.clock.fastForward('09:00')
    await until(() => tokenIn(page) !== first)
    site.expire(first)
    await reloadFrame(page)
    await heading(page, 'One')
    await close()
  })

  it('are found out to follow no more, and come back with their tab', async () => {
    const poster = await create('poster', { title: 'One' })
    const panel = await open(`poster/${poster}?panel=preview`, { hasClock: true })
    const { page } = panel
    panel.expect(/401 \(Unauthorized\)/)
    await said(page, /The page follows what you type/)
    const first = tokenIn(page)
    await past(first)
    // An hour passes in which no timer runs.
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })`)
    site.expire(first)
    await page.clock.setSystemTime(Date.now() + 3_600_000)
    await reloadFrame(page)
    await said(page, /The page does not answer/)
    await page.evaluate(
      `delete document.hidden; document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`,
    )
    await heading(page, 'One')
    await said(page, /The page follows what you type/)
    assert.notEqual(tokenIn(page), first)
    await panel.close()
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
