import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { alertsService } from '../../core-plugins/background/alerts/alerts.ts'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { editorialSchemas } from './browser/editorial-schemas.ts'
import { inviteAda, lookAt, openPage } from './browser/panel-page.ts'

describe('history and removal in the panel', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    service = await startService({ schemas: editorialSchemas })
    browser = await startBrowser()
    await inviteAda(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function create(type: string, data: object): Promise<number> {
    const { status, body } = await service.admin.post(`/api/content/${type}`, data)
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.id
  }

  const read = async (type: string, id: number) => service.admin.get(`/api/content/${type}/${id}`)

  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

  it('compares two versions and restores the older one', async () => {
    const id = await create('page', { title: 'First draft', body: '<p>Once upon a time</p>' })
    await service.admin.put(`/api/content/page/${id}`, { title: 'Second draft' })
    await service.admin.put(`/api/content/page/${id}`, { title: 'Third draft', body: '<p>Once</p>' })
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/page/${id}?panel=history`)
    await page.getByRole('button', { name: 'Compare version 1' }).click()
    const shown = dialog(page, 'Compare versions')
    const title = shown.locator('dd').first()
    await title.locator('del', { hasText: 'First' }).waitFor()
    assert.deepEqual(await title.locator('ins').allTextContents(), ['Third'])
    await panel.assertAccessible()
    await panel.screenshot('compare-inline')
    await shown.getByLabel('Show').selectOption('Side by side')
    await shown.getByLabel('To').selectOption({ index: 1 })
    await title.locator('ins', { hasText: 'Second' }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('compare-beside')
    await shown.getByRole('button', { name: 'Restore version 1' }).click()
    await dialog(page, 'Restore version 1?').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Version 1 is restored.').waitFor()
    assert.equal((await read('page', id)).body.data.title, 'First draft')
    assert.equal(await page.getByLabel('Title').inputValue(), 'First draft')
    await panel.close()
  })

  it('shows what a deletion would do, deletes, and takes it back', async () => {
    const author = await create('author', { name: 'Ann' })
    await create('page', { title: 'By Ann', author })
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/author/${author}?panel=usage`)
    await page.getByRole('link', { name: 'By Ann' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    const shown = dialog(page, 'Delete Ann?')
    await shown.getByText('Author of Page').waitFor()
    await shown.getByText('The entry goes to the trash.').waitFor()
    await panel.assertAccessible()
    await panel.screenshot('delete')
    await shown.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Ann is deleted.').waitFor()
    assert.equal((await read('author', author)).status, 404)
    await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
    await page.getByText('Ann is back.').waitFor()
    assert.equal((await read('author', author)).status, 200)
    await panel.close()
  })

  it('shows the status of an entry, in light and dark, wide and narrow', async () => {
    const id = await create('page', { title: 'A page with a title that is longer than most of them are' })
    await service.admin.put(`/api/content/page/${id}/publish`)
    await service.admin.put(`/api/content/page/${id}`, { title: 'Another title' })
    await lookAt(browser, service, {
      name: 'entry-status',
      path: `/admin/content/page/${id}?panel=history`,
      // Where there is no room beside the form, the sheet is open with what the address asks for.
      ready: (page) => page.getByText('Draft saved').filter({ visible: true }).first().waitFor(),
    })
  })

  it('greets with what is going on, and lets alerts be resolved', async () => {
    const id = await create('author', { name: 'Zoe' })
    const message = 'The disk is nearly full. Make room on it.'
    await service.kernel.get(alertsService).raise({ kind: 'low_disk', severity: 'warning', message })
    const publishedAt = '2222-02-03T10:00:00Z'
    assert.equal((await service.admin.put(`/api/content/author/${id}/publish`, { publishedAt })).status, 200)
    await lookAt(browser, service, {
      name: 'home-work',
      path: '/admin',
      async ready(page) {
        const scheduled = page.getByRole('region', { name: 'Next to become public' })
        await scheduled.getByRole('link', { name: 'Zoe' }).waitFor()
        const others = page.getByRole('region', { name: 'What others worked on' })
        await others.getByText('published', { exact: false }).first().waitFor()
      },
    })
    const panel = await openPage(browser, service)
    const requests: string[] = []
    panel.page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await panel.signIn()
    await panel.goto('/admin')
    await panel.page.getByRole('link', { name: 'Zoe' }).first().waitFor()
    const own = requests.filter((path) => /admin\/(recent|scheduled|operational-alerts)/.test(path))
    // Each once, and once more where an event says that it has changed.
    assert.ok(new Set(own).size <= 3 && own.length <= 6, own.join(' '))
    await panel.page.getByRole('button', { name: `Resolve: ${message}` }).click()
    await panel.page.getByText('Nothing needs your attention.').waitFor()
    await panel.close()
  })
})
