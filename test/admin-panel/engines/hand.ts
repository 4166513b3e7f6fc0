import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { until } from '../../support/until.ts'
import type { Engine } from './engine.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Somebody who uses a page by mouse and keyboard. What is looked for is waited for, by its role and its whole name. */
export interface Hand {
  open(address: string): Promise<void>
  sees(role: string, name: string): Promise<void>
  presses(role: string, name: string): Promise<void>
  types(text: string): Promise<void>
  /** Gives a field of files a picture of one colour. */
  givesPicture(fileName: string): Promise<void>
  /** Presses keys together. */
  strikes(...keys: readonly (keyof typeof keyCodes)[]): Promise<void>
  /** Waits until an expression is true in the page. */
  waitsFor(expression: string): Promise<void>
}

/** Those without a character, after https://www.w3.org/TR/webdriver2/#keyboard-actions */
const keyCodes = { Control: '\uE009', Enter: '\uE007', Up: '\uE013', Right: '\uE014', a: 'a', s: 's' }

interface Point {
  readonly x: number
  readonly y: number
}

export function createHand(engine: Engine): Hand {
  /** The middle of what is looked for, once it stands still and nothing lies over it. */
  async function find(role: string, name: string): Promise<Point> {
    const looking = `typeof axe === 'undefined' ? 'bare' : (${locate})(${JSON.stringify({ role, name })})`
    let found: Point | 'bare' | null = null
    await until(async () => {
      found = await engine.evaluate<typeof found>(looking)
      // Each page that is opened has to be told anew how to find things by their roles.
      if (found === 'bare') await engine.evaluate(`(() => { ${axeSource} })()`)
      return found !== 'bare' && found !== null
    }, `${role} “${name}”`)
    return found as unknown as Point
  }

  const pressAt = ({ x, y }: Point) =>
    engine.perform([
      {
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ])

  const useKeys = (actions: readonly (readonly ['keyDown' | 'keyUp', string])[]) =>
    engine.perform([
      { type: 'key', id: 'keyboard', actions: actions.map(([type, value]) => ({ type, value })) },
    ])

  return {
    async open(address) {
      // Firefox gives up what is still being loaded for the page that is left, which is an error there.
      await until(
        () => engine.evaluate<boolean>(`document.querySelector('[aria-label="Loading…"]') === null`),
        'all is loaded',
      )
      await engine.open(address)
    },
    async sees(role, name) {
      await find(role, name)
    },
    async presses(role, name) {
      // What comes late moves what is there: where the press has met something else, it is looked for again.
      await until(async () => {
        await pressAt(await find(role, name))
        return engine.evaluate<boolean>('window.isMissed !== true')
      }, `${role} “${name}” is pressed`)
    },
    givesPicture: (fileName) => engine.evaluate(`(${givePicture})(${JSON.stringify(fileName)})`),
    async types(text) {
      // A window that has just been opened may have it in its bar of addresses for a moment.
      await until(() => engine.evaluate<boolean>('document.hasFocus()'), 'the page has the focus')
      await useKeys([...text].flatMap((key) => [['keyDown', key] as const, ['keyUp', key] as const]))
    },
    strikes(...keys) {
      const codes = keys.map((key) => keyCodes[key])
      return useKeys([
        ...codes.map((code) => ['keyDown', code] as const),
        ...codes.map((code) => ['keyUp', code] as const),
      ])
    },
    waitsFor: (expression) => until(() => engine.evaluate<boolean>(expression), expression),
  }
}

/** Runs in the page. A point between two places of something that moves is not where it is a moment later. */
const locate = `async ({ role, name }) => {
  const places = 'a, button, input, textarea, select, h1, h2, h3, label, [role], [contenteditable]'
  const { aria, text } = axe.commons
  axe.setup(document)
  const element = [...document.querySelectorAll(places)].find(
    (place) => place.checkVisibility() && aria.getRole(place) === role && text.accessibleText(place).trim() === name,
  )
  axe.teardown()
  if (element === undefined || element.matches(':disabled, [aria-disabled=true]')) return null
  element.scrollIntoView({ block: 'center', inline: 'nearest' })
  const middle = () => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
  }
  const before = middle()
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  const { x, y } = middle()
  const isMet = (met) => element.contains(met) || element.labels?.[0]?.contains(met)
  if (x !== before.x || y !== before.y || !isMet(document.elementFromPoint(x, y))) return null
  const notice = ({ target }) => Object.assign(window, { isMissed: !isMet(target) })
  addEventListener('pointerdown', notice, { capture: true, once: true })
  return { x, y }
}`

/** Runs in the page: the dialog to choose files is none of a page, and each browser drives it in its own way. */
const givePicture = `async (fileName) => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 30 })
  canvas.getContext('2d').fillRect(0, 0, 40, 30)
  const blob = await new Promise((resolve) => canvas.toBlob(resolve))
  const files = new DataTransfer()
  files.items.add(new File([blob], fileName, { type: 'image/png' }))
  const input = document.querySelector('input[type=file]')
  input.files = files.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}`
