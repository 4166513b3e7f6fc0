import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Caller, expectStatus, goodPassword, newAdmin } from '../api/auth-callers.ts'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, lookAt, openPage } from './browser/panel-page.ts'
import { reviewSchemas } from './browser/review-schemas.ts'

describe('the review of entries in the panel', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser
  /** May write, and neither approve nor publish. */
  let writer: Caller
  let roleId: number
  const ofWriter = { content: { story: { create: true, read: true, update: true } }, media: {} }

  before(async () => {
    service = await startService({ schemas: reviewSchemas })
    browser = await startBrowser()
    await inviteAda(service)
    const role = { name: 'writer', description: '', permissions: ofWriter }
    roleId = expectStatus(await service.admin.post('/api/admin/roles', role), 201).body.data.id
    writer = await newAdmin(service, 'writer')
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function write(title: string, ...states: string[]): Promise<number> {
    const answer = await service.admin.post('/api/content/story', { title, section: 'News' })
    const { id } = expectStatus(answer, 201).body.data
    for (const to of states)
      expectStatus(await service.admin.put(`/api/content/story/${id}/workflow/transition`, { to }), 200)
    return id
  }

  const stateOf = async (id: number) =>
    (await service.admin.get(`/api/content/story/${id}/workflow`)).body.data.state.name
  const column = (page: Page, state: string) => page.getByRole('region', { name: state, exact: true })
  const card = (page: Page, state: string, title: string) =>
    column(page, state).getByRole('row', { name: title })

  it('takes an entry from a writer to its publication by an administrator', async () => {
    const id = await write('A harbour at night')
    await write('Approved before', 'review', 'approved')
    const { page, goto, signIn, close } = await openPage(browser, service)
    await signIn({ identifier: writer.username, password: goodPassword })
    await goto('/admin/content/story')
    await page.getByRole('button', { name: 'Show as a board' }).click()
    await page.waitForURL(/layout=board/)

    await card(page, 'In progress', 'A harbour').dragTo(column(page, 'Approved'))
    await page.getByText('does not lead from “In progress” to “Approved”').waitFor()
    await page.getByRole('button', { name: 'Move A harbour at night to…' }).click()
    await page.getByRole('menuitem', { name: 'Submit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Submit' })
    await dialog.getByLabel('Comment').fill('Please look at the title')
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await card(page, 'In review', 'A harbour').waitFor()
    await page.getByRole('button', { name: 'Move A harbour at night to…' }).click()
    const refused = page.getByRole('menuitem', { name: 'Approve (only admin)' })
    assert.equal(await refused.getAttribute('aria-disabled'), 'true')
    await page.keyboard.press('Escape')
    await card(page, 'In review', 'A harbour').dragTo(column(page, 'Approved'))
    await page.getByText('Only admin may move an entry').waitFor()
    await close()
    assert.equal(await stateOf(id), 'review')

    const ada = await openPage(browser, service)
    await ada.signIn()
    await ada.goto(`/admin/content/story/${id}`)
    await ada.page.getByRole('button', { name: 'Steps so far' }).click()
    await ada.page.getByText('Please look at the title').waitFor()
    await ada.page.getByLabel('Comment on the next step').fill('Well done')
    await ada.page.getByRole('button', { name: 'Approve', exact: true }).click()
    await ada.page.getByText('Well done').first().waitFor()
    await ada.page.getByRole('button', { name: 'Publish…', exact: true }).click()
    const publish = ada.page.getByRole('dialog', { name: 'Publish' })
    await publish.getByRole('button', { name: 'Publish', exact: true }).click()
    await ada.page.getByText('Published').first().waitFor()
    await ada.close()
    const entry = (await service.admin.get(`/api/content/story/${id}`)).body.data
    assert.equal(typeof entry.published_at, 'string')
  })

  it('can be done by keyboard alone, and goes back where the service refuses', async () => {
    const id = await write('By keyboard')
    const { page, goto, signIn, close, expect } = await openPage(browser, service)
    expect(/403/)
    await signIn({ identifier: writer.username, password: goodPassword })
    await goto('/admin/content/story?layout=board&q=keyboard')
    const drop = async () => {
      await page.getByRole('button', { name: 'Drag By keyboard' }).focus()
      await page.keyboard.press('Enter')
      await column(page, 'In review').locator(':focus').waitFor()
      await page.keyboard.press('Enter')
    }
    const permissions = { content: { story: { create: true, read: true } }, media: {} }
    expectStatus(await service.admin.put(`/api/admin/roles/${roleId}`, { permissions }), 200)
    await drop()
    await page.getByText('“By keyboard” has gone back').waitFor()
    assert.equal(await stateOf(id), 'draft')
    expectStatus(await service.admin.put(`/api/admin/roles/${roleId}`, { permissions: ofWriter }), 200)
    await page.reload()
    await drop()
    await column(page, 'In review').getByRole('button', { name: 'Move By keyboard to…' }).waitFor()
    assert.equal(await stateOf(id), 'review')
    await close()
  })

  it('takes a translation from outdated to published', async () => {
    const id = await write('The tide')
    const path = `/api/content/story/${id}`
    expectStatus(await service.admin.put(path, { body: 'The water rises at noon.' }), 200)
    const texts = { locale: 'de', title: 'Die Flut', body: 'Das Wasser steigt am Mittag.' }
    const { id: german } = expectStatus(await service.admin.post(`${path}/localizations`, texts), 201).body
      .data
    for (const to of ['review', 'approved'])
      expectStatus(await service.admin.put(`/api/content/story/${german}/workflow/transition`, { to }), 200)
    expectStatus(await service.admin.put(path, { body: 'The water rises at midnight.' }), 200)

    const { page, goto, signIn, close } = await openPage(browser, service)
    await signIn()
    await goto('/admin/content/story?locale=de&f=translation_status:in:outdated')
    await page.getByRole('row', { name: 'Die Flut' }).waitFor()
    await goto(`/admin/content/story/${german}`)
    await page.getByRole('link', { name: 'Side by side' }).click()
    await page.getByRole('heading', { name: 'Translation of The tide' }).waitFor()
    const original = page.getByRole('group', { name: 'Body (English)' })
    await original.getByRole('deletion').getByText('noon').waitFor()
    await original.getByRole('insertion').getByText('midnight').waitFor()
    assert.equal(
      await page.getByText('Changed in the original', { exact: true }).count(),
      1,
      'only what has changed is marked',
    )
    assert.equal(await original.getByRole('textbox').count(), 0)

    const translation = page.getByRole('group', { name: 'Body (German)' })
    await translation.getByRole('textbox').fill('Das Wasser steigt um Mitternacht.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Unsaved').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Publish…', exact: true }).click()
    const publish = page.getByRole('dialog')
    await publish.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByText('Changed in the original', { exact: true }).waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Status', { exact: true }).inputValue(), 'published')

    await page.getByLabel('Translate into').selectOption('French')
    await page.getByText('Not translated yet.').waitFor()
    await page.getByRole('button', { name: 'Copy Title from the original' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('Status', { exact: true }).selectOption('In review')
    await page.getByText('The status is set.').waitFor()
    await close()
    const { translationMeta } = (await service.admin.get(`${path}/localizations`)).body.data
    const statusOf = ([locale, { status }]: [string, { status: string }]) => `${locale} ${status}`
    assert.deepEqual(Object.entries<{ status: string }>(translationMeta).map(statusOf), [
      'en draft',
      'de published',
      'fr in_review',
    ])
  })

  it('saves a draft that is incomplete, and says what is missing before it is published', async () => {
    const { page, goto, signIn, close } = await openPage(browser, service)
    await signIn()
    await goto('/admin/content/story/new')
    await page.getByLabel('Body').fill('Nobody has thought of a title yet.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/\/story\/\d+$/)
    await page.getByRole('button', { name: 'Submit', exact: true }).click()
    await page.getByLabel('Comment on the next step').fill('')
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByRole('button', { name: 'Revise', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Publish…', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish' })
    await dialog.getByText('must be filled in').waitFor()
    await dialog.getByRole('button', { name: 'Title' }).click()
    await dialog.waitFor({ state: 'detached' })
    await close()
  })

  it('shows translations in light and dark, wide and narrow', async () => {
    const id = await write('A translated one')
    const texts = { locale: 'de', title: 'Übersetzt', body: 'Ein Satz.' }
    expectStatus(await service.admin.post(`/api/content/story/${id}/localizations`, texts), 201)
    expectStatus(await service.admin.put(`/api/content/story/${id}`, { title: 'A translated story' }), 200)
    await lookAt(browser, service, {
      name: 'translation',
      path: `/admin/content/story/${id}/translate?to=de`,
      ready: (page) => page.getByText('Changed in the original', { exact: true }).waitFor(),
    })
  })

  it('is a board in light and dark, wide and narrow', async () => {
    await lookAt(browser, service, {
      name: 'board',
      path: '/admin/content/story?layout=board',
      ready: (page) => page.getByRole('row').first().waitFor(),
    })
  })
})
