import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { createVisits } from './at-rest.ts'

/** What somebody meets who opens everything. Addresses are those below `/admin`. */
export interface Walk {
  /** The names of all that could be pressed or chosen, wherever that was. */
  readonly names: ReadonlySet<string>
  /** What was refused, broken or not there, after the address that it happened at. */
  readonly problems: readonly string[]
  /** Opens a screen as somebody does who types its address: it may be that of a plugin that is off. */
  open(address: string): Promise<void>
  /** Opens all panels, menus and dialogs of the screen that is open. */
  openAll(): Promise<void>
  /** Opens one link to each screen that was not opened yet: none may lead to a plugin that is off. */
  followLinks(): Promise<void>
}

interface Seen {
  readonly names: readonly string[]
  readonly links: readonly string[]
  readonly text: string
}

/** Long enough for what has come to be drawn, and to ask for more. */
const quietMs = 80

const isOff = /It needs the plugin .+?\./
const broken = /This part of the page has failed|There is nothing here|Your role does not include this/g

/** Walks through the panel, which `page` shows already, by its own router. `screens`: their paths in the sources. */
export function walkThrough(page: Page, screens: readonly string[]): Walk {
  const names = new Set<string>()
  const problems: string[] = []
  const opened = new Set<string>()
  /** By the screens that they lead to. */
  const links = new Map<string, { readonly to: string; readonly from: string }>()
  const patterns = screens.map((path) => [path, patternOf(path)] as const)
  const screenAt = (path: string) => patterns.find(([, pattern]) => pattern.test(path))?.[0] ?? path
  const { rest } = createVisits(page, quietMs)
  let here = '/'
  page.on('response', (answer) => {
    if (answer.status() >= 400) problems.push(`${here}: ${answer.status()} ${answer.url()}`)
  })

  /** Nothing is asked for, and nothing keeps a place: React shows what has come up to a third of a second later. */
  async function settle() {
    await rest()
    await page.getByLabel('Loading…').first().waitFor({ state: 'detached' })
  }

  async function look(): Promise<string> {
    await settle()
    const seen = (await page.evaluate(`(${readControls})()`)) as Seen
    for (const name of seen.names) names.add(name)
    for (const to of seen.links) {
      const screen = screenAt(to)
      if (!links.has(screen)) links.set(screen, { to, from: here })
    }
    for (const [text] of seen.text.matchAll(broken)) problems.push(`${here}: ${text}`)
    return seen.text
  }

  async function open(address: string): Promise<string> {
    here = address
    opened.add(screenAt(new URL(address, 'http://panel').pathname))
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/admin${address}`)})`)
    return look()
  }

  /** What is open over the page. */
  const boxes = page.locator('dialog[open], [role=dialog], [role=alertdialog], [role=menu]')

  /** Presses what opens something, looks at that, and closes it. */
  async function press(control: Locator) {
    await control.click()
    await boxes.first().waitFor()
    await look()
    for (let tries = 3; tries > 0 && (await boxes.count()) > 0; tries--) {
      await page.keyboard.press('Escape')
      await settle()
    }
    assert.equal(await boxes.count(), 0, `${here}: what ${control} has opened does not close`)
  }

  async function pressEach(buttons: Locator, pressOne: (button: Locator) => Promise<void>) {
    const count = await buttons.count()
    for (let index = 0; index < count; index++) {
      const button = buttons.nth(index)
      if ((await button.isVisible()) && (await button.isEnabled())) await pressOne(button)
    }
  }

  /** Opens a menu, and what its items lead to that ask for more. */
  async function pressMenu(button: Locator) {
    const items = page.getByRole('menuitem')
    await button.click()
    await boxes.first().waitFor()
    const asking = (await items.allTextContents()).filter((name) => name.endsWith('…'))
    await page.keyboard.press('Escape')
    await press(button)
    for (const name of asking) {
      await button.click()
      await press(items.filter({ hasText: name }))
    }
  }

  async function openAll() {
    const main = page.locator('main')
    const closed = main.locator('button[aria-expanded=false]:not([aria-haspopup])')
    while ((await closed.count()) > 0) {
      await closed.first().click()
      await settle()
    }
    await look()
    await pressEach(main.locator('button[aria-haspopup]:not([aria-haspopup=listbox])'), pressMenu)
    await pressEach(main.getByRole('button', { name: /…$/ }), press)
  }

  return {
    names,
    problems,
    openAll,
    async open(address) {
      await open(address)
    },
    async followLinks() {
      for (;;) {
        const next = [...links].find(([screen]) => !opened.has(screen))
        if (next === undefined) return
        const { to, from } = next[1]
        const [said] = isOff.exec(await open(to)) ?? []
        if (said !== undefined) problems.push(`${from}: ${to} says: ${said}`)
      }
    },
  }
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace('/*?', '(/.*)?')}$`)

/** Runs in the page. */
const readControls = `() => {
  const nameOf = (element) => element.getAttribute('aria-label') ?? element.textContent ?? ''
  const controls = document.querySelectorAll('a, button, label, option, [role^=menuitem], [role=tab], [role=option]')
  const links = [...document.querySelectorAll('a[href]')].filter(({ origin }) => origin === location.origin)
  return {
    names: [...controls].map((element) => nameOf(element).trim()).filter((name) => name !== ''),
    links: links.flatMap(({ pathname }) => /^\\/admin(\\/|$)/.test(pathname) ? [pathname.slice(6) || '/'] : []),
    text: document.body.innerText,
  }
}`
