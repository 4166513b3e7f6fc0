import { open } from 'node:fs/promises'
import type { Size } from './size.ts'

/** The identification of files searches no further for the root element either. */
const headBytes = 64 * 1024

/** The size that browsers use for a drawing without one. */
const fallback: Size = { width: 300, height: 150 }

/** CSS units in pixels; font units with the values that browsers use without a font. */
const pixelsOf: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
}

/** Larger than browsers draw, and within the range of the record's column. */
const maxSide = 1_000_000

const length = /^\s*\+?(\d+|\d*\.\d+)(e[+-]?\d{1,3})?([a-z]*)\s*$/i
const viewBoxSeparator = /\s*,\s*|\s+/

/** The size at which a browser shows a standalone SVG; undefined if its root cannot be read or it has no visible size. */
export async function svgSize(path: string): Promise<Size | undefined> {
  const root = await rootAttributes(await headOf(path))
  if (root === undefined) return undefined
  const { width, height } = concreteSize(root)
  const isShown = width > 0 && height > 0 && width <= maxSide && height <= maxSide
  return isShown ? { width: rounded(width), height: rounded(height) } : undefined
}

const rounded = (side: number) => Math.max(1, Math.round(side))

/** CSS default sizing: https://www.w3.org/TR/css-images-3/#default-sizing. */
function concreteSize(root: Readonly<Record<string, string>>): Size {
  const [width, height] = [lengthOf(root.width), lengthOf(root.height)]
  if (width !== undefined && height !== undefined) return { width, height }
  if (/^\s*none/.test(root.preserveAspectRatio ?? '')) return fallback
  const ratio = ratioOf(root.viewBox)
  if (width !== undefined) return { width, height: ratio === undefined ? fallback.height : width / ratio }
  if (height !== undefined) return { height, width: ratio === undefined ? fallback.width : height * ratio }
  if (ratio === undefined) return fallback
  const inside = Math.min(fallback.width, fallback.height * ratio)
  return { width: inside, height: inside / ratio }
}

/** Undefined for relative lengths (per cent, viewport units) and invalid ones. */
function lengthOf(text: string | undefined): number | undefined {
  const [, digits = '', exponent = '', unit = ''] = length.exec(text ?? '') ?? []
  const pixels = pixelsOf[unit.toLowerCase()]
  return digits === '' || pixels === undefined ? undefined : Number(digits + exponent) * pixels
}

function ratioOf(viewBox: string | undefined): number | undefined {
  const numbers = (viewBox ?? '').trim().split(viewBoxSeparator).map(Number)
  const [, , width = 0, height = 0] = numbers
  return numbers.length === 4 && numbers.every(Number.isFinite) && width > 0 && height > 0
    ? width / height
    : undefined
}

async function headOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    // All encodings that are accepted here represent the relevant characters as ASCII.
    return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF?\s*/, '')
  } finally {
    await file.close()
  }
}

/** Undefined if the text is not XML up to the end of its first tag. */
async function rootAttributes(text: string): Promise<Readonly<Record<string, string>> | undefined> {
  const { default: sax } = await import('sax')
  const parser = new sax.SAXParser(true)
  let attributes: Record<string, string> | undefined
  parser.onopentag = (tag) => {
    attributes ??= tag.attributes as Record<string, string>
  }
  // Ignores errors, since some programs use entities for namespace names.
  parser.onerror = () => {
    parser.error = null as unknown as Error
  }
  for (let at = 0; at < text.length && attributes === undefined; at += 1_024) {
    parser.write(text.slice(at, at + 1_024))
  }
  return attributes
}
