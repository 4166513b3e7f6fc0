import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { startService, type TestService } from '../../support/service.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { inviteAda, openPage } from '../browser/panel-page.ts'
import { pageSchemas } from './page-schemas.ts'

describe('relations and media in the form', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    ;[service, browser] = await Promise.all([startService({ schemas: pageSchemas }), startBrowser()])
    await inviteAda(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function create(type: string, values: Readonly<Record<string, unknown>>): Promise<number> {
    return (await service.admin.post(`/api/content/${type}`, values)).body.data.id
  }

  async function openForm(values: Readonly<Record<string, unknown>>) {
    const id = await create('page', { title: 'Page', ...values })
    const panel = await openPage(browser, service)
    await panel.signIn()
    const { page } = panel
    const requests: string[] = []
    page.on('request', (request) => requests.push(decodeURIComponent(request.url())))
    await panel.goto(`/admin/content/page/${id}`)
    const stored = async () => (await service.admin.get(`/api/content/page/${id}`)).body.data
    const save = async () => {
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText('Unsaved').waitFor({ state: 'hidden' })
    }
    return { ...panel, requests, stored, save }
  }

  it('finds targets as the search does, and tells a search that failed from one that found nothing', async () => {
    await create('author', { name: 'Łódź 30' })
    const form = await openForm({})
    const { page } = form
    form.expect(/ERR_FAILED/)
    const search = page.getByRole('group', { name: 'Related' }).getByRole('combobox')
    await search.fill('lodz')
    await page.getByRole('option', { name: /^Łódź 30/ }).waitFor()
    await page.route('**/api/content/author?*', (route) => route.abort())
    await search.fill('somebody')
    await page.getByText('The search has failed.').waitFor()
    await page.unroute('**/api/content/author?*')
    await search.fill('nobody at all')
    await page.getByText('Nothing matches').waitFor()
    await form.close()
  })

  it('names targets by one request, orders and finds them, and makes one in a drawer', async () => {
    const [ann, ben, dora] = await Promise.all([
      create('author', { name: 'Ann' }),
      create('author', { name: 'Ben' }),
      create('author', { name: 'Dora' }),
    ])
    const form = await openForm({ author: ann, related: [ben, ann] })
    const { page } = form
    const related = page.getByRole('group', { name: 'Related' })
    await related.getByRole('link', { name: /^Ben/ }).waitFor()
    assert.equal(form.requests.filter((url) => url.includes('filters[id][$in]')).length, 1)
    await related.getByRole('link', { name: /^Ann/ }).waitFor()
    await related.getByRole('link', { name: /^Ann/ }).press('Alt+ArrowUp')
    await page.getByText('Moved to position 1 of 2').waitFor()
    await related.getByRole('combobox').fill('Dor')
    await scroll(page)
    await page.getByRole('option', { name: /^Dora/ }).click()
    await related.getByRole('link', { name: /^Dora/ }).waitFor()
    await related.getByRole('button', { name: 'New: Author' }).click()
    const drawer = page.getByRole('dialog', { name: 'New: Author' })
    await drawer.getByRole('textbox', { name: 'Name' }).fill('Cleo')
    await form.assertAccessible()
    await form.screenshot('relation-drawer')
    await drawer.getByRole('button', { name: 'Save and link' }).click()
    await related.getByRole('link', { name: /^Cleo/ }).waitFor()
    await form.assertAccessible()
    await form.screenshot('relations')
    await form.save()
    const cleo = (await service.admin.get('/api/content/author?filters[name]=Cleo')).body.data[0].id
    assert.deepEqual((await form.stored()).related, [ann, ben, dora, cleo])
    await form.goto(`/admin/content/author/${ann}`)
    await page.getByRole('group', { name: 'Pages' }).getByRole('link', { name: /^Page/ }).waitFor()
    await form.close()
  })

  it('takes pictures that are chosen, dropped, pasted, or picked from the library', async () => {
    const form = await openForm({})
    const { page } = form
    const cover = page.getByRole('group', { name: 'Cover' })
    const picture = await teal()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      cover.getByRole('button', { name: 'Choose files' }).click(),
    ])
    await chooser.setFiles({ name: 'teal.png', mimeType: 'image/png', buffer: picture })
    await cover.getByRole('link', { name: /^teal\.png/ }).waitFor()
    const pictures = page.getByRole('group', { name: 'Pictures' })
    const path = join(service.workingDirectory, 'dropped.png')
    writeFileSync(path, picture)
    await drop(page, pictures.getByText('Drop files here'), path)
    await pictures.getByRole('link', { name: /^dropped\.png/ }).waitFor()
    await copyPicture(page, picture)
    await pictures.getByRole('button', { name: 'Drop files here' }).focus()
    await page.keyboard.press('ControlOrMeta+v')
    await pictures.getByRole('link', { name: /^image\.png/ }).waitFor()
    await pictures.getByRole('button', { name: 'Choose from the library' }).click()
    const picker = page.getByRole('dialog', { name: 'Choose files' })
    await picker.getByRole('row', { name: 'teal.png' }).click()
    await form.assertAccessible()
    await form.screenshot('media-picker')
    await picker.getByRole('button', { name: 'Choose', exact: true }).click()
    await pictures.getByRole('link', { name: /^teal\.png/ }).waitFor()
    await form.assertAccessible()
    await form.screenshot('media-fields')
    await form.save()
    const stored = await form.stored()
    assert.equal(typeof stored.cover, 'number')
    assert.equal(stored.pictures.length, 3)
    await cover.getByRole('button', { name: 'Remove teal.png' }).click()
    await form.save()
    assert.equal((await form.stored()).cover, null)
    await form.close()
  })

  it('puts pictures into rich text, pasted or from the library, and describes them', async () => {
    const form = await openForm({})
    const { page } = form
    const text = page.getByRole('textbox', { name: 'Body' })
    await copyPicture(page, await teal())
    await text.click()
    await page.keyboard.press('ControlOrMeta+v')
    await text.locator('img[draggable]').click()
    const picture = page.getByRole('toolbar', { name: 'Formatting' }).getByLabel('Picture')
    await picture.click()
    await page.getByRole('textbox', { name: 'Alternative text' }).fill('A teal wall')
    await page.getByRole('button', { name: 'Apply' }).click()
    await text.press('End')
    await picture.click()
    const picker = page.getByRole('dialog', { name: 'Choose files' })
    await picker.getByRole('row').first().click()
    await picker.getByRole('button', { name: 'Choose', exact: true }).click()
    await text.getByRole('img', { name: 'A teal wall' }).waitFor()
    await text.locator('img[draggable]').nth(1).waitFor()
    await form.assertAccessible()
    await form.screenshot('rich-text-pictures')
    await form.save()
    const [{ url }] = (await service.admin.get('/api/media?limit=1&sort=id&sortOrder=desc')).body.data
    const imageOf = (alt: string) => `<img src="${url}" alt="${alt}" width="40" height="30">`
    assert.equal((await form.stored()).body, `<p>${imageOf('A teal wall')}${imageOf('')}</p>`)
    await form.close()
  })
})

const teal = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()

/** As a program for pictures does. */
async function copyPicture(page: Page, picture: Buffer) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${picture.toString('base64')}'), (each) => each.charCodeAt(0))
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })])
  })()`)
}

/** Scrolls a little, as browsers do by themselves to bring an input into view. */
const scroll = (page: Page) =>
  page.evaluate(`new Promise((resolve) => {
    addEventListener('scroll', () => requestAnimationFrame(resolve), { once: true })
    scrollBy(0, scrollY > 0 ? -40 : 40)
  })`)

/** Drops a file from outside of the browser; events made by a page carry none that can be read. */
async function drop(page: Page, target: Locator, path: string) {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  assert.ok(box !== null)
  const session = await page.context().newCDPSession(page)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x, y, data })
  }
}
