import type { Page } from 'playwright-core'

/** What a browser shows of an image. */
export interface Shown {
  readonly width: number
  readonly height: number
  /** Mean colours of small areas, as red, green, blue and alpha; they are at the same places of every image. */
  readonly colours: readonly (readonly number[])[]
}

/** Of the areas, as shares of the width and height. */
const places = [
  [0.1, 0.1],
  [0.5, 0.5],
  [0.9, 0.6],
  [0.3, 0.95],
]

/** Runs in the page. A canvas has limits of its own, so that long images are drawn smaller. */
const show = `async (source) => {
  const image = new Image()
  const isShown = new Promise((resolve) => {
    image.onload = () => resolve(true)
    image.onerror = () => resolve(false)
  })
  image.src = source
  if (!(await isShown)) return undefined
  const { naturalWidth: width, naturalHeight: height } = image
  const scale = Math.min(1, 4000 / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(width * scale)
  canvas.height = Math.ceil(height * scale)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const [across, down] = [Math.ceil(canvas.width / 25), Math.ceil(canvas.height / 25)]
  const colours = ${JSON.stringify(places)}.map(([x, y]) => {
    const [left, top] = [Math.floor(canvas.width * x - across / 2), Math.floor(canvas.height * y - down / 2)]
    const { data } = context.getImageData(left, top, across, down)
    const means = [0, 0, 0, 0]
    for (const [index, value] of data.entries()) means[index % 4] += value / (data.length / 4)
    return means.map(Math.round)
  })
  return { width, height, colours }
}`

/** Has a browser show an image; undefined where it shows none. */
export function showIn(page: Page, bytes: Uint8Array, type: string): Promise<Shown | undefined> {
  const source = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
  return page.evaluate(`(${show})(${JSON.stringify(source)})`)
}
