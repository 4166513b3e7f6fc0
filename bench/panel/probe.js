/* Runs in the measured page before its own scripts. Times are in milliseconds. */

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** Resolves after the next frame has been painted. */
const painted = async () => {
  await nextFrame()
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = resolve
    port2.postMessage(undefined)
  })
  return performance.now()
}

async function shown(selector) {
  while (document.querySelector(selector) === null) await nextFrame()
  return painted()
}

function scrollerOf(element) {
  for (let each = element; each !== null; each = each.parentElement) {
    const isScrolled = /auto|scroll/.test(getComputedStyle(each).overflowY)
    if (isScrolled && each.scrollHeight > each.clientHeight) return each
  }
  return document.scrollingElement
}

globalThis.probe = {
  /** The time from the start of the navigation until a matching element is painted. */
  shown,
  /** The time from an action until a matching element is painted, which must not exist before. */
  async timeTo(act, selector) {
    if (document.querySelector(selector) !== null) throw new Error(`${selector} is there already`)
    const startedAt = performance.now()
    act()
    return (await shown(selector)) - startedAt
  },
  /** The duration of each frame while a list scrolls by one step per frame. */
  async scroll(selector, { frames, step }) {
    const scroller = scrollerOf(document.querySelector(selector))
    const times = []
    let before = await nextFrame()
    for (let count = 0; count < frames; count++) {
      scroller.scrollTop += step
      const now = await nextFrame()
      times.push(now - before)
      before = now
    }
    return times
  },
  /** Starts to record the time from each key press until its frame is painted; returns a function that returns the times. */
  watchKeys() {
    const times = []
    addEventListener(
      'keydown',
      async () => {
        const startedAt = performance.now()
        times.push((await painted()) - startedAt)
      },
      { capture: true },
    )
    globalThis.keyTimes = times
  },
}
