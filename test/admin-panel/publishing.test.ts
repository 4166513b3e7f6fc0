import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { editorialSchemas } from './browser/editorial-schemas.ts'
import { ada, inviteAda, lookAt, openPage } from './browser/panel-page.ts'

const quote = (id: number, text: string) => ({ __component: 'shared.quote', id, text })

const longBody = `<p>${'A sentence that nobody has touched. '.repeat(12)}</p><p>The harbour is quiet.</p>`

describe('publishing in the panel', { skip: withoutBrowser }, () => {
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

  const publishedAt = async (type: string, id: number) =>
    (await service.admin.get(`/api/content/${type}/${id}`)).body.data.published_at

  /** A public page with a draft beside it in which everything is different. */
  async function createChangedPage(): Promise<number> {
    const [ann, ben] = [await create('author', { name: 'Ann' }), await create('author', { name: 'Ben' })]
    await service.admin.put(`/api/content/author/${ben}/publish`)
    const blocks = [quote(1, 'First'), quote(2, 'Second'), quote(3, 'Third')]
    const page = { title: 'A quiet harbour', body: longBody, author: ben, blocks }
    const id = await create('page', page)
    await service.admin.put(`/api/content/page/${id}/publish`)
    const changed = await service.admin.put(`/api/content/page/${id}`, {
      title: 'A busy harbour',
      body: longBody.replace('quiet', 'busy'),
      author: ann,
      blocks: [quote(3, 'Third'), quote(1, 'First, and more'), quote(4, 'Fourth')],
    })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    return id
  }

  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

  async function askToPublish(page: Page) {
    await page.getByRole('button', { name: 'Publish…', exact: true }).waitFor()
    await page.keyboard.press('Control+Enter')
  }

  const isSaid = (page: Page, text: string) => page.getByText(text).first().waitFor()

  it('shows what becomes public, in light and dark, wide and narrow', async () => {
    const id = await createChangedPage()
    await lookAt(browser, service, {
      name: 'publish',
      path: `/admin/content/page/${id}`,
      async ready(page) {
        await askToPublish(page)
        await dialog(page, 'Publish').getByText('fields are different').waitFor()
        await dialog(page, 'Publish').getByRole('link', { name: 'Ann' }).waitFor()
      },
    })
  })

  it('saves, shows the difference in words, and publishes, by keyboard alone', async () => {
    const id = await createChangedPage()
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/page/${id}`)
    await page.getByLabel('Title').fill('A busy old harbour')
    await page.keyboard.press('Control+Enter')
    const shown = dialog(page, 'Publish')
    await shown.getByText('4 fields are different').waitFor()
    const inTitle = shown.locator('dd').first()
    assert.deepEqual(await inTitle.locator('del').allTextContents(), ['quiet'])
    assert.deepEqual(await inTitle.locator('ins').allTextContents(), ['busy old'])
    await shown.getByText('is not public: readers will see none').waitFor()
    for (const state of ['New', 'Moved', 'Removed', 'Changed']) {
      await shown.getByText(state, { exact: true }).first().waitFor()
    }
    assert.equal((await service.admin.get(`/api/content/page/${id}`)).body.data.title, 'A quiet harbour')
    await shown.getByRole('button', { name: 'Publish', exact: true }).focus()
    await page.keyboard.press('Enter')
    await isSaid(page, 'The entry is public.')
    assert.equal((await service.admin.get(`/api/content/page/${id}`)).body.data.title, 'A busy old harbour')
    await panel.close()
  })

  it('discards a draft after showing what is lost', async () => {
    const id = await createChangedPage()
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/page/${id}`)
    await page.getByRole('button', { name: 'Discard draft…' }).click()
    await dialog(page, 'Discard the draft?')
      .getByText('A busy harbour')
      .or(page.locator('dd del'))
      .first()
      .waitFor()
    await dialog(page, 'Discard the draft?').getByRole('button', { name: 'Discard the draft' }).click()
    await isSaid(page, 'The draft is discarded.')
    assert.equal(await page.getByLabel('Title').inputValue(), 'A quiet harbour')
    await panel.close()
  })

  it('schedules, cancels, publishes and unpublishes', async () => {
    const id = await create('author', { name: 'Cleo' })
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/author/${id}`)
    await page.getByRole('button', { name: 'Publish at a time…' }).click()
    const shown = dialog(page, 'Publish at a time')
    await shown.getByLabel('Date and time').fill('2001-01-01T10:00')
    await isSaid(page, 'This time is over. Choose a later one.')
    await shown.getByLabel('Date and time').fill('2222-02-03T10:00')
    await shown.getByText('UTC').first().waitFor()
    await panel.assertAccessible()
    await shown.getByRole('button', { name: /^Publish on/ }).click()
    await page.getByRole('button', { name: 'Cancel publication…' }).click()
    assert.equal(await publishedAt('author', id), '2222-02-03T10:00:00.000Z')
    await dialog(page, 'Cancel the publication?')
      .getByRole('button', { name: 'Cancel the publication' })
      .click()
    await isSaid(page, 'The entry stays a draft.')
    assert.equal(await publishedAt('author', id), null)
    await page.getByRole('button', { name: 'Publish…' }).click()
    await dialog(page, 'Publish').getByRole('button', { name: 'Publish', exact: true }).click()
    await create('page', { title: 'Names Cleo', author: id })
    await page.getByRole('button', { name: 'Unpublish…' }).click()
    await dialog(page, 'Unpublish this entry?').getByRole('link', { name: 'Names Cleo' }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('unpublish')
    await dialog(page, 'Unpublish this entry?').getByRole('button', { name: 'Unpublish' }).click()
    await isSaid(page, 'The entry is no longer public.')
    assert.equal(await publishedAt('author', id), null)
    await panel.close()
  })

  it('shows before it is saved what a save makes public at once', async () => {
    const id = await create('author', { name: 'Dora' })
    await service.admin.put(`/api/content/author/${id}/publish`)
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/author/${id}`)
    await page.getByLabel('Name').fill('Dora Maar')
    await page.keyboard.press('Control+Enter')
    const shown = dialog(page, 'Save what is public')
    await shown.locator('ins', { hasText: 'Maar' }).waitFor()
    assert.equal((await service.admin.get(`/api/content/author/${id}`)).body.data.name, 'Dora')
    await shown.getByRole('button', { name: 'Save and make public' }).click()
    await shown.waitFor({ state: 'hidden' })
    assert.equal((await service.admin.get(`/api/content/author/${id}`)).body.data.name, 'Dora Maar')
    await panel.close()
  })

  it('goes through a workflow before it can be published', async () => {
    const id = await create('policy', { title: 'Holidays' })
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/policy/${id}`)
    await isSaid(page, 'Can be published in: Approved')
    assert.ok(await page.getByRole('button', { name: 'Publish…' }).isDisabled())
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('button', { name: 'Revise' }).waitFor()
    await page.getByRole('button', { name: 'Publish…' }).click()
    await dialog(page, 'Publish').getByRole('button', { name: 'Publish', exact: true }).click()
    await isSaid(page, 'The entry is public.')
    await panel.close()
  })

  it('shows what somebody else has saved in the meantime instead of publishing it unseen', async () => {
    const id = await createChangedPage()
    const panel = await openPage(browser, service)
    const { page } = panel
    panel.expect(/412/)
    await panel.signIn()
    await panel.goto(`/admin/content/page/${id}`)
    await askToPublish(page)
    await dialog(page, 'Publish').getByText('4 fields are different').waitFor()
    await service.admin.put(`/api/content/page/${id}`, { title: 'A foreign harbour' })
    await dialog(page, 'Publish').getByRole('button', { name: 'Publish', exact: true }).click()
    await isSaid(page, 'Somebody else has changed the entry in the meantime.')
    await dialog(page, 'Publish').locator('ins', { hasText: 'foreign' }).waitFor()
    assert.equal((await service.admin.get(`/api/content/page/${id}`)).body.data.title, 'A quiet harbour')
    await panel.close()
  })

  it('offers nothing of it to those who may not publish', async () => {
    const id = await create('author', { name: 'Emil' })
    const permissions = { content: { author: { read: true, update: true } } }
    const role = await service.admin.post('/api/admin/roles', { name: 'writer', permissions })
    assert.equal(role.status, 201, JSON.stringify(role.body))
    const { password } = ada
    const writer = { email: 'will@example.com', username: 'will', password, role: 'writer' }
    assert.equal((await service.admin.post('/api/admin/auth/register', writer)).status, 201)
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn({ identifier: 'will', password })
    await panel.goto(`/admin/content/author/${id}`)
    await page.getByLabel('Name').waitFor()
    await isSaid(page, 'Created')
    for (const name of [/Publish/, /Unpublish/, 'History']) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
    }
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'As a request…' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: /publish|draft|release|delete/i }).count(), 0)
    await panel.close()
  })
})
