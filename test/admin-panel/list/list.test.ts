import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { TestService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { startBrowser, withoutBrowser } from '../browser/browser.ts'
import { inviteAda, lookAt, openPage, type PanelPage } from '../browser/panel-page.ts'
import { startWithStories, storyCount } from './stories.ts'

const path = '/admin/content/story'

/** Runs in the page: what the scripts are as they were sent. */
const scriptBytes = (): number =>
  performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, entry) => sum + Number(Reflect.get(entry, 'encodedBodySize')), 0)

/** A turn of the wheel moves the page over several of them. */
const someFrames = `new Promise((resolve) => {
  let left = 12
  const next = () => (left-- > 0 ? requestAnimationFrame(next) : resolve())
  next()
})`

describe('the list of a type with ten thousand entries', { skip: withoutBrowser }, () => {
  let service: TestService
  let browser: Browser

  before(async () => {
    ;[service, browser] = await Promise.all([startWithStories(), startBrowser()])
    await inviteAda(service)
    // Builds the panel, which may take longer than a page waits.
    await fetch(`${service.url}/admin`)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const open = async (query = ''): Promise<PanelPage> => {
    const panel = await openPage(browser, service)
    await panel.signIn()
    await panel.goto(path + query)
    await firstRow(panel.page).waitFor()
    return panel
  }
  const firstRow = (page: Page) => page.getByRole('row').nth(1)
  const counted = (page: Page, count: number) =>
    page
      .getByText(`${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`, { exact: true })
      .waitFor()

  it('stands after three requests, and keeps few rows in the page however far one scrolls', async () => {
    const panel = await openPage(browser, service)
    const { page } = panel
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await panel.signIn()
    await page.goto(path)
    await page.getByRole('row', { name: `Story ${storyCount}` }).waitFor()
    // Beside the token for the cookie, and the colours and the name of the theme, which are the page's own; and beside
    // what no list waits for: the events, and the count of the inbox.
    const others = /auth\/token|admin\/(theme|events|inbox)/
    const own = asked.filter((each) => each.startsWith('/api/') && !others.test(each))
    assert.deepEqual(own.slice(0, 3).sort(), [
      '/api/admin/content-types',
      '/api/admin/panel',
      '/api/content/story',
    ])
    await counted(page, storyCount)
    await assertFew(page)
    const bytes = await page.evaluate(scriptBytes)
    assert.ok(bytes <= 200 * 1024, `${bytes} bytes of scripts`)
    await page.getByRole('row', { name: `Story ${storyCount}` }).hover()
    const ofLaterPages = page.getByRole('row', { name: /^Story 9([0-7]\d|8[0-4])\d/ }).first()
    await until(async () => {
      await page.mouse.wheel(0, 1_000)
      return ofLaterPages.isVisible()
    })
    await assertFew(page)
    // Titles of writers come together, not one a row.
    assert.ok(asked.filter((each) => each === '/api/content/writer').length <= 5)
    await panel.close()
  })

  async function assertFew(page: Page) {
    assert.ok((await page.getByRole('row').count()) <= 60)
    assert.ok(Number(await page.evaluate('document.querySelectorAll("*").length')) <= 2_500)
  }

  it('is where it was, with the focus on the row that was opened, when one comes back from an entry', async () => {
    const panel = await open()
    const { page } = panel
    const row = page.getByRole('row', { name: /^Story 9650\b/ })
    await page.getByRole('row', { name: `Story ${storyCount}` }).hover()
    await until(async () => {
      await page.evaluate(someFrames)
      if ((await row.count()) > 0) return true
      // Where nothing has been loaded yet, there is nothing to go by; a wheel that turned too far turns back.
      const [shown = ''] = await page.getByRole('row', { name: /^Story \d/ }).allInnerTexts()
      const number = Number(/Story (\d+)/.exec(shown)?.[1])
      if (number > 0) await page.mouse.wheel(0, number > 9650 ? 800 : -800)
      return false
    })
    await row.scrollIntoViewIfNeeded()
    const top = async () => (await row.boundingBox())?.y ?? 0
    const title = page.getByRole('heading', { level: 1, name: 'Story 9650' })
    await row.click()
    await title.waitFor()
    await page.goBack()
    await row.and(page.locator(':focus')).waitFor()
    const first = await top()
    assert.ok(first > 0 && first < 860, `the row is at ${first}`)
    await page.keyboard.press('Enter')
    await title.waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Stories' }).click()
    await row.and(page.locator(':focus')).waitFor()
    assert.ok(Math.abs((await top()) - first) <= 1, 'it is at the same place')
    await panel.close()
  })

  it('is filtered through a relation and by people; back, forward and the address show the same', async () => {
    const panel = await open()
    const { page } = panel
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Field').selectOption({ label: 'Writer › Name' })
    await page.getByLabel('Value').fill('grac')
    await counted(page, storyCount / 2)
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Place' }).click()
    await page.getByRole('row', { name: 'Story 1', exact: true }).waitFor()
    await panel.assertAccessible()
    const address = page.url()
    await page.goBack()
    await page.getByRole('row', { name: `Story ${storyCount - 1}`, exact: true }).waitFor()
    await page.goBack()
    await counted(page, storyCount)
    await page.goForward()
    await page.goForward()
    assert.equal(page.url(), address)
    await page.reload()
    await page.getByRole('row', { name: 'Story 1', exact: true }).waitFor()
    await counted(page, storyCount / 2)
    await page.getByRole('button', { name: 'Remove: Writer › Name contains grac' }).click()
    await counted(page, storyCount)

    const users = (await service.admin.get('/api/admin/users')).body.data
    const userId = users.find(({ username }: { username: string }) => username === 'ada').id
    const [{ id }] = (await service.admin.get('/api/content/story?filters[title]=Story 7')).body.data
    const assigned = await service.admin.post(`/api/content/story/${id}/assignments`, {
      userId,
      role: 'editor',
    })
    assert.equal(assigned.status, 201)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Field').selectOption({ label: 'Assigned to' })
    await page.getByRole('dialog').getByText('ada', { exact: true }).click()
    await counted(page, 1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove: Assigned to is one of ada' }).click()
    await counted(page, storyCount)
    await panel.close()
  })

  it('says beside a filter what is wrong with it', async () => {
    const panel = await openPage(browser, service)
    panel.expect(/400/)
    await panel.signIn()
    await panel.goto(`${path}?f=rank:gt:many&f=title:eq:x&f=nothing:eq:1`)
    const filters = panel.page.getByRole('list', { name: 'Filters' }).getByRole('listitem')
    await filters.filter({ hasText: 'Place is greater than many' }).getByRole('alert').waitFor()
    await filters.filter({ hasText: 'nothing is exactly 1' }).getByText('no field nothing').waitFor()
    assert.equal(await filters.filter({ hasText: 'Title is exactly x' }).getByRole('alert').count(), 0)
    await panel.assertAccessible()
    await panel.close()
  })

  it('is walked, sorted and selected by keyboard; Enter opens an entry', async () => {
    const panel = await open('?f=rank:lte:5')
    const { page } = panel
    await counted(page, 5)
    await firstRow(page).focus()
    await page.keyboard.press(' ')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('3 selected', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').waitFor()
    await page.evaluate('globalThis.isSamePage = true')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/content\/story\/\d+$/)
    assert.ok(await page.evaluate('globalThis.isSamePage'), 'the page is not loaded anew')
    await panel.close()
  })

  it('has columns to choose, whose widths and order are in the address', async () => {
    const panel = await open('?cols=rank:200,title')
    const { page } = panel
    const headings = () => page.getByRole('columnheader').allInnerTexts()
    assert.deepEqual((await headings()).filter(Boolean), ['Place', 'Title'])
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Mood' }).press('Space')
    await page.getByRole('button', { name: 'Move “Mood” up' }).click()
    await page.keyboard.press('Escape')
    assert.equal(new URL(page.url()).searchParams.get('cols'), 'rank:200,mood,title')
    assert.deepEqual((await headings()).filter(Boolean), ['Place', 'Mood', 'Title'])
    await panel.close()
  })

  it('is accessible and in order in light and dark, wide and narrow', async () => {
    await lookAt(browser, service, {
      name: 'list',
      path: `${path}?f=writer:in:1&state=draft`,
      ready: (page) => counted(page, storyCount / 2),
    })
  })
})
