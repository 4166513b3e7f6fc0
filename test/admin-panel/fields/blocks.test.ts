import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { startService, type TestService } from '../../support/service.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { inviteAda, openPage } from '../browser/panel-page.ts'
import { countDrawnFields, watchDrawing } from '../entry/watch-drawing.ts'
import { pageSchemas } from './page-schemas.ts'

describe('blocks in the form', { skip: withoutBrowser }, () => {
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

  async function openForm(values: Readonly<Record<string, unknown>>, width = 1280) {
    const { id } = (await service.admin.post('/api/content/page', { title: 'Page', ...values })).body.data
    const panel = await openPage(browser, service, { width })
    await panel.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await panel.signIn()
    await panel.goto(`/admin/content/page/${id}`)
    const { page } = panel
    const zone = page.getByRole('group', { name: 'Blocks', exact: true })
    const titles = () => zone.locator('[aria-expanded]:not([aria-haspopup])').allInnerTexts()
    const stored = async () => (await service.admin.get(`/api/content/page/${id}`)).body.data
    const save = async () => {
      await page.keyboard.press('ControlOrMeta+s')
      await page.getByText('Unsaved').waitFor({ state: 'hidden' })
    }
    return { ...panel, zone, titles, stored, save }
  }

  it('builds a zone by the keyboard alone', async () => {
    const form = await openForm({})
    const { page, zone } = form
    await zone.getByRole('button', { name: 'Add block' }).press('Enter')
    await page.getByRole('searchbox', { name: 'Search' }).waitFor()
    await page.keyboard.type('said')
    await page.getByRole('option', { name: 'Quote' }).waitFor()
    await form.assertAccessible()
    await form.screenshot('block-picker')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await zone.getByRole('textbox', { name: 'Text' }).fill('To be')
    await zone.getByRole('button', { name: 'Add block' }).press('Enter')
    await page.getByRole('searchbox').fill('gallery')
    await page.getByRole('option', { name: 'Gallery' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await zone.getByRole('textbox', { name: 'Heading' }).fill('Pictures')
    await zone.getByRole('button', { name: 'To be Quote' }).press('Alt+ArrowDown')
    await page.getByText('Moved to position 2 of 2').waitFor()
    await zone.getByRole('button', { name: 'To be Quote' }).and(page.locator(':focus')).waitFor()
    await form.assertAccessible()
    await form.screenshot('blocks')
    await form.save()
    const { blocks } = await form.stored()
    assert.deepEqual(
      blocks.map(({ __component, heading, text }: Record<string, unknown>) => [__component, heading ?? text]),
      [
        ['blocks.gallery', 'Pictures'],
        ['blocks.quote', 'To be'],
      ],
    )
    assert.equal(new Set(blocks.map(({ id }: { id: string }) => id)).size, 2)
    await form.close()
  })

  it('moves a block by dragging it, removes one and takes that back', async () => {
    const quotes = ['A', 'B', 'C'].map((text) => ({ __component: 'blocks.quote', text }))
    const form = await openForm({ blocks: quotes })
    const { page, zone, titles } = form
    const [from, to] = [
      await zone.getByTitle('Drag').first().boundingBox(),
      await zone.getByTitle('Drag').last().boundingBox(),
    ]
    assert.ok(from !== null && to !== null)
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(to.x + 8, to.y + to.height - 2, { steps: 5 })
    await page.mouse.up()
    await page.getByText('Moved to position 3 of 3').waitFor()
    assert.deepEqual(
      (await titles()).map((title) => title[0]),
      ['B', 'C', 'A'],
    )
    await zone.getByRole('button', { name: 'Actions for C' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await zone.getByRole('button', { name: 'C Quote' }).waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await zone.getByRole('button', { name: 'C Quote' }).waitFor()
    await form.save()
    const { blocks } = await form.stored()
    assert.deepEqual(
      blocks.map(({ text }: { text: string }) => text),
      ['B', 'C', 'A'],
    )
    await form.close()
  })

  it('carries a block to another entry by the clipboard, and refuses it where it may not stand', async () => {
    const source = await openForm({ blocks: [{ __component: 'blocks.quote', text: 'To be', id: 'one' }] })
    await source.zone.getByRole('button', { name: 'Actions for To be' }).click()
    await source.page.getByRole('menuitem', { name: 'Copy' }).click()
    await source.page.getByText('is copied').waitFor()
    await source.zone.getByRole('button', { name: 'Paste' }).click()
    await source.zone.getByRole('button', { name: 'To be Quote' }).nth(1).waitFor()
    const faq = source.page.getByRole('group', { name: 'Faq' })
    await faq.getByRole('button', { name: 'Paste' }).click()
    await source.page.getByText('Not allowed here: Quote').waitFor()
    await source.save()
    const { blocks } = await source.stored()
    assert.deepEqual([blocks[0].id, blocks[0].text, blocks[1].text], ['one', 'To be', 'To be'])
    assert.notEqual(blocks[1].id, 'one')
    await source.close()
  })

  it('holds 200 closed blocks in few nodes, and leads to a problem in one of them', async () => {
    const blocks = Array.from({ length: 200 }, (_, index) => ({
      __component: 'blocks.quote',
      text: `Quote ${index}`,
      by: 'Somebody',
    }))
    const form = await openForm({ blocks })
    form.expect(/400/)
    const { page, zone } = form
    // By their place: the names of hundreds of buttons take long to find out.
    const block = (index: number) => zone.locator('[data-block]').nth(index)
    await block(199).waitFor()
    const nodes = await page.evaluate('document.querySelectorAll("*").length')
    assert.ok(Number(nodes) <= 6_000, `${nodes} nodes`)
    await block(150).locator('[aria-expanded]').first().click()
    await block(150).getByRole('textbox', { name: 'Text' }).fill('')
    await block(150).locator('[aria-expanded]').first().click()
    await page.keyboard.press('ControlOrMeta+s')
    await page.getByText(/problem keeps this/).waitFor()
    await page.locator('main').getByRole('button', { name: /Text/ }).first().click()
    await block(150).getByRole('textbox', { name: 'Text' }).and(page.locator(':focus')).waitFor()
    await form.close()
  })

  it('leads to a problem two closed levels down, marks what it is in, and says the place by its titles', async () => {
    const questions = ['Who?', 'Why?'].map((question) => ({ question, answer: 'Because.' }))
    const blocks = [
      { __component: 'blocks.quote', text: 'To be', by: 'Somebody' },
      { __component: 'blocks.gallery', heading: 'Pictures', questions },
    ]
    for (const width of [1280, 360]) {
      const form = await openForm({ blocks }, width)
      form.expect(/400/)
      const { page, zone } = form
      const toggle = (name: RegExp) => zone.getByRole('button', { name, expanded: false })
      await toggle(/^Pictures/).click()
      await toggle(/^Why/).click()
      await zone.getByRole('textbox', { name: 'Question' }).fill('')
      await zone.getByRole('button', { name: /^Pictures/, expanded: true }).click()
      await page.keyboard.press('ControlOrMeta+s')

      await page.getByText(/problem keeps this/).waitFor()
      await toggle(/^Pictures.*1 problem inside/).waitFor()
      await form.assertAccessible()
      for (const mode of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: mode })
        await page.getByText(/problem keeps this/).scrollIntoViewIfNeeded()
        await form.screenshot('blocks-problem-list', mode)
        await toggle(/^Pictures/).scrollIntoViewIfNeeded()
        await form.screenshot('blocks-problem-inside', mode)
      }
      const link = page.getByRole('button', {
        name: 'Blocks › Gallery 2 › Questions › Question 2 › Question',
      })
      await link.click()
      await zone.getByRole('textbox', { name: 'Question' }).and(page.locator(':focus')).waitFor()
      assert.equal(await zone.getByText('1 problem inside').count(), 0, 'it is in sight')

      await zone.getByRole('button', { name: /^Because/, expanded: true }).click()
      await toggle(/^Because.*1 problem inside/).waitFor()
      await toggle(/^Because/).click()
      await zone.getByRole('textbox', { name: 'Question' }).fill('Why not?')
      await link.waitFor({ state: 'hidden' })
      await form.close()
    }
  })

  it('draws nothing but the field that is typed into, however many blocks there are', async () => {
    const blocks = Array.from({ length: 60 }, (_, index) => ({
      __component: 'blocks.quote',
      text: 'Said',
      by: `Person ${index}`,
    }))
    const { body } = await service.admin.post('/api/content/page', { title: 'Long', blocks })
    const panel = await openPage(browser, service)
    const { page } = panel
    await panel.signIn()
    await watchDrawing(page)
    await panel.goto(`/admin/content/page/${body.data.id}`)
    await page.getByText('Person 7', { exact: true }).click()
    await page.getByLabel('Text').press('End')
    // The first one also says that there is something to save, and to undo.
    await page.keyboard.type('b')
    assert.deepEqual(await countDrawnFields(page, () => page.keyboard.type('c')), ['blocks.7.text'])
    await panel.close()
  })
})
