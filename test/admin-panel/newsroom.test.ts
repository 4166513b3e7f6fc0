import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { databasesUnderTest } from '../support/databases.ts'
import { areServicesRequired } from '../support/scope.ts'
import { startBrowser, withoutBrowser } from './browser/browser.ts'
import { englishOn } from './browser/english-texts.ts'
import { assertFocusKept, tabTo } from './browser/keyboard.ts'
import { ada, openPage } from './browser/panel-page.ts'
import { drawPictures } from './newsroom/draw-pictures.ts'
import { guest, mara, type Newsroom, startNewsroom } from './newsroom/newsroom.ts'

const database = (await databasesUnderTest()).some(({ name }) => name === 'postgres') ? 'postgres' : 'sqlite'
if (database === 'sqlite' && areServicesRequired()) throw new Error('there is no PostgreSQL server')

const ferry = 'The night ferry sails again after eleven years'

// The other files run on SQLite; these journeys go through the main things once more on a server.
describe(`a day in the newsroom, on ${database}`, { skip: withoutBrowser }, () => {
  let room: Newsroom
  let browser: Browser

  before(async () => {
    ;[room, browser] = await Promise.all([startNewsroom({ database }), startBrowser()])
  })
  after(async () => {
    await browser?.close()
    await room?.stop()
  })

  const read = async (query = '') =>
    (await room.admin.get(`/api/content/article/${room.ids.get(ferry)}${query}`)).body.data

  it('is done by keyboard alone, from signing in to taking back what was unpublished', async () => {
    const panel = await openPage(browser, room)
    const { page } = panel
    const { keyboard } = page
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
    const dialog = page.getByRole('dialog')
    panel.expect(/401/)

    await panel.goto('/admin')
    await tabTo(page, page.getByLabel('E-mail or username'))
    await keyboard.type(ada.identifier)
    await keyboard.press('Tab')
    await keyboard.type(ada.password)
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home' }).waitFor()

    await keyboard.press('ControlOrMeta+k')
    await dialog.waitFor()
    await keyboard.type('article')
    await dialog.locator('[role=menuitem][data-focused]').getByText('Article', { exact: true }).waitFor()
    await keyboard.press('Enter')
    await page.waitForURL('**/admin/content/article')
    const grid = page.getByRole('grid', { name: 'Article' })
    await grid.getByText('The night ferry').first().waitFor()
    await tabTo(page, grid)
    await tabTo(page, grid.getByRole('row', { name: /^The night ferry/ }), 'ArrowDown')
    await keyboard.press('Enter')

    await page.getByRole('heading', { level: 1, name: 'The night ferry sails again on Friday' }).waitFor()
    await tabTo(page, page.getByLabel('Title'))
    await keyboard.press('End')
    await keyboard.type(' evening')
    const body = page.getByRole('textbox', { name: 'Body' })
    await tabTo(page, body)
    await keyboard.press('ControlOrMeta+Home')
    await keyboard.type('Update: ')
    await tabTo(page, page.getByRole('button', { name: /^Liv Sandberg/ }))
    await keyboard.press('Alt+ArrowDown')
    await page.getByText('Moved to position 2 of 2').waitFor()
    await tabTo(page, page.getByRole('combobox', { name: 'Find: Article' }))
    await keyboard.type('Seals')
    await page
      .getByRole('option', { name: /^(?!Seals)/ })
      .first()
      .waitFor({ state: 'hidden' })
    await page.getByRole('option', { name: /^Seals/ }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page
      .getByRole('group', { name: 'Read on' })
      .getByRole('link', { name: /^Seals/ })
      .waitFor()

    await tabTo(page, button('Remove night-ferry.jpg'), 'Shift+Tab')
    await keyboard.press('Enter')
    await button('Remove night-ferry.jpg').waitFor({ state: 'hidden' })
    await assertFocusKept(page, 'after a picture is removed')
    await tabTo(page, button('Choose from the library'))
    await keyboard.press('Enter')
    await dialog.getByRole('row').first().waitFor()
    const picture = (await drawPictures()).get('seals.jpg')
    assert.ok(picture)
    await tabTo(page, dialog.getByRole('button', { name: 'Upload' }))
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), keyboard.press('Enter')])
    await chooser.setFiles({
      name: 'ferry-at-dusk.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from(picture),
    })
    await dialog.getByText('1 selected').waitFor()
    await tabTo(page, dialog.getByRole('button', { name: 'Choose', exact: true }))
    await keyboard.press('Enter')
    await page
      .getByRole('group', { name: 'Lead picture' })
      .getByRole('link', { name: /^ferry-at-dusk/ })
      .waitFor()
    await assertFocusKept(page, 'after a picture is chosen')

    await keyboard.press('ControlOrMeta+s')
    await page.getByText('Unsaved').waitFor({ state: 'hidden' })
    assert.equal((await read()).title, ferry, 'readers see nothing of it yet')
    await keyboard.press('ControlOrMeta+Enter')
    await dialog.getByText('6 fields are different from what is public').waitFor()
    await tabTo(page, dialog.getByRole('button', { name: 'Publish', exact: true }))
    await keyboard.press('Enter')
    await page.getByText('The entry is public.').waitFor()
    await assertFocusKept(page, 'after publishing')
    const { title, body: text, blocks, related, cover } = await read()
    assert.equal(title, 'The night ferry sails again on Friday evening')
    assert.match(text, /^<p>Update: When the <strong>Aurora/)
    assert.deepEqual(
      blocks.map(({ __component }: { __component: string }) => __component),
      ['story.facts', 'story.quote'],
    )
    assert.equal(related.length, 2)
    assert.ok(cover > Number(room.ids.get('seals.jpg')))

    await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Article', exact: true }), 'Shift+Tab')
    await keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Article' }).waitFor()
    await tabTo(page, grid)
    await tabTo(page, grid.getByRole('row', { name: /^The night ferry/ }), 'ArrowDown')
    await keyboard.press('Space')
    await keyboard.press('Shift+ArrowDown')
    await keyboard.press('Shift+ArrowDown')
    await page.getByText('3 selected', { exact: true }).waitFor()
    await tabTo(page, page.getByRole('toolbar', { name: 'Actions' }), 'Shift+Tab')
    await tabTo(page, button('Unpublish'), 'ArrowLeft')
    await keyboard.press('Enter')
    await tabTo(page, dialog.getByRole('button', { name: 'Unpublish 3 entries' }))
    await keyboard.press('Enter')
    await page.getByText('3 entries are not public any more.').waitFor()
    assert.equal((await read()).published_at, null)
    await assertFocusKept(page, 'after several entries are unpublished')
    await tabTo(page, button('Undo'))
    await keyboard.press('Enter')
    await page.getByText('3 entries are as before.').waitFor()
    assert.notEqual((await read()).published_at, null)
    await panel.close()
  })

  it('speaks nothing but German to those who read German', async () => {
    const panel = await openPage(browser, room, { locale: 'de-DE' })
    const { page } = panel
    const dialog = page.getByRole('dialog')
    const button = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
    const article = `/admin/content/article/${room.ids.get('The last net maker of Fisher Street')}`
    const draft = `/admin/content/article/${room.ids.get('Why the old crane will be painted blue')}`
    const author = `/admin/content/author/${room.ids.get('Mara Lindqvist')}`
    const picture = `/admin/media/${room.ids.get('lamp-room.jpg')}`
    const screens: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['/admin', () => page.getByText('Willkommen', { exact: false }).waitFor()],
      ['/admin', () => page.keyboard.press('Control+k').then(() => dialog.getByText('Abmelden').waitFor())],
      ['/admin/content/article', () => page.getByRole('row').nth(3).waitFor()],
      ['/admin/content/article', () => button('Filter').then(() => page.getByLabel('Feld').waitFor())],
      ['/admin/content/article', () => button('Ansichten').then(() => dialog.waitFor())],
      ['/admin/content/article?trash=1', () => page.getByText('Der Papierkorb ist leer').waitFor()],
      ['/admin/content/article/new', () => page.getByLabel('Title').waitFor()],
      [article, () => page.getByText('Angelegt').first().waitFor()],
      [
        `${article}?panel=history`,
        () =>
          page
            .getByText(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d · ada$/)
            .first()
            .waitFor(),
      ],
      [article, () => button('Weitere Aktionen').then(() => page.getByRole('menu').waitFor())],
      [draft, () => button(/^Veröffentlichen …/).then(() => dialog.getByRole('button').nth(1).waitFor())],
      [
        `${author}?panel=usage`,
        () =>
          page
            .getByRole('link', { name: /^Seals/ })
            .nth(1)
            .waitFor(),
      ],
      ['/admin/media', () => page.getByText('seals.jpg').waitFor()],
      ['/admin/media?layout=list', () => page.getByText('seals.jpg').waitFor()],
      [
        picture,
        () =>
          page
            .getByText(/^\d\d\.\d\d\.\d{4}, \d\d:\d\d$/)
            .first()
            .waitFor(),
      ],
      ['/admin/nothing', () => page.getByRole('heading', { level: 1 }).waitFor()],
    ]
    await panel.signIn()
    const found: Record<string, readonly string[]> = {}
    for (const [path, show] of screens) {
      await panel.goto(path)
      await show()
      const texts = await englishOn(page, ['Title', 'Section', 'Name', 'Event'])
      if (texts.length > 0) found[path] = texts
    }
    assert.deepEqual(found, {})
    await panel.close()
  })

  it('shows a writer and a reader nothing that would be refused to them', async () => {
    const forbidden = {
      [mara.identifier]: /^(Publish|Unpublish|Delete|Discard|Publish at|History|Restore|Trash)/,
      [guest.identifier]:
        /^(Save|Publish|Unpublish|Delete|Discard|History|Restore|Trash|Release|Send|Hand|New|Upload|Replace|Add|Paste|Remove|Crop|Focal|Undo|Redo|Duplicate|Drag|Choose|Describe|Move|Select)/,
    }
    const article = `/admin/content/article/${room.ids.get('What the new storm gates held back')}`
    const screens = [
      '/admin',
      '/admin/content/article',
      '/admin/content/article?trash=1',
      article,
      `${article}?panel=history`,
      `${article}?panel=usage`,
      `/admin/content/event/${room.ids.get('Fish market')}`,
      '/admin/content/imprint',
      '/admin/media',
      `/admin/media/${room.ids.get('seals.jpg')}`,
    ]
    for (const account of [mara, guest]) {
      const panel = await openPage(browser, room)
      const { page } = panel
      // A single entry that nobody has written yet.
      panel.expect(/404.*\/imprint/)
      await panel.signIn(account)
      for (const path of screens) {
        await panel.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        const shown = page.getByRole('button').or(page.getByRole('menuitem')).or(page.getByRole('checkbox'))
        const names = await shown.evaluateAll((all) =>
          all.map((element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim()),
        )
        const wrong = names.filter((name) => forbidden[account.identifier]?.test(name))
        assert.deepEqual(wrong, [], `${account.identifier} at ${path}`)
      }
      await page.keyboard.press('Control+k')
      await page
        .getByRole('dialog')
        .getByRole('searchbox')
        .or(page.getByRole('dialog').getByRole('combobox'))
        .fill('ferry')
      await page
        .getByRole('menuitem', { name: /night ferry/ })
        .first()
        .waitFor()
      await panel.goto('/admin/content/article/new')
      const says = account === guest ? 'article: create' : 'Title'
      await page.getByText(says, { exact: false }).first().waitFor()
      await panel.close()
    }
  })
})
