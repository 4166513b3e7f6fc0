import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestService } from '../../support/service.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { inviteAda, openPage, type PanelPage } from '../browser/panel-page.ts'
import { startWithStories } from './stories.ts'

const path = '/admin/content/story'
const few = `${path}?f=rank:lte:5`
const reader = { identifier: 'rita', password: 'the password of Rita R.' }
const editor = { identifier: 'eve', password: 'the password of Eve E.' }

describe('several entries of a list at once', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    ;[service, browser] = await Promise.all([startWithStories(), startBrowser()])
    await inviteAda(service)
    // Builds the panel, which may take longer than a page waits.
    await fetch(`${service.url}/admin`)
    const permissions = { content: { story: { read: true }, writer: { read: true } } }
    await service.admin.post('/api/admin/roles', { name: 'reader', permissions })
    await invite(reader, 'reader')
    await invite(editor, 'editor')
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function invite({ identifier: username, password }: typeof reader, role: string) {
    const account = { email: `${username}@example.com`, username, password, role }
    assert.equal((await service.admin.post('/api/admin/auth/register', account)).status, 201)
  }

  const open = async (address: string, account?: typeof reader): Promise<PanelPage> => {
    const panel = await openPage(browser, service)
    await panel.signIn(account)
    await panel.goto(address)
    await panel.page.getByRole('row').nth(1).waitFor()
    return panel
  }
  const rowOf = (page: Page, name: string) => page.getByRole('row', { name, exact: true })
  // What is pressed is the box drawn in front of the browser's own.
  const choose = (page: Page, name: string) => rowOf(page, name).getByRole('checkbox').click({ force: true })
  const chooseAll = (page: Page) => page.getByRole('checkbox', { name: 'Select all' }).click({ force: true })
  const selected = (page: Page, count: number) =>
    page.getByText(`${count} selected`, { exact: true }).waitFor()
  const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click()
  const stories = async (query: string): Promise<readonly { id: number; title: string; mood: string }[]> =>
    (await service.admin.get(`/api/content/story?sort=rank&filters[rank][$lte]=5&${query}`)).body.data

  it('are published together, and not any more after “Undo”', async () => {
    const panel = await open(few)
    const { page } = panel
    await choose(page, 'Story 5')
    await page.keyboard.press('Shift+ArrowDown')
    await selected(page, 2)
    await page.getByRole('button', { name: 'Publish', exact: true }).press('Enter')
    await page.getByRole('dialog', { name: 'Publish 2 entries?' }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('list-publish')
    await confirm(page, 'Publish 2 entries')
    await rowOf(page, 'Story 4').getByText('Published').waitFor()
    assert.deepEqual(
      (await stories('published=true')).map(({ title }) => title),
      ['Story 4', 'Story 5'],
    )
    await panel.screenshot('list-undo')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 entries are as before.').waitFor()
    await rowOf(page, 'Story 4').getByText('Draft').waitFor()
    assert.deepEqual(await stories('published=true'), [])
    await panel.close()
  })

  it('are changed in one field, all that match included', async () => {
    const panel = await open(`${path}?f=rank:lte:150`)
    const { page } = panel
    await chooseAll(page)
    await selected(page, 100)
    await page.getByRole('button', { name: 'Select all 150 that match' }).click()
    await selected(page, 150)
    await panel.screenshot('list-selected')
    await page.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Field').selectOption({ label: 'Mood' })
    await dialog.getByLabel('Value').selectOption('wild')
    await panel.screenshot('list-change')
    await confirm(page, 'Change 150 entries')
    await page.getByText('150 entries have been changed.').waitFor()
    const { body } = await service.admin.get('/api/content/story?filters[mood]=wild&limit=1')
    assert.equal(body.pagination.total, 150)
    await panel.close()
  })

  it('can each be undone where several were done one after the other', async () => {
    const panel = await open(few)
    const { page } = panel
    const messages = page.getByRole('region', { name: 'Messages' })
    for (const [name, done] of [
      ['Publish', 'Published'],
      ['Unpublish', 'Draft'],
      ['Publish', 'Published'],
      ['Unpublish', 'Draft'],
    ] as const) {
      await choose(page, 'Story 4')
      await page.getByRole('button', { name, exact: true }).click()
      await confirm(page, name)
      await rowOf(page, 'Story 4').getByText(done).waitFor()
    }
    await messages.getByRole('button', { name: '1 earlier message' }).waitFor()
    const undo = messages.getByRole('button', { name: 'Undo' })
    assert.equal(await undo.count(), 3)
    await panel.assertAccessible()
    await panel.screenshot('list-messages')
    await undo.first().click()
    await rowOf(page, 'Story 4').getByText('Published').waitFor()
    await messages.getByRole('button', { name: 'earlier message' }).click()
    await undo.nth(2).waitFor()
    await messages.getByRole('button', { name: 'Close all' }).click()
    await undo.first().waitFor({ state: 'hidden' })
    await panel.close()
  })

  it('keep what they had where one of them refuses, and say which one', async () => {
    const panel = await open(few)
    panel.expect(/400/)
    const { page } = panel
    await chooseAll(page)
    await page.getByRole('button', { name: 'Change' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Field').selectOption({ label: 'Place' })
    await dialog.getByLabel('Value').fill('first')
    await panel.assertAccessible()
    await confirm(page, 'Change 5 entries')
    await dialog.getByRole('alert').getByText('rank').first().waitFor()
    assert.deepEqual((await stories('fields=title,mood')).length, 5)
    await panel.close()
  })

  it('go to the trash, come back from it, or are gone for good', async () => {
    const panel = await open(few)
    const { page } = panel
    for (const name of ['Story 1', 'Story 2', 'Story 3']) await choose(page, name)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await confirm(page, 'Delete 3 entries')
    await page.getByText('2 entries', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Trash' }).click()
    await rowOf(page, 'Story 2').waitFor()
    await panel.screenshot('list-trash')
    await choose(page, 'Story 2')
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await confirm(page, 'Restore')
    await page.getByText('2 entries', { exact: true }).waitFor()
    await choose(page, 'Story 1')
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await confirm(page, 'Delete for good')
    await rowOf(page, 'Story 1').waitFor({ state: 'hidden' })
    const titles = async (query: string) => (await stories(query)).map(({ title }) => title)
    assert.deepEqual(await titles(''), ['Story 2', 'Story 4', 'Story 5'])
    assert.deepEqual(await titles('deleted=true'), ['Story 3'])
    await panel.close()
  })

  it('offer nothing to a role that may only read', async () => {
    const panel = await open(path, reader)
    const { page } = panel
    for (const name of ['New entry', 'Select all']) {
      assert.equal(await page.getByRole('button', { name }).or(page.getByLabel(name)).count(), 0, name)
    }
    assert.equal(await page.getByRole('grid').getByRole('checkbox').count(), 0)
    await page.getByRole('button', { name: 'More' }).click()
    assert.equal(await page.getByRole('menuitem', { name: 'Trash' }).count(), 0)
    await panel.close()
  })

  it('are found again by a view, which others of a role have as well', async () => {
    const panel = await open(`${path}?f=mood:in:wild&sort=rank:desc&cols=title,rank`)
    const { page } = panel
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name of the view').fill('Wild ones')
    await page.getByRole('checkbox', { name: 'editor' }).press('Space')
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByText('The view “Wild ones” has been saved.').waitFor()
    const shown = new URL(page.url()).search
    assert.match(shown, /view=\d+/)
    await panel.close()
    const other = await open(path, editor)
    await other.page.getByRole('button', { name: 'Views' }).click()
    await other.page.getByRole('button', { name: 'Wild ones' }).click()
    await other.page.getByRole('row', { name: 'Story 150', exact: true }).waitFor()
    assert.equal(new URL(other.page.url()).search, shown)
    await other.close()
  })

  it('are exported with the columns and in the order of the list', async () => {
    const panel = await open(`${path}?f=rank:between:8,9&sort=rank:asc&cols=title,rank,writer`)
    const { page } = panel
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), confirm(page, 'Export 2 entries')])
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    assert.equal(
      Buffer.concat(chunks).toString(),
      '\uFEFFid,Title,Place,Writer\r\n8,Story 8,8,Ada\r\n9,Story 9,9,Grace\r\n',
    )
    await panel.close()
  })
})
