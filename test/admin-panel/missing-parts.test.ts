import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { startService, type TestService } from '../support/service.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { inviteAda, openPage } from './browser/panel-page.ts'
import { entrySchemas } from './entry/entry-schemas.ts'

/** The scripts of what is built from a file of that name, whatever their hash. */
const scriptsOf = (name: string) => new RegExp(`/admin/assets/${name}-[A-Z0-9]{8}\\.js`)

/** What Chromium says when a request is cut off by a test, or answered by 404. */
const cutOff = /ERR_FAILED|ERR_INTERNET_DISCONNECTED|404/

describe('parts of the panel whose code cannot be fetched', { skip: withoutBrowser }, () => {
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

  async function openTalk(width = 1280) {
    const talk = { title: `Talk ${width}`, slug: `talk-${crypto.randomUUID()}`, recorded: false }
    const { body } = await service.admin.post('/api/content/talk', talk)
    const panel = await openPage(browser, service, { width })
    panel.expect(cutOff)
    await panel.signIn()
    await panel.goto(`/admin/content/talk/${body.data.id}`)
    return panel
  }

  /** As after an upgrade: the page is made of scripts with other names, and the old ones are gone. */
  async function upgrade(page: Page, ...gone: readonly string[]) {
    for (const name of gone) await page.route(scriptsOf(name), (route) => route.fulfill({ status: 404 }))
    await page.route('**/admin', async (route) => {
      const answer = await route.fetch()
      const text = (await answer.text()).replaceAll(/-[A-Z0-9]{8}\.js/g, '-ABCDEFGH.js')
      await route.fulfill({ response: answer, body: text })
    })
  }

  it('are there after "Try again" when a screen could not be fetched at first', async () => {
    const panel = await openTalk()
    const { page } = panel
    await page.route(scriptsOf('releases'), (route) => route.abort())
    await page.getByRole('link', { name: 'Releases' }).click()
    await page.getByText('This page could not be loaded').waitFor()
    await panel.assertAccessible()
    for (const mode of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: mode })
      await panel.screenshot('missing-screen', mode)
    }

    await page.unroute(scriptsOf('releases'))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Releases' }).waitFor()
    await panel.close()
  })

  it('come by themselves when the connection is back, and what was typed beside them stays', async () => {
    for (const width of [1280, 360]) {
      const panel = await openTalk(width)
      const { page } = panel
      await page.getByLabel('Title').fill('Typed before')
      await panel.context.setOffline(true)
      await page.getByRole('button', { name: 'ada' }).click()
      const notice = page.getByRole('alert').filter({ hasText: 'could not be loaded' })
      await notice.waitFor()
      await page.getByLabel('Title').fill('Typed meanwhile')
      await panel.assertAccessible()
      for (const mode of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: mode })
        await panel.screenshot('missing-part', mode)
      }

      await panel.context.setOffline(false)
      await page.getByRole('menu').waitFor()
      await notice.waitFor({ state: 'hidden' })
      await page.keyboard.press('Escape')
      assert.equal(await page.getByLabel('Title').inputValue(), 'Typed meanwhile')
      await panel.close()
    }
  })

  it('offer a reload after an upgrade, which brings back what was typed', async () => {
    const panel = await openTalk()
    const { page } = panel
    await page.getByLabel('Title').fill('Typed before the upgrade')
    await upgrade(page, 'menu-box', 'releases')
    await page.getByRole('button', { name: 'ada' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'The panel has been upgraded' })
    await notice.waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Typed before the upgrade')

    await page.unrouteAll()
    await notice.getByRole('button', { name: 'Reload' }).click()
    await page.getByText(/that were not saved are back/).waitFor()
    assert.equal(await page.getByLabel('Title').inputValue(), 'Typed before the upgrade')

    await upgrade(page, 'releases')
    await page.getByRole('link', { name: 'Releases' }).click()
    await page.getByText('The panel has been upgraded').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Releases' }).waitFor()
    await panel.close()
  })

  it('offer a reload where the browser does not fetch them again', async () => {
    const panel = await openTalk()
    const { page } = panel
    await page.route(scriptsOf('releases'), (route) => route.abort())
    await page.getByRole('link', { name: 'Releases' }).click()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Your browser does not try again').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Releases' }).waitFor()
    await panel.close()
  })
})
