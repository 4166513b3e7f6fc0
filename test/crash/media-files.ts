import { createHash } from 'node:crypto'
import sharp from 'sharp'

/** A file that clients upload. */
export interface SampleFile {
  readonly extension: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly hash: string
  /** Pixels; null for what is no image. */
  readonly width: number | null
}

export const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Images whose thumbnails take a while, and a text. */
export async function sampleFiles(): Promise<SampleFile[]> {
  const images = [
    await image({ width: 1_600, height: 1_200, extension: 'png', colour: 40 }),
    await image({ width: 1_300, height: 900, extension: 'jpeg', colour: 120 }),
    await image({ width: 1_100, height: 1_400, extension: 'webp', colour: 220 }),
  ]
  const text = new TextEncoder().encode(
    Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join('\n'),
  )
  return [...images, { extension: 'txt', bytes: text, hash: hashOf(text), width: null }]
}

interface ImageOptions {
  readonly width: number
  readonly height: number
  readonly extension: 'png' | 'jpeg' | 'webp'
  readonly colour: number
}

async function image({ width, height, extension, colour }: ImageOptions): Promise<SampleFile> {
  const create = { width, height, channels: 3, background: { r: colour, g: 90, b: 30 } } as const
  const bytes = new Uint8Array(await sharp({ create }).toFormat(extension).toBuffer())
  return { extension, bytes, hash: hashOf(bytes), width }
}
