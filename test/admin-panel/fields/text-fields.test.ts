import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startService, type TestService } from '../../support/service.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { inviteAda, openPage } from '../browser/panel-page.ts'
import { pageSchemas } from './page-schemas.ts'

describe('rich text and JSON in the form', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    ;[service, browser] = await Promise.all([startService({ schemas: pageSchemas }), startBrowser()])
    await inviteAda(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function openForm(body: Readonly<Record<string, unknown>>) {
    const { id } = (await service.admin.post('/api/content/page', { title: 'Page', ...body })).body.data
    const panel = await openPage(browser, service)
    await panel.signIn()
    await panel.goto(`/admin/content/page/${id}`)
    const stored = async () => (await service.admin.get(`/api/content/page/${id}`)).body.data
    const save = async () => {
      // Editors tell of what is typed a little later.
      const unsaved = panel.page.getByText('Unsaved')
      await unsaved.waitFor()
      await panel.page.keyboard.press('ControlOrMeta+s')
      await unsaved.waitFor({ state: 'hidden' })
    }
    return { ...panel, stored, save }
  }

  it('writes rich text by the keyboard, and keeps what it does not know', async () => {
    const figure = '<figure class="wide"><img src="/admin/none.png"><figcaption>A</figcaption></figure>'
    const lead = '<p class="lead" data-x="1">First</p>'
    const form = await openForm({ body: `${lead}\n${figure}` })
    const { page } = form
    form.expect(/404/)
    const text = page.getByRole('textbox', { name: 'Body' })
    await text.getByText('First').waitFor()
    await text.getByText('<figure class="wide">').waitFor()
    await text.press('ControlOrMeta+Home')
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Second and ')
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.type('bold')
    await page.keyboard.press('Alt+F10')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'Bold' }).and(page.locator(':focus')).waitFor()
    await form.assertAccessible()
    await form.screenshot('rich-text')
    await form.save()
    const { body } = await form.stored()
    assert.equal(
      body,
      `<p class="lead" data-x="1">First!</p><p>Second and <strong>bold</strong></p>${figure}`,
    )
    await form.close()
  })

  it('shows the source, and refuses the visual editor where it would change something', async () => {
    const form = await openForm({ body: '<p>One<p>Two' })
    const { page } = form
    await page.getByText('Shown as source').waitFor()
    const source = page.getByRole('textbox', { name: 'Body' })
    assert.equal(await source.innerText(), '<p>One<p>Two')
    assert.equal(await page.getByText('Unsaved').count(), 0)
    await form.assertAccessible()
    await form.screenshot('rich-text-refused')
    await page.getByRole('button', { name: 'Repair and edit visually' }).click()
    await source.getByText('Two').waitFor()
    await page.getByRole('button', { name: 'Edit the source' }).click()
    await source.getByText('<p>Two</p>').waitFor()
    await source.fill('<h2>Three</h2>')
    await page.getByRole('button', { name: 'Edit visually' }).click()
    await source.getByRole('heading', { name: 'Three' }).waitFor()
    await source.press('ControlOrMeta+z')
    await source.getByText('Two').waitFor()
    await source.press('ControlOrMeta+y')
    await source.getByRole('heading', { name: 'Three' }).waitFor()
    await form.save()
    assert.equal((await form.stored()).body, '<h2>Three</h2>')
    await form.close()
  })

  it('keeps JSON that is not finished, and sends what is', async () => {
    const form = await openForm({ settings: { a: 1 } })
    const { page } = form
    const source = page.getByRole('textbox', { name: 'Settings' })
    await source.fill('{ "a": 2 }')
    await source.press('ControlOrMeta+End')
    await page.keyboard.type(', oops')
    await page
      .getByRole('button', { name: /^Not JSON at line 1, column 1\d$/ })
      .first()
      .waitFor()
    await form.assertAccessible()
    await form.save()
    assert.deepEqual((await form.stored()).settings, { a: 2 })
    assert.equal(await source.innerText(), '{ "a": 2 }, oops')
    await page.reload()
    await source.getByText('oops').waitFor()
    await source.fill('{ "a": [3] }')
    await form.save()
    assert.deepEqual((await form.stored()).settings, { a: [3] })
    await form.close()
  })

  it('says which numbers of JSON would become others, and sends none of them', async () => {
    const form = await openForm({ settings: { a: 1 } })
    const { page } = form
    const source = page.getByRole('textbox', { name: 'Settings' })
    // Text typed over coloured text is coloured by the browser itself, against the page's policy.
    const write = async (text: string) => {
      await source.press('ControlOrMeta+a')
      await source.press('Delete')
      await page.keyboard.insertText(text)
    }
    await write(
      '{ "id": 12345678901234567890, "share": 0.1000000000000000055, "far": 1e400, "text": "1e400" }',
    )
    await page
      .getByRole('button', { name: /12345678901234567890 would become 12345678901234567000/ })
      .waitFor()
    await page.getByRole('button', { name: /0\.1000000000000000055 would become 0\.1\. In quotes/ }).waitFor()
    await page.getByRole('button', { name: /1e400 is larger than numbers can be/ }).waitFor()
    await form.assertAccessible()
    await form.screenshot('json-numbers')
    await write('{ "id": "12345678901234567890", "share": 1.50, "far": 25e-1, "even": 9007199254740993.0e0 }')
    await page.getByRole('button', { name: /9007199254740993\.0e0 would become 9007199254740992/ }).waitFor()
    await write('{ "id": "12345678901234567890", "share": 1.50, "far": 25e-1, "zero": -0.0 }')
    await page.getByRole('button', { name: /would become/ }).waitFor({ state: 'hidden' })
    await form.save()
    const { settings } = await form.stored()
    assert.deepEqual(settings, { id: '12345678901234567890', share: 1.5, far: 2.5, zero: 0 })
    await form.close()
  })

  it('brings other words of the same paragraph together without a question', async () => {
    const form = await openForm({ body: '<p>The quick brown fox jumps over the dog</p>' })
    const { page } = form
    form.expect(/412/)
    const text = page.getByRole('textbox', { name: 'Body' })
    await text.getByText('quick').waitFor()
    await text.press('ControlOrMeta+End')
    await page.keyboard.type('house')
    await page.getByText('Unsaved').waitFor()
    const id = Number(page.url().split('/').at(-1))
    const body = '<p>The slow brown fox jumps over the dog</p>'
    assert.equal((await service.admin.put(`/api/content/page/${id}`, { body })).status, 200)
    await form.save()
    assert.equal((await form.stored()).body, '<p>The slow brown fox jumps over the doghouse</p>')
    await text.getByText('The slow brown fox jumps over the doghouse').waitFor()
    await form.close()
  })
})
