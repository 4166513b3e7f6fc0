import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startService, type TestService } from '../../support/service.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { inviteAda, lookAt, openPage } from '../browser/panel-page.ts'
import { entrySchemas } from './entry-schemas.ts'
import { countDrawnFields, watchDrawing } from './watch-drawing.ts'

const save = 'ControlOrMeta+s'

describe('writing an entry in the panel', { skip: withoutBrowser }, () => {
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

  const talkAt = async (id: number) => (await service.admin.get(`/api/content/talk/${id}`)).body.data

  it('creates one by the keyboard alone, and stays where it is', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/content/talk/new')
    await page.getByLabel('Title').waitFor()
    await tabTo(page, 'Title')
    await page.keyboard.type('Über uns')
    await tabTo(page, 'Kind')
    await page.keyboard.type('w')
    await tabTo(page, 'Room')
    await page.keyboard.type('Hall 1')
    await tabTo(page, 'Seats')
    await page.keyboard.type('30')
    await tabTo(page, 'Recorded')
    await page.keyboard.press('Space')
    await page.keyboard.press(save)
    await page.waitForURL(/\/content\/talk\/\d+$/)
    await page.getByRole('heading', { level: 1, name: 'Über uns' }).waitFor()
    assert.equal(await focusedLabel(page), 'Recorded', 'the focus stays')
    const { slug, kind, room, seats, recorded, streamed } = await talkAt(idIn(page))
    assert.deepEqual(
      { slug, kind, room, seats, recorded, streamed },
      { slug: 'uber-uns', kind: 'workshop', room: 'Hall 1', seats: 30, recorded: true, streamed: null },
    )

    await page.getByLabel('Title').press('End')
    await page.keyboard.type(' und mehr')
    await page.getByText('Unsaved').waitFor()
    await page.keyboard.press('ControlOrMeta+z')
    await page.getByText('Unsaved').waitFor({ state: 'hidden' })
    assert.equal(await page.getByLabel('Title').inputValue(), 'Über uns')
    await page.keyboard.press('ControlOrMeta+Shift+z')
    await page.keyboard.press(save)
    await page.getByRole('heading', { level: 1, name: 'Über uns und mehr' }).waitFor()
    await panel.close()
  })

  it('leads from problems to fields, into another tab too', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    panel.expect(/400/)
    await panel.signIn()
    await panel.goto('/admin/content/talk/new')
    await page.getByLabel('Abstract').fill('x')
    await page.getByRole('tab', { name: 'Programme' }).click()
    await page.getByLabel('Contact').fill('nobody')
    await page.getByRole('tab', { name: 'General' }).click()
    await page.keyboard.press(save)
    const summary = page.getByRole('alert').filter({ hasText: '3 problems' })
    await summary.waitFor()
    await panel.assertAccessible()
    await page.getByRole('tab', { name: 'Programme 1 problem inside' }).waitFor()
    await panel.screenshot('entry-problems')
    await summary.getByRole('button', { name: 'Contact' }).press('Enter')
    await page.locator('[data-path="contact"] :focus').waitFor()
    assert.equal(await page.getByLabel('Contact').getAttribute('aria-invalid'), 'true')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('ann@example.com')
    await page.getByRole('alert').filter({ hasText: '2 problems' }).waitFor()
    await page.getByRole('button', { name: 'Title' }).click()
    await page.locator('[data-path="title"] :focus').waitFor()
    await page.keyboard.type('Told')
    await page.keyboard.press(save)
    await page.waitForURL(/\/content\/talk\/\d+$/)
    await panel.close()
  })

  it('tells problems in the language of the panel', async () => {
    const panel = await openPage(browser, service, { locale: 'de-DE' })
    const { page } = panel
    panel.expect(/400/)
    await panel.signIn()
    await panel.goto('/admin/content/talk/new')
    await page.getByLabel('Seats').fill('0')
    await page.getByRole('tab', { name: 'Programme' }).click()
    await page.getByLabel('Contact').fill('nobody')
    await page.keyboard.press(save)
    const summary = page.getByRole('alert').filter({ hasText: 'Title' })
    await summary.getByText('muss ausgefüllt werden').first().waitFor()
    await summary.getByText('muss mindestens 1 sein').waitFor()
    await summary.getByText('passt nicht hierher').waitFor()
    await panel.close()
  })

  it('keeps what nobody has touched: fields that a condition hides, and the seconds of times', async () => {
    const { body } = await service.admin.post('/api/content/talk', {
      ...{ title: 'Hidden', slug: 'hidden', kind: 'workshop', room: 'Hall 2', recorded: false },
      beginsAt: '2026-05-06T07:08:09.123Z',
    })
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/talk/${body.data.id}`)
    await page.getByLabel('Kind').selectOption('talk')
    await page.getByText('Room is hidden because of Kind. Its value is kept.').waitFor()
    await page.keyboard.press(save)
    await page.getByText('Unsaved').waitFor({ state: 'hidden' })
    const { room, beginsAt } = await talkAt(body.data.id)
    assert.deepEqual([room, beginsAt], ['Hall 2', '2026-05-06T07:08:09.123Z'])

    await page.getByRole('tab', { name: 'Programme' }).click()
    await page.getByText(/Time zone: .*GMT/).waitFor()
    // The first part, which is the day or the month, as the browser writes dates.
    await page.getByLabel('Begins at').focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press(save)
    await page.getByText('Unsaved').waitFor({ state: 'hidden' })
    assert.match((await talkAt(body.data.id)).beginsAt, /^2026-0(5-07|6-06)T07:08:09\.123Z$/)
    await panel.close()
  })

  it('edits the draft beside what is public', async () => {
    const { body } = await service.admin.post('/api/content/talk', {
      ...{ title: 'Public', slug: 'public', recorded: false },
    })
    await service.admin.put(`/api/content/talk/${body.data.id}/publish`, {})
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/talk/${body.data.id}`)
    await page.getByLabel('Title').fill('Changed')
    await page.keyboard.press(save)
    await page.getByText('Published, with changes').first().waitFor()
    await page.getByLabel('Title').fill('Changed again')
    await page.keyboard.press(save)
    await page.getByRole('heading', { level: 1, name: 'Changed again' }).waitFor()
    assert.equal((await talkAt(body.data.id)).title, 'Public')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Changed again' }).waitFor()
    await panel.close()
  })

  it('draws one field at a keystroke, of a hundred', async () => {
    const { body } = await service.admin.post('/api/content/wide', { field42: 'a' })
    const panel = await openPage(browser, service)
    const { page } = panel
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/')) requests.push(new URL(request.url()).pathname)
    })
    await panel.signIn()
    await watchDrawing(page)
    await panel.goto(`/admin/content/wide/${body.data.id}`)
    const field = page.getByLabel('Field42', { exact: true })
    await field.press('End')
    // The first one also says that there is something to save, and to undo.
    await page.keyboard.type('b')
    assert.deepEqual(await countDrawnFields(page, () => page.keyboard.type('c')), ['field42'])
    assert.equal(await field.inputValue(), 'abc')
    // The form does not wait for what others do: events, presence, comments, the count of the inbox.
    const others = /admin.(events|presence|inbox.count)$|comments$/
    const data = requests.filter((path) => !/auth.token|[.]css$/.test(path) && !others.test(path))
    assert.ok(data.length <= 4, `asks ${data.join(', ')}`)
    await panel.close()
  })

  it('writes an entry in another language', async () => {
    const { body } = await service.admin.post('/api/content/page', { title: 'Hello', price: 5, locale: 'en' })
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto(`/admin/content/page/${body.data.id}`)
    await page.getByRole('navigation', { name: 'Languages' }).getByRole('link', { name: 'German' }).click()
    await page.waitForURL(/locale=de/)
    assert.equal(await page.getByLabel('Price').inputValue(), '5', 'what is shared is there')
    await page.getByLabel('Title').fill('Hallo')
    await page.keyboard.press(save)
    await page.waitForURL(/\/content\/page\/\d+$/)
    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('heading', { level: 1, name: 'Hello' }).waitFor()
    const { body: versions } = await service.admin.get(`/api/content/page/${body.data.id}/localizations`)
    assert.deepEqual(Object.keys(versions.data.translationMeta).sort(), ['de', 'en'])
    await panel.close()
  })

  it('leads to the entry by the tab of its language, right after it was saved first', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await panel.goto('/admin/content/page/new')
    await page.getByLabel('Title').fill('First')
    await page.keyboard.press(save)
    await page.waitForURL(/\/content\/page\/\d+$/)
    const own = page.url()
    await page.getByRole('navigation', { name: 'Languages' }).getByRole('link', { name: 'English' }).click()
    assert.equal(page.url(), own)
    await page.getByLabel('Price').fill('7')
    await page.keyboard.press(save)
    await page.getByText('Unsaved').waitFor({ state: 'hidden' })
    const { title, price } = (await service.admin.get(`/api/content/page/${idIn(page)}`)).body.data
    assert.deepEqual([title, price], ['First', 7])
    await panel.close()
  })

  it('looks right in light and dark, wide and narrow', async () => {
    const { body } = await service.admin.post('/api/content/talk', {
      ...{ title: 'A talk about talks', slug: 'talks', recorded: false, seats: 12, fee: 9.5 },
      abstract: 'What one says, what one shows, and what others remember of it.',
    })
    await lookAt(browser, service, {
      name: 'entry',
      path: `/admin/content/talk/${body.data.id}`,
      ready: (page) => page.getByLabel('Title').waitFor(),
    })
  })
})

const idIn = (page: Page) => Number(page.url().split('/').at(-1))

/** Presses Tab until the input with a label has the focus. */
async function tabTo(page: Page, label: string) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    if ((await focusedLabel(page)) === label) return
  }
  assert.fail(`Tab does not lead to ${label}`)
}

/** The label of what has the focus, without the mark of what is required. */
const focusedLabel = (page: Page) =>
  page.evaluate<string>("document.activeElement?.labels?.[0]?.textContent.replace(' *', '') ?? ''")
