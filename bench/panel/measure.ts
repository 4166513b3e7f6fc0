import { join } from 'node:path'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { median } from '../throughput.ts'

const probe = join(import.meta.dirname, 'probe.js')

/** The slowdown that simulates a laptop some years old. */
const slowdown = 4

const scrolling = { frames: 120, step: 90 }
const typed = 'the quick brown fox jumps over the lazy dog and back'

/** The panel or the floor, with their differences. */
export interface Side {
  readonly name: 'panel' | 'floor'
  readonly url: string
  /** Signs a fresh browser profile in. */
  readonly prepare?: (page: Page) => Promise<void>
  readonly list: Place
  readonly longList: Place
  readonly entry: Place
  /** Script run in the page to go to a place without reloading; `to` is its path. */
  readonly go: (to: Place) => string
  /** The selector of the input to type into. */
  readonly input: string
}

/** A path, and a selector that matches once its content is shown. */
export interface Place {
  readonly path: string
  readonly shown: string
}

/** Durations in milliseconds, by measurement. */
export type Times = Readonly<Record<Measured, number>>

export const measured = {
  cold: 'a list, first visit',
  warm: 'a list, files cached',
  back: 'back to a list',
  entry: 'back to an entry of 100 fields',
  scrollMedian: 'frame while scrolling, median',
  scrollSlow: 'frame while scrolling, p95',
  keyMedian: 'key until painted, median',
  keySlow: 'key until painted, p95',
  keyWork: 'work of the main thread a key',
} as const

export type Measured = keyof typeof measured

/** Visits all places once in a new browser profile. */
export async function measureSide(browser: Browser, side: Side): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  const page = await context.newPage()
  await page.addInitScript({ path: probe })
  await side.prepare?.(page)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const cold = await timeVisit(page, side, side.list)
  const warm = await timeVisit(page, side, side.list)
  const times = {
    cold,
    warm,
    ...(await timeScreens(page, side)),
    ...(await timeScrolling(page, side)),
    ...(await timeTyping(page, side, devtools)),
  }
  await context.close()
  return times
}

/** From the start of the navigation until the place is painted. */
async function timeVisit(page: Page, { url }: Side, { path, shown }: Place): Promise<number> {
  await page.goto(url + path, { waitUntil: 'commit' })
  return page.evaluate<number>(`probe.shown(${JSON.stringify(shown)})`)
}

/** Measures navigation between visited screens, without reloading. */
async function timeScreens(page: Page, side: Side) {
  const goTo = (place: Place) =>
    page.evaluate<number>(`probe.timeTo(() => { ${side.go(place)} }, ${JSON.stringify(place.shown)})`)
  await goTo(side.entry)
  const back: number[] = []
  const entry: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    back.push(await goTo(side.list))
    entry.push(await goTo(side.entry))
  }
  return { back: median(back), entry: median(entry) }
}

async function timeScrolling(page: Page, side: Side) {
  await timeVisit(page, side, side.longList)
  const frames = await page.evaluate<number[]>(
    `probe.scroll(${JSON.stringify(side.longList.shown)}, ${JSON.stringify(scrolling)})`,
  )
  return { scrollMedian: median(frames), scrollSlow: slowest(frames) }
}

async function timeTyping(page: Page, side: Side, devtools: CDPSession) {
  await timeVisit(page, side, side.entry)
  const input = page.locator(side.input)
  await input.press('End')
  // The first key also makes the page show unsaved changes.
  await page.keyboard.type('a ')
  await page.evaluate('probe.watchKeys()')
  await devtools.send('Performance.enable')
  const before = await workOf(devtools)
  await page.keyboard.type(typed, { delay: 60 })
  const work = (await workOf(devtools)) - before
  const keys = await page.evaluate<number[]>('keyTimes')
  return { keyMedian: median(keys), keySlow: slowest(keys), keyWork: work / typed.length }
}

/** Milliseconds of work on the main thread so far. */
async function workOf(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

const slowest = (times: readonly number[]): number =>
  [...times].sort((left, right) => left - right)[Math.floor(times.length * 0.95)] ?? 0
