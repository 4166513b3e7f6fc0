import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { waitInPage } from './wait-in-page.ts'

/** More than any screen needs from one end to the other. */
const mostPresses = 120

/** Presses Tab, or another key, until the element or something in it has the focus; fails where that cannot be seen. */
export async function tabTo(
  page: Page,
  target: Locator,
  key: 'Tab' | 'Shift+Tab' | 'ArrowDown' | 'ArrowLeft' = 'Tab',
) {
  for (let presses = 0; presses < mostPresses && !(await hasFocus(target)); presses++)
    await page.keyboard.press(key)
  assert.ok(await hasFocus(target), `${key} does not lead to ${String(target)}`)
  assert.ok(await page.evaluate(isFocusVisible), `the focus on ${String(target)} cannot be seen`)
}

async function hasFocus(target: Locator): Promise<boolean> {
  return (await target.count()) > 0 && target.first().evaluate((element) => element.matches(':focus-within'))
}

/** Fails if the focus has got lost: whoever works by keyboard would begin at the top again. */
export async function assertFocusKept(page: Page, where: string) {
  await waitInPage(page, 'document.activeElement !== document.body').catch(() => {
    assert.fail(`the focus is lost ${where}`)
  })
}

/** Runs in the page: whether there is a ring around what has the focus, or around what is drawn in its place. */
const isFocusVisible = `(() => {
  const focused = document.activeElement
  const drawn = [focused, focused?.parentElement, focused?.parentElement?.parentElement, focused?.nextElementSibling]
  return drawn.filter(Boolean).some((element) => {
    const { boxShadow, outlineStyle } = getComputedStyle(element)
    return boxShadow !== 'none' || outlineStyle !== 'none'
  })
})()`
