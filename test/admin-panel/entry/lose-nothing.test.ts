import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startService, type TestService } from '../../support/service.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { ada, inviteAda, openPage } from '../browser/panel-page.ts'
import { waitInPage } from '../browser/wait-in-page.ts'
import { entrySchemas } from './entry-schemas.ts'

const save = 'ControlOrMeta+s'

/** A page that is not told that it ends, as when the browser is killed: `pagehide` and the like do not come. */
const inJournal = (text: string) => `new Promise((done, failed) => {
  const opening = indexedDB.open('mortise-panel')
  opening.onerror = failed
  opening.onsuccess = () => {
    const reading = opening.result.transaction('unsaved').objectStore('unsaved').getAll()
    reading.onsuccess = () => done(JSON.stringify(reading.result).includes(${JSON.stringify(text)}))
  }
})`

describe('what is typed into an entry', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    ;[service, browser] = await Promise.all([startService({ schemas: entrySchemas }), startBrowser()])
    await inviteAda(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function createTalk(title: string): Promise<number> {
    const slug = title.toLowerCase()
    const { body } = await service.admin.post('/api/content/talk', { title, slug, recorded: false })
    return body.data.id
  }
  const titleOf = async (id: number) => (await service.admin.get(`/api/content/talk/${id}`)).body.data.title

  it('is there again after the tab was killed, and can be discarded and brought back', async () => {
    const id = await createTalk('Killed')
    const panel = await openPage(browser, service)
    await panel.signIn()
    await panel.goto(`/admin/content/talk/${id}`)
    await panel.page.getByLabel('Title').fill('Not saved')
    await waitInPage(panel.page, inJournal('Not saved'))
    await panel.page.close({ runBeforeUnload: false })

    const page = await panel.context.newPage()
    await page.goto(`/admin/content/talk/${id}`)
    await page.getByText(/that were not saved are back/).waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Not saved')
    await page.getByRole('button', { name: 'Discard' }).click()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Killed')
    await page.getByText('Unsaved').waitFor({ state: 'hidden' })
    await page.keyboard.press('ControlOrMeta+z')
    assert.equal(await page.getByLabel('Title').inputValue(), 'Not saved')
    await page.keyboard.press(save)
    await page.getByRole('heading', { level: 1, name: 'Not saved' }).waitFor()
    await waitInPage(page, `${inJournal('Not saved')}.then((isThere) => !isThere)`)
    assert.equal(await titleOf(id), 'Not saved')
    await panel.close()
  })

  it('is offered when the first reading of the entry has failed, or took so long that one has left and come back', async () => {
    const id = await createTalk('Unread')
    const panel = await openPage(browser, service)
    const { page } = panel
    panel.expect(/ERR_FAILED/)
    await panel.signIn()
    await panel.goto(`/admin/content/talk/${id}`)
    await page.getByLabel('Title').fill('Kept')
    await waitInPage(page, inJournal('Kept'))

    const reading = `**/api/content/talk/${id}?*`
    await page.route(reading, (route) => route.abort())
    await panel.goto(`/admin/content/talk/${id}`)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByText('The service cannot be reached').waitFor()
    await page.unroute(reading)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText(/that were not saved are back/).waitFor()

    const answers = new EventEmitter()
    const isAnswered = once(answers, 'go')
    await page.route(reading, async (route) => {
      await isAnswered
      await route.continue()
    })
    const isAsked = page.waitForRequest(reading)
    await page.goto(`/admin/content/talk/${id}`)
    await isAsked
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.goBack()
    answers.emit('go')
    await page.getByText(/that were not saved are back/).waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Kept')
    await panel.close()
  })

  it('waits for a new entry to be complete, in one tab at a time', async () => {
    const panel = await openPage(browser, service)
    await panel.signIn()
    await panel.goto('/admin/content/talk/new')
    await panel.page.getByLabel('Abstract').fill('Begun here')
    await waitInPage(panel.page, inJournal('Begun here'))

    const other = await panel.context.newPage()
    await other.goto('/admin/content/talk/new')
    await other.getByLabel('Abstract').waitFor()
    assert.equal(await other.getByLabel('Abstract').inputValue(), '', 'the first tab still has it')
    await other.getByLabel('Abstract').fill('Begun there')
    await waitInPage(other, inJournal('Begun there'))
    await panel.page.close()
    await other.close()

    const back = await panel.context.newPage()
    await back.goto('/admin/content/talk/new')
    await back.getByText(/that were not saved are back/).waitFor()
    assert.equal(await back.getByLabel('Abstract').inputValue(), 'Begun there')
    const second = await panel.context.newPage()
    await second.goto('/admin/content/talk/new')
    await second.getByText(/that were not saved are back/).waitFor()
    assert.equal(await second.getByLabel('Abstract').inputValue(), 'Begun here')
    await panel.close()
  })

  it('stays while the network is gone, and is saved when it is back', async () => {
    const id = await createTalk('Offline')
    const panel = await openPage(browser, service)
    const { page } = panel
    panel.expect(/ERR_INTERNET_DISCONNECTED/)
    await panel.signIn()
    await panel.goto(`/admin/content/talk/${id}`)
    await page.getByLabel('Title').fill('Typed offline')
    await panel.context.setOffline(true)
    await page.keyboard.press(save)
    await page.getByRole('alert').filter({ hasText: 'Nothing is lost' }).waitFor()
    await panel.assertAccessible()
    await panel.screenshot('entry-offline')
    await panel.context.setOffline(false)
    await page.getByRole('button', { name: 'Save again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Typed offline' }).waitFor()
    assert.equal(await titleOf(id), 'Typed offline')
    await panel.close()
  })

  it('is saved after signing in again, when the session ended while typing', async () => {
    const id = await createTalk('Session')
    const panel = await openPage(browser, service)
    const { page } = panel
    panel.expect(/401/)
    await panel.signIn()
    await panel.goto(`/admin/content/talk/${id}`)
    await page.getByLabel('Title').fill('Typed before')
    const { body } = await service.admin.get('/api/admin/users?limit=100')
    const users: readonly { id: number; username: string }[] = body.data
    const user = users.find(({ username }) => username === ada.identifier)
    const password = 'what Ada was told'
    const changed = await service.admin.put(`/api/admin/users/${user?.id}`, { password })
    assert.equal(changed.status, 200)
    await page.getByLabel('Title').focus()
    await page.keyboard.press('End')
    await page.keyboard.press(save)
    const notice = page.getByRole('alert').filter({ hasText: 'Your session has ended' })
    await notice.waitFor()
    await page.keyboard.type(' and on')
    assert.equal(await page.getByLabel('Title').inputValue(), 'Typed before and on')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await panel.assertAccessible()
    await panel.screenshot('session-ended-while-writing')
    await page.keyboard.press(save)
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Typed before' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    assert.match(await titleOf(id), /^Typed before/)
    await waitInPage(page, "document.activeElement.value === 'Typed before and on'")
    await page.keyboard.press(save)
    await page.getByRole('heading', { level: 1, name: 'Typed before and on' }).waitFor()
    assert.equal(await titleOf(id), 'Typed before and on')
    await service.admin.put(`/api/admin/users/${user?.id}`, { password: ada.password })
    await panel.close()
  })

  it('meets what somebody else has saved: all of both stays, and only the same value is asked about', async () => {
    const id = await createTalk('Two')
    const panel = await openPage(browser, service)
    const other = await openPage(browser, service)
    const { page } = panel
    panel.expect(/412/)
    for (const each of [panel, other]) {
      await each.signIn()
      await each.goto(`/admin/content/talk/${id}`)
      await each.page.getByLabel('Title').waitFor()
    }
    await other.page.getByLabel('Abstract').fill('Written by the other one.')
    await other.page.keyboard.press(save)
    await other.page.getByText('Unsaved').waitFor({ state: 'hidden' })
    // Typed before the other one saves, since what is not touched here would just come in.
    await other.page.getByLabel('Title').fill('Theirs')
    await other.page.getByLabel('Seats').fill('7')
    await page.getByLabel('Title').fill('Mine')
    await page.keyboard.press(save)
    await page.getByText('Their changes are in: Abstract.').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
    assert.equal(await page.getByLabel('Abstract').inputValue(), 'Written by the other one.')

    other.expect(/412/)
    await other.page.keyboard.press(save)
    const dialog = other.page.getByRole('dialog', { name: 'What shall be kept?' })
    await dialog.waitFor()
    await dialog.getByRole('group', { name: 'Title' }).waitFor()
    assert.equal(await dialog.getByRole('group').count(), 1)
    await other.assertAccessible()
    await other.screenshot('entry-conflict')
    await dialog.locator('ins', { hasText: 'Theirs' }).waitFor()
    await dialog.locator('del', { hasText: 'Two' }).first().waitFor()
    await dialog.getByRole('radio', { name: 'Theirs' }).check()
    await dialog.getByRole('button', { name: 'Save this' }).click()
    await other.page.getByText('Unsaved').waitFor({ state: 'hidden' })
    const { title, seats, abstract } = (await service.admin.get(`/api/content/talk/${id}`)).body.data
    assert.deepEqual([title, seats, abstract], ['Mine', 7, 'Written by the other one.'])
    await panel.close()
    await other.close()
  })
})

describe('what is typed into an entry in development', { skip: withoutBrowser }, () => {
  it('is offered, too, where React runs every effect twice', async () => {
    const [service, browser] = await Promise.all([
      startService({ schemas: entrySchemas, env: { NODE_ENV: 'development' } }),
      startBrowser(),
    ])
    try {
      await inviteAda(service)
      const panel = await openPage(browser, service)
      await panel.signIn()
      await panel.page.goto('/admin/content/talk/new')
      await panel.page.getByLabel('Abstract').fill('Begun')
      await waitInPage(panel.page, inJournal('Begun'))
      await panel.page.reload()
      await panel.page.getByText(/that were not saved are back/).waitFor()
      assert.equal(await panel.page.getByLabel('Abstract').inputValue(), 'Begun')
      await panel.close()
    } finally {
      await browser.close()
      await service.stop()
    }
  })
})
