import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { expectStatus } from '../api/auth-callers.ts'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import { until } from '../support/until.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, lookAt, openPage } from './browser/panel-page.ts'

const hostile = '<img src=x onerror=alert(1)>.png'
const longName = 'Harbour at dusk with a very long name that does not fit into any box that there is.png'

const page = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  attributes: { title: { type: 'string' }, cover: { type: 'media', allowedTypes: ['images'] } },
}

/** Lets go of files over the part of the page that takes them. */
async function dropFiles(target: Page, names: readonly string[], bytes: Uint8Array) {
  const data = await target.evaluateHandle(
    ({ names, bytes }) => {
      const transfer = new (Reflect.get(globalThis, 'DataTransfer'))()
      for (const name of names) {
        const isText = name.endsWith('.html')
        const content = isText ? '<script>alert(1)</script>' : new Uint8Array(bytes)
        transfer.items.add(new File([content], name, { type: isText ? 'text/html' : 'image/png' }))
      }
      return transfer
    },
    { names, bytes: [...bytes] },
  )
  const area = target.getByRole('search')
  for (const event of ['dragenter', 'dragover', 'drop'])
    await area.dispatchEvent(event, { dataTransfer: data })
}

describe('the media library of the panel', { skip: withoutBrowser }, () => {
  let service: MediaService
  let browser: Browser
  let picture: Uint8Array<ArrayBuffer>

  before(async () => {
    ;[service, browser] = await Promise.all([
      startMediaService({ schemas: { 'page.json': page } }),
      startBrowser(),
    ])
    await inviteAda(service)
    picture = await image(640, 400)
    for (const name of [hostile, 'Harbour at dawn.png', longName]) await service.add(picture, name)
    await service.add('some text', 'notes.txt')
    const { body } = await service.admin.post('/api/media-folders', { name: 'Photos' })
    await service.admin.post('/api/media-folders', { name: 'Summer', parent: body.data.id })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const find = async (query: string) =>
    expectStatus(await service.admin.get(`/api/media?${query}`), 200).body.data as {
      id: number
      originalName: string
      alt: string | null
      folder: number | null
      focalX: number | null
      focalY: number | null
      width: number
      url: string
    }[]
  const findOne = async (name: string) => {
    const [found] = await find(`search=${encodeURIComponent(name)}`)
    assert.ok(found, name)
    return found
  }

  it('shows files in light and dark, wide and narrow', async () => {
    const { id } = await findOne('Harbour at dawn')
    for (const [name, path] of [
      ['media', '/admin/media'],
      ['media-list', '/admin/media?layout=list'],
      ['media-file', `/admin/media/${id}`],
    ] as const) {
      await lookAt(browser, service, {
        name,
        path,
        ready: (shown) =>
          shown.getByText(name === 'media-file' ? 'No entry uses this file.' : hostile).waitFor(),
      })
    }
  })

  it('uploads twenty dropped files while one goes elsewhere, and says which one is refused', async () => {
    const panel = await openPage(browser, service)
    await panel.signIn()
    await panel.goto('/admin/media')
    const names = Array.from({ length: 19 }, (_, index) => `drop-${index}.png`)
    await dropFiles(panel.page, [...names, 'page.html'], picture)
    await panel.page.getByRole('link', { name: 'Home' }).click()
    await panel.page.getByRole('heading', { name: 'Home' }).waitFor()
    const tray = panel.page.getByRole('region', { name: 'Uploads' })
    await tray.getByText('Files of the type text/html are not accepted.').waitFor()
    await tray.getByText('19 files uploaded, 1 not').waitFor()
    await panel.assertAccessible()
    await panel.screenshot('media-uploads')
    assert.equal((await find('search=drop-&limit=100')).length, 19)
    await tray.getByRole('button', { name: 'Close' }).click()
    await tray.waitFor({ state: 'hidden' })
    await panel.close()
  })

  it('sends again what a broken connection has lost, and asks before the page is left', async () => {
    const panel = await openPage(browser, service)
    panel.expect(/ERR_FAILED/)
    await panel.signIn()
    await panel.goto('/admin/media')
    let isBroken = true
    await panel.page.route('**/api/upload', (route) => (isBroken ? route.abort() : route.continue()))
    await dropFiles(panel.page, ['again.png'], picture)
    const tray = panel.page.getByRole('region', { name: 'Uploads' })
    await tray.getByText('The connection broke.').waitFor()
    isBroken = false
    await tray.getByRole('button', { name: 'Send again.png again' }).click()
    await tray.getByText('1 file uploaded').waitFor()
    assert.equal((await find('search=again.png')).length, 1)
    // One that never ends.
    await panel.page.route('**/api/upload', () => undefined)
    await dropFiles(panel.page, ['endless.png'], picture)
    await tray.getByText('Uploading, 1 of 2').waitFor()
    const asked = panel.page.waitForEvent('dialog')
    await panel.page.close({ runBeforeUnload: true })
    const question = await asked
    assert.equal(question.type(), 'beforeunload')
    // Chromium may crash when it is closed while it asks.
    await question.accept()
    await panel.close()
  })

  it('is filed by keyboard alone: a folder is made, files are chosen and moved', async () => {
    const panel = await openPage(browser, service)
    const { keyboard } = panel.page
    await panel.signIn()
    await panel.goto('/admin/media?q=harbour')
    const [tree, grid] = [
      panel.page.getByRole('treegrid', { name: 'Folders' }),
      panel.page.getByRole('grid', { name: 'Files' }),
    ]
    await panel.page.getByRole('button', { name: 'New folder' }).press('Enter')
    await panel.page.getByRole('dialog').getByRole('textbox').fill('Harbours <b>')
    await keyboard.press('Enter')
    await panel.page.getByRole('heading', { name: 'Media' }).waitFor()
    await panel.page.waitForURL(/folder=\d+/)
    await tree.getByText('All files').click()
    await grid.getByText('Harbour at dawn.png').waitFor()
    await panel.page.getByRole('searchbox').focus()
    while (!(await grid.evaluate((element) => element.matches(':focus-within')))) await keyboard.press('Tab')
    await keyboard.press('Space')
    await keyboard.press('ArrowRight')
    await keyboard.press('Space')
    await panel.page.getByText('2 selected').waitFor()
    await panel.assertAccessible()
    await panel.screenshot('media-selected')
    await panel.page.getByRole('button', { name: 'Move' }).press('Enter')
    await panel.page.getByRole('dialog').getByLabel('Folder').selectOption({ label: 'Harbours <b>' })
    await panel.page.getByRole('dialog').getByRole('button', { name: 'Move' }).press('Enter')
    await panel.page.getByText('2 files have been moved.').waitFor()
    assert.ok((await findOne('Harbour at dawn')).folder)
    await tree.getByText('Harbours <b>').click()
    await panel.page.waitForURL(/folder=\d+/)
    await panel.page.getByRole('button', { name: 'Actions for this folder' }).press('Enter')
    await panel.page.getByRole('menuitem', { name: 'Delete folder' }).press('Enter')
    panel.expect(/409/)
    await panel.page.getByRole('button', { name: 'Delete folder' }).press('Enter')
    await panel.page.getByText('There are still files or folders in it.').waitFor()
    await panel.close()
  })

  it('describes one file: words, focal point by keyboard and pointer, another content', async () => {
    const panel = await openPage(browser, service)
    const { id } = await findOne('Harbour at dusk')
    await panel.signIn()
    await panel.goto(`/admin/media/${id}`)
    await panel.page.getByLabel('Alternative text').fill('Boats <i>at</i> dusk')
    await panel.page.getByLabel('Tags', { exact: true }).fill('harbour, dusk, Harbour')
    await panel.page.getByRole('button', { name: 'Save' }).click()
    await panel.page.getByRole('link', { name: 'dusk', exact: true }).waitFor()
    panel.expect(/412/)
    await panel.page.getByLabel('Caption').fill('Mine')
    await service.admin.put(`/api/media/${id}`, { caption: 'Theirs', tags: 'harbour, dusk, evening' })
    await panel.page.getByRole('button', { name: 'Save' }).click()
    const contested = panel.page.getByRole('alert').filter({ hasText: 'Theirs' })
    await contested.waitFor()
    await panel.assertAccessible()
    await panel.screenshot('media-contested')
    await panel.page.getByRole('button', { name: 'Save' }).click()
    await panel.page.getByRole('link', { name: 'evening', exact: true }).waitFor()
    assert.equal(await panel.page.getByLabel('Caption').inputValue(), 'Mine')
    await panel.page.getByRole('button', { name: 'Focal point', exact: true }).click()
    await panel.page.getByRole('slider', { name: 'From the left' }).press('ArrowRight')
    await panel.page.getByRole('slider', { name: 'From the top' }).press('Home')
    await panel.assertAccessible()
    await panel.screenshot('media-focal-point')
    await panel.page.getByRole('button', { name: 'Save focal point' }).click()
    await panel.page.getByRole('button', { name: 'Focal point', exact: true }).waitFor()
    const known = await findOne('Harbour at dusk')
    assert.deepEqual([known.alt, known.focalX, known.focalY], ['Boats <i>at</i> dusk', 0.51, 0])
    await panel.page.getByRole('button', { name: 'Focal point', exact: true }).click()
    const box = await panel.page.getByRole('img', { name: 'Boats <i>at</i> dusk' }).boundingBox()
    assert.ok(box)
    await panel.page.mouse.click(box.x + box.width / 4, box.y + box.height / 2)
    await panel.page.getByRole('button', { name: 'Save focal point' }).click()
    await until(async () => Math.abs(Number((await findOne('Harbour at dusk')).focalX) - 0.25) < 0.01)
    await panel.page.locator('input[type=file]').setInputFiles({
      name: 'new.png',
      mimeType: 'image/png',
      buffer: Buffer.from(await image(90, 60)),
    })
    await panel.page.getByText('90 × 60').waitFor()
    assert.equal((await findOne('new.png')).id, id)
    await panel.close()
  })

  it('keeps what was typed about a file when one leaves before saving, and says so', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    const { id } = await findOne('Harbour at dawn')
    await panel.signIn()
    await panel.goto(`/admin/media/${id}`)
    await page.getByLabel('Alternative text').fill('Not saved')
    await page.getByText('Not saved yet', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText(/What you typed about .*Harbour at dawn.* is not saved yet/).waitFor()
    await page.goBack()
    await page.getByText('Not saved yet', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Alternative text').inputValue(), 'Not saved')
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const question = await asked
    assert.equal(question.type(), 'beforeunload')
    await question.accept()
    await panel.close()
  })

  it('says of a picture that hardly any browser shows that it is one', async () => {
    // The header of a Photoshop file: 3 channels of 8 bits, 30 × 40 pixels, RGB; and three empty sections.
    const size = [0, 0, 0, 30, 0, 0, 0, 40]
    const header = [0, 1, 0, 0, 0, 0, 0, 0, 0, 3, ...size, 0, 8, 0, 3]
    await service.add(
      Buffer.concat([Buffer.from('8BPS'), Buffer.from(header), Buffer.alloc(40)]),
      'Poster.psd',
    )
    const { id } = await findOne('Poster')
    for (const width of [1280, 360]) {
      const panel = await openPage(browser, service, { width })
      await panel.signIn()
      await panel.goto(`/admin/media/${id}`)
      await panel.page.getByText(/Many browsers do not show pictures of this kind/).waitFor()
      assert.equal(
        await panel.page.getByRole('button', { name: 'Crop' }).count(),
        0,
        'nobody sees what is cut',
      )
      await panel.assertAccessible()
      for (const mode of ['light', 'dark'] as const) {
        await panel.page.emulateMedia({ colorScheme: mode })
        await panel.screenshot('media-hardly-shown', mode)
      }
      await panel.close()
    }
  })

  it('cuts a part out, which becomes a file of its own', async () => {
    const panel = await openPage(browser, service)
    const { id } = await findOne('Harbour at dawn')
    await panel.signIn()
    await panel.goto(`/admin/media/${id}`)
    await panel.page.getByRole('button', { name: 'Crop' }).click()
    await panel.page.getByLabel('Width').fill('700')
    await panel.page.getByText('The frame must lie within the picture').waitFor()
    await panel.page.getByLabel('Width').fill('300')
    await panel.assertAccessible()
    await panel.screenshot('media-crop')
    await panel.page.getByRole('button', { name: 'Save as a new file' }).click()
    await panel.page.getByRole('heading', { name: 'Harbour at dawn (crop).png' }).waitFor()
    assert.equal((await findOne('dawn (crop)')).width, 300)
    await panel.close()
  })

  it('says where a file is used before it is deleted', async () => {
    const panel = await openPage(browser, service)
    const { id } = await findOne('drop-0.png')
    const entry = { title: '<b>Front</b>', cover: id }
    expectStatus(await service.admin.post('/api/content/page', entry), 201)
    await panel.signIn()
    await panel.goto(`/admin/media/${id}`)
    await panel.page.getByRole('link', { name: '<b>Front</b>' }).waitFor()
    await panel.page.getByRole('button', { name: 'Delete' }).click()
    const dialog = panel.page.getByRole('dialog')
    await dialog.getByText('One place in an entry uses it').waitFor()
    await dialog.getByRole('link', { name: '<b>Front</b>' }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('media-delete')
    await dialog.getByRole('button', { name: 'Delete file' }).click()
    await panel.page.getByText('The file has been deleted.').waitFor()
    assert.deepEqual(await find('search=drop-0.png'), [])
    await panel.close()
  })

  it('describes many files at once, and shows more of them as one scrolls', async () => {
    for (let index = 0; index < 80; index += 1) await service.add('x'.repeat(index + 1), `many-${index}.txt`)
    const panel = await openPage(browser, service)
    await panel.signIn()
    await panel.goto('/admin/media?q=many-&sort=size:asc')
    const grid = panel.page.getByRole('grid', { name: 'Files' })
    await grid.getByText('many-0.txt').waitFor()
    assert.ok((await grid.getByRole('row').count()) <= 60)
    await grid.getByRole('checkbox', { name: 'Select many-0.txt' }).press('Space')
    await panel.page.getByRole('button', { name: 'Describe' }).click()
    await panel.page.getByLabel('Alternative text of many-0.txt').fill('The first')
    await panel.page.getByLabel('Add tags to all').fill('bulk')
    await panel.assertAccessible()
    await panel.screenshot('media-describe')
    await panel.page.getByRole('button', { name: 'Save' }).click()
    await panel.page.getByText('One file has been described.').waitFor()
    assert.deepEqual(
      (await find('tag=bulk')).map(({ alt }) => alt),
      ['The first'],
    )
    await grid.getByText('many-0.txt').waitFor()
    await until(async () => {
      await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return (await grid.getByText('many-79.txt').count()) > 0
    })
    assert.ok((await grid.getByRole('row').count()) <= 60)
    await panel.close()
  })

  it('shows nobody a control that would fail', async () => {
    const permissions = { content: {}, media: { read: true, write: false, delete: false } }
    const none = { content: {}, media: { read: false, write: false, delete: false } }
    const people = [
      ['looker', permissions],
      ['outsider', none],
    ] as const
    for (const [name, rights] of people) {
      expectStatus(
        await service.admin.post('/api/admin/roles', { name, description: '', permissions: rights }),
        201,
      )
      const account = {
        email: `${name}@example.com`,
        username: name,
        password: `the password of ${name}`,
        role: name,
      }
      expectStatus(await service.admin.post('/api/admin/auth/register', account), 201)
    }
    const looker = await openPage(browser, service)
    await looker.signIn({ identifier: 'looker', password: 'the password of looker' })
    const { id } = await findOne('notes')
    for (const path of ['/admin/media?q=notes', '/admin/media?q=notes&layout=list', `/admin/media/${id}`]) {
      await looker.goto(path)
      await looker.page.getByText('notes.txt').first().waitFor()
      for (const control of ['Upload', 'New folder', 'Save', 'Replace', 'Delete', 'Focal point', 'Select']) {
        assert.equal(
          await looker.page.getByRole('button', { name: control }).count(),
          0,
          `${control} at ${path}`,
        )
      }
      assert.equal(await looker.page.getByRole('checkbox').count(), 0)
    }
    await looker.close()
    const outsider = await openPage(browser, service)
    await outsider.signIn({ identifier: 'outsider', password: 'the password of outsider' })
    await outsider.goto('/admin/media')
    await outsider.page.getByText('media.read').waitFor()
    assert.equal(await outsider.page.getByRole('link', { name: 'Media' }).count(), 0)
    await outsider.close()
  })
})
