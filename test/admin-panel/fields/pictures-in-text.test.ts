import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { expectStatus } from '../../api/auth-callers.ts'
import { image, type MediaService, startMediaService } from '../../api/media-support.ts'
import { until } from '../../support/until.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { inviteAda, openPage } from '../browser/panel-page.ts'
import { pageSchemas } from './page-schemas.ts'

describe('a picture in rich text', { skip: withoutBrowser }, () => {
  let service: MediaService
  let browser: Browser

  before(async () => {
    ;[service, browser] = await Promise.all([startMediaService({ schemas: pageSchemas }), startBrowser()])
    await inviteAda(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const answerOf = async (path: string) => (await service.admin.get(path)).body.data
  /** How wide a browser shows a picture; 0 as long as it does not. */
  const widthOf = (page: Page, name: string) =>
    page.getByRole('img', { name }).evaluate((picture) => Number(Reflect.get(picture, 'naturalWidth')))

  async function insert(page: Page, name: string) {
    await page.getByRole('button', { name: 'Picture', exact: true }).click()
    const picker = page.getByRole('dialog')
    await picker.getByRole('row', { name }).click()
    await picker.getByRole('button', { name: 'Choose', exact: true }).click()
    await page.getByRole('textbox', { name: 'Body' }).getByRole('img').waitFor()
  }

  it('counts as use of its file, shows the file that replaces it, and is told of before that is deleted', async () => {
    const file = await service.add(await image(40, 30), 'teal.png')
    expectStatus(await service.admin.put(`/api/media/${file.id}`, { alt: 'Teal' }), 200)
    const { body } = await service.admin.post('/api/content/page', { title: 'Harbour' })
    const entry = `/admin/content/page/${body.data.id}`
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(entry)
    await insert(page, 'teal.png')
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText('Unsaved').waitFor({ state: 'hidden' })
    assert.match((await answerOf(`/api/content/page/${body.data.id}`)).body, new RegExp(file.url))
    await panel.goto(`/admin/media/${file.id}`)
    const usedIn = page.getByRole('region', { name: 'Used in' })
    await usedIn.getByRole('link', { name: 'Harbour' }).waitFor()
    await usedIn.getByText('Page · Body').waitFor()
    await panel.assertAccessible()

    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Replace' }).click()
    const buffer = Buffer.from(await image(70, 30))
    await (await chooser).setFiles({ name: 'wide.png', mimeType: 'image/png', buffer })
    await page.getByText('The file has been replaced.').waitFor()
    await usedIn.getByRole('link', { name: 'Harbour' }).waitFor()
    const { url } = await answerOf(`/api/media/${file.id}`)
    assert.notEqual(url, file.url)
    await until(
      async () => (await fetch(service.url + file.url, { redirect: 'manual' })).status === 302,
      'the former address leads to the new one',
    )

    // This browser keeps the former picture, as its address never had another one.
    const reader = await openPage(browser, service)
    await reader.signIn()
    await reader.goto(entry)
    await reader.page.getByRole('textbox', { name: 'Body' }).getByRole('img').waitFor()
    await until(async () => (await widthOf(reader.page, 'Teal')) === 70, 'the text shows the new picture')
    await reader.page.goto(file.url)
    assert.equal(new URL(reader.page.url()).pathname, url)
    await reader.close()

    await panel.goto(`/admin/media/${file.id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/One place in an entry uses it.*a text will show a gap/).waitFor()
    await dialog.getByRole('link', { name: 'Harbour' }).waitFor()
    await panel.close()
  })
})
