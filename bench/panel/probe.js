/* Runs in the page that is measured, before its own scripts. Times are milliseconds. */

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

/** After what the next frame shows has been painted. */
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
  /** From the beginning of the navigation until something that matches is painted. */
  shown,
  /** How long it takes from an act until something that matches is painted, which must not be there before. */
  async timeTo(act, selector) {
    if (document.querySelector(selector) !== null) throw new Error(`${selector} is there already`)
    const startedAt = performance.now()
    act()
    return (await shown(selector)) - startedAt
  },
  /** How long each frame takes while a list scrolls by a step a frame. */
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
  /** Begins to note how long it takes from each key until its frame is painted; returns what gives the times. */
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
