import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { createVisits } from '../browser/at-rest.ts'
import { startBrowser } from '../browser/browser.ts'
import { ada } from '../browser/panel-page.ts'
import { startNewsroom } from './newsroom.ts'

/*
 *   npm run docs:pictures
 *
 * Takes the pictures of the panel that the documentation shows. Look at them before you commit them.
 */
const folder = join(import.meta.dirname, '../../../docs/images')

interface Picture {
  readonly path: string
  readonly show: (page: Page) => Promise<unknown>
}

const [room, browser] = await Promise.all([startNewsroom(), startBrowser()])
const article = `/admin/content/article/${room.ids.get('The night ferry sails again after eleven years')}`

const pictures: Readonly<Record<string, Picture>> = {
  'panel-list': {
    path: '/admin/content/article?cols=title:320,cover,section,author,_publication,_locales',
    show: (page) => page.getByRole('row').nth(10).waitFor(),
  },
  'panel-entry': {
    path: `${article}?panel=history`,
    show: (page) => page.getByText('Draft saved').waitFor(),
  },
  'panel-blocks': {
    path: article,
    async show(page) {
      const zone = page.getByRole('group', { name: 'Beside the text' })
      await zone.locator('[aria-expanded]:not([aria-haspopup])').first().click()
      await page.getByRole('group', { name: 'Lead picture' }).evaluate((element) => element.scrollIntoView())
      await page.mouse.wheel(0, -160)
      await zone.getByRole('textbox', { name: 'Text' }).waitFor()
    },
  },
  'panel-publish': {
    path: article,
    async show(page) {
      await page.getByRole('button', { name: 'Publish…', exact: true }).click()
      await page.getByRole('dialog').getByText('4 fields are different').waitFor()
    },
  },
  'panel-media': {
    path: '/admin/media',
    show: (page) => page.getByRole('row').nth(9).waitFor(),
  },
  'panel-palette': {
    path: '/admin',
    async show(page) {
      await page.getByRole('button', { name: 'Search and commands' }).click()
      await page.getByRole('dialog').getByRole('searchbox').fill('har')
      await page.getByRole('menuitem').nth(1).waitFor()
    },
  },
}

const context = await browser.newContext({
  baseURL: room.url,
  locale: 'en-GB',
  viewport: { width: 1280, height: 800 },
  reducedMotion: 'reduce',
})
await context.request.post('/api/admin/auth/login', { data: ada })
for (const [name, { path, show }] of Object.entries(pictures)) {
  const page = await context.newPage()
  const { goto, rest } = createVisits(page)
  await goto(path)
  await show(page)
  await rest()
  // A palette of 160 colours is enough for a screen, and a quarter of the bytes.
  const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  const { size } = await sharp(shot)
    .png({ palette: true, colours: 160, effort: 10 })
    .toFile(join(folder, `${name}.png`))
  console.log(`${name}.png: ${Math.round(size / 1000)} KB`)
  await page.close()
}
await browser.close()
await room.stop()
