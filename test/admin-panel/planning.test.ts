import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { editorialSchemas } from './browser/editorial-schemas.ts'
import { inviteAda, lookAt, openPage } from './browser/panel-page.ts'

const eve = { identifier: 'eve', password: 'the password of Eve E.' }

describe('planning in the panel', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    service = await startService({ schemas: editorialSchemas })
    browser = await startBrowser()
    await inviteAda(service)
    const permissions = { content: { author: { read: true, update: true, publish: true } }, media: {} }
    await made('/api/admin/roles', { name: 'publisher', permissions })
    const { identifier: username, password } = eve
    await made('/api/admin/auth/register', {
      ...{ email: 'eve@example.com', username, password, role: 'publisher' },
    })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function made(path: string, body: object): Promise<number> {
    const answer = await service.admin.post(path, body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body.data.id
  }

  const author = (name: string) => made('/api/content/author', { name })
  const publishedAt = async (type: string, id: number) =>
    (await service.admin.get(`/api/content/${type}/${id}`)).body.data.published_at
  const isSaid = (page: Page, text: string) => page.getByText(text).first().waitFor()
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  it('lets an editor fill a release, and an administrator publish it', async () => {
    const [ann, ben] = [await author('Ann Reed'), await author('Ben Reed')]
    const secret = await made('/api/content/page', { title: 'A secret page' })
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn(eve)
    await panel.goto('/admin/releases')
    await button(page, 'New release').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Spring')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Spring' }).waitFor()
    const id = Number(page.url().split('/').at(-1))
    await button(page, 'Add entries').click()
    await dialog.getByLabel('Search titles').fill('Reed')
    for (const name of ['Ann Reed', 'Ben Reed']) await dialog.getByText(name).click()
    await dialog.getByRole('button', { name: 'Add 2 entries' }).click()
    await isSaid(page, 'Nothing stops this release.')
    await page.getByLabel('What happens to Ben Reed').selectOption('unpublish')
    await isSaid(page, 'It is already as the release would make it.')

    // What an administrator puts into it is counted, and keeps the editor from publishing.
    const entry = { contentType: 'page', entryId: secret }
    await made(`/api/admin/content-releases/${id}/entries`, entry)
    await page.reload()
    await isSaid(page, 'And one entry that you may not see')
    assert.equal(await page.getByText('secret').count(), 0)
    assert.equal(await button(page, 'Publish now…').count(), 0)
    await panel.close()

    const looked = { name: 'release', path: `/admin/releases/${id}` }
    await lookAt(browser, service, { ...looked, ready: (each) => isSaid(each, 'A secret page') })
    const administrators = await openPage(browser, service)
    await administrators.signIn()
    await administrators.goto('/admin/releases')
    await administrators.page.getByRole('link', { name: 'Spring', exact: true }).click()
    await button(administrators.page, 'Publish now…').click()
    await administrators.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Publish now', exact: true })
      .click()
    await isSaid(administrators.page, '“Spring” is published.')
    await administrators.page.getByText('Published', { exact: true }).first().waitFor()
    assert.equal(typeof (await publishedAt('author', ann)), 'string')
    assert.equal(typeof (await publishedAt('page', secret)), 'string')
    assert.equal(await publishedAt('author', ben), null)
    await administrators.close()
  })

  it('adds entries to a release from a list and from an entry', async () => {
    const id = await author('Cleo Marsh')
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn(eve)
    await panel.goto('/admin/content/author?q=Cleo')
    await page.getByRole('row', { name: 'Cleo Marsh' }).getByRole('checkbox').press('Space')
    await button(page, 'Add to release').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Summer')
    await dialog.getByRole('button', { name: 'Add one entry' }).click()
    await isSaid(page, 'The entry is in “Summer”.')
    await panel.goto(`/admin/content/author/${id}`)
    await button(page, 'More actions').click()
    await page.getByRole('menuitem', { name: 'Add to a release…' }).click()
    await dialog.getByLabel('What happens to them').selectOption('unpublish')
    await dialog.getByRole('button', { name: 'Add one entry' }).click()
    await button(page, 'Open it').click()
    await page.getByRole('heading', { name: 'Summer' }).waitFor()
    assert.equal(await page.getByLabel('What happens to Cleo Marsh').inputValue(), 'unpublish')
    await button(page, 'Remove Cleo Marsh').click()
    await isSaid(page, 'Nothing is in it yet.')
    await panel.close()
  })

  it('ends a publication at a time', async () => {
    const id = await author('Dora Finch')
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/author/${id}`)
    await button(page, 'Publish…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Until a time').click()
    await dialog.getByLabel('Public until').fill('2100-01-02T10:00')
    await panel.assertAccessible()
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await isSaid(page, 'The entry is public.')
    await isSaid(page, 'until 2 Jan 2100')
    await button(page, 'Change the end…').click()
    await dialog.getByRole('button', { name: 'Remove the end' }).click()
    await isSaid(page, 'The entry stays public.')
    await button(page, 'Unpublish at a time…').waitFor()
    await panel.close()
  })

  it('moves what is planned by drag, by keys and by a dialog, and says what will be public', async () => {
    const at = (day: number, hour: number) => new Date(2099, 4, day, hour).toISOString()
    const [early, brief] = [await author('Early Bird'), await author('Brief Note')]
    const put = (id: number, body: object) => service.admin.put(`/api/content/author/${id}/publish`, body)
    await put(early, { publishedAt: at(6, 9) })
    await put(brief, { unpublishAt: at(20, 18) })
    const release = await made('/api/admin/content-releases', { name: 'May', scheduledAt: at(13, 8) })
    await made(`/api/admin/content-releases/${release}/entries`, { contentType: 'author', entryId: early })
    const path = '/admin/calendar?view=month&date=2099-05-15'
    await lookAt(browser, service, { name: 'calendar', path, ready: (page) => isSaid(page, 'Early Bird') })

    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn(eve)
    await panel.goto(path)
    const cell = (day: string) => page.getByRole('cell', { name: new RegExp(`(^| )${day}`) })
    await cell('6 May').getByText('Early Bird').dragTo(cell('8 May'))
    await isSaid(page, 'Early Bird: now on 8 May 2099')
    await cell('8 May').getByText('Early Bird').waitFor()
    assert.equal(await publishedAt('author', early), at(8, 9))
    await cell('13 May').getByRole('link', { name: 'May' }).press('Alt+ArrowDown')
    await cell('20 May').getByRole('link', { name: 'May' }).waitFor()
    await isSaid(page, 'May: now on 20 May 2099')
    await button(page, 'Move Brief Note…').click()
    await page.getByRole('dialog').getByLabel('Date and time').fill('2099-05-21T19:30')
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
    await cell('21 May').getByText('Brief Note').waitFor()
    await isSaid(page, 'Brief Note: now on 21 May 2099')
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await cell('20 May').getByText('Brief Note').waitFor()

    await button(page, 'What is public then…').click()
    const future = page.getByRole('dialog')
    await future.getByLabel('Compared with now, at').fill('2099-05-31T12:00')
    await future.getByText('One entry is no longer public').waitFor()
    await future.getByText('One entry becomes public').waitFor()
    await panel.assertAccessible()
    await panel.screenshot('calendar-future')
    await panel.close()
  })
})
