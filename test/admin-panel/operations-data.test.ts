import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, openPage, type PanelPage } from './browser/panel-page.ts'

const article = (options: object, attributes: object) => ({
  'article.json': {
    kind: 'collectionType',
    info: { singularName: 'article', pluralName: 'articles', displayName: 'Article' },
    options,
    attributes: { title: { type: 'string', required: true }, ...attributes },
  },
})

describe('the operations of the panel on what is stored', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser
  let panel: PanelPage
  let folder: string

  /** The second start lacks a field that has values, drafts, of which there is one, and a trash, with one entry in it. */
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mortise-'))
    const database = { url: `sqlite:${join(folder, 'content.db')}` }
    const first = await startService({
      database,
      schemas: article({ draftAndPublish: true, softDelete: true }, { subtitle: { type: 'string' } }),
    })
    await inviteAda(first)
    const entry = { title: 'Kept', subtitle: 'To be lost' }
    assert.equal((await first.admin.post('/api/content/article', entry)).status, 201)
    assert.equal((await first.admin.post('/api/content/article', { title: 'Deleted' })).status, 201)
    assert.equal((await first.admin.delete('/api/content/article/2')).status, 200)
    await first.stop()
    ;[service, browser] = await Promise.all([
      startService({ database, schemas: article({}, {}) }),
      startBrowser(),
    ])
    panel = await openPage(browser, service)
    await panel.signIn()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('say what a sync would lose, and lose it only when that was understood', async () => {
    const { page } = panel
    await panel.goto('/admin/operations/database')
    const row = page.getByRole('row', { name: /content_article\.subtitle/ })
    await row.getByText('Drop column').waitFor()
    await row.getByText('Something').waitFor()
    await panel.assertAccessible()
    await panel.screenshot('operations-database')
    await page.getByRole('button', { name: 'Apply what loses nothing' }).click()
    await page.getByText('Nothing was changed.').waitFor()
    await page.getByRole('button', { name: 'Apply all…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Apply changes that lose something?' })
    const apply = dialog.getByRole('button', { name: 'Apply and lose it' })
    await dialog.getByText('its values would be lost').waitFor()
    assert.equal(await apply.isDisabled(), true)
    await panel.assertAccessible()
    await dialog.getByLabel('I know that this cannot be undone from here').check({ force: true })
    await dialog.getByLabel('Drafts of Article, which no longer has drafts').selectOption('Publish them')
    await dialog
      .getByLabel('Deleted entries of Article, which no longer has a trash')
      .selectOption('Delete them for good')
    await panel.screenshot('operations-database-drafts')
    await apply.click()
    await page.getByText('Nothing is pending').waitFor()
    await page.getByText(/Copies of what went: .*subtitle/).waitFor()
    const { body } = await service.admin.get('/api/database/preview')
    assert.deepEqual(body.data, [])
  })

  it('make a backup, show what a restore would change, and restore it once its name is typed', async () => {
    const { page } = panel
    await panel.goto('/admin/operations/backups')
    await page.getByText('No backups yet').waitFor()
    await page.getByRole('button', { name: 'New backup' }).click()
    await page.getByLabel('Name').fill('Before the relaunch')
    await page.getByLabel('Days to keep it').fill('many')
    await page.getByRole('button', { name: 'Make backup' }).click()
    await page.getByText('Enter a number of days.').waitFor()
    await panel.assertAccessible()
    await page.getByLabel('Days to keep it').fill('7')
    await page.getByRole('button', { name: 'Make backup' }).click()
    await page.getByText('Complete', { exact: true }).waitFor()
    assert.equal((await service.admin.post('/api/content/article', { title: 'Later' })).status, 201)
    await page.getByRole('link', { name: 'Before the relaunch' }).click()
    await page.getByRole('button', { name: 'Show what would change' }).click()
    await page.getByRole('row', { name: 'Content: article 0 0 1 1', exact: true }).waitFor()
    const restore = page.getByRole('button', { name: 'Restore now' })
    assert.equal(await restore.isDisabled(), true)
    await panel.assertAccessible()
    await panel.screenshot('operations-backup')
    await page.getByLabel('Type “Before the relaunch” to restore it').fill('Before the relaunch')
    await restore.click()
    await page.getByText('The backup has been restored.').waitFor()
    const { body } = await service.admin.get('/api/content/article')
    assert.deepEqual(
      body.data.map(({ title }: { title: string }) => title),
      ['Kept'],
    )
    await page.reload()
    await page.getByRole('term').filter({ hasText: 'Last restored' }).waitFor()
  })

  it('give the file of a backup, and take it back', async () => {
    const { page } = panel
    await panel.goto('/admin/operations/backups/1')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    const file = join(folder, 'downloaded.tar')
    await download.saveAs(file)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No backups yet').waitFor()
    await page.getByRole('button', { name: 'Upload' }).click()
    const dialog = page.getByRole('dialog', { name: 'Upload a backup' })
    const choose = async (path: { name: string; mimeType: string; buffer: Buffer } | string) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        dialog.getByRole('button', { name: 'Choose files' }).click(),
      ])
      await chooser.setFiles(path)
    }
    await choose({ name: 'no.tar', mimeType: 'application/x-tar', buffer: Buffer.from('no backup') })
    await dialog.getByRole('alert').waitFor()
    await panel.assertAccessible()
    await choose(file)
    await page.getByRole('link', { name: 'Before the relaunch' }).waitFor()
    panel.expect(/400/)
  })

  it('fit on a phone', async () => {
    const { page } = panel
    await page.setViewportSize({ width: 360, height: 760 })
    await page.emulateMedia({ colorScheme: 'dark' })
    for (const section of ['database', 'backups', 'backups/2']) {
      await panel.goto(`/admin/operations/${section}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(overflow) <= 0, `${section} is wider than the page`)
      await panel.assertAccessible()
      await panel.screenshot(`operations-${section.replaceAll('/', '-')}-phone`, 'dark')
    }
    await panel.close()
  })
})
