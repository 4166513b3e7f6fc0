/** A piece of the new text: literal, or an offset and length to copy from the base. */
type Piece = string | readonly [offset: number, length: number]

/** Minimum characters for a copy from the base; shorter ones cost more space than they save. */
const blockLength = 32

/**
 * Encodes `text` as a delta to `base`: JSON that is small if the texts differ little, wherever they differ.
 * @see applyDelta
 */
export function makeDelta(base: string, text: string): string {
  const limit = Math.min(base.length, text.length)
  let start = 0
  while (start < limit && base.charCodeAt(start) === text.charCodeAt(start)) start += 1
  let common = 0
  while (common < limit - start && isSameFromEnd(base, text, common)) common += 1
  const pieces: Piece[] = [
    [0, start],
    ...piecesBetween(base, start, base.length - common, text.slice(start, text.length - common)),
    [base.length - common, common],
  ]
  return JSON.stringify(pieces.filter((piece) => (typeof piece === 'string' ? piece : piece[1])))
}

/** Restores the text that `delta` was made from; `base` must be the same. */
export function applyDelta(base: string, delta: string): string {
  const pieces = JSON.parse(delta) as readonly Piece[]
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : base.slice(piece[0], piece[0] + piece[1])))
    .join('')
}

function isSameFromEnd(base: string, text: string, distance: number): boolean {
  return base.charCodeAt(base.length - 1 - distance) === text.charCodeAt(text.length - 1 - distance)
}

/** Finds blocks of the base in the part of the text between the common start and end. */
function piecesBetween(base: string, from: number, to: number, text: string): Piece[] {
  const pieces: Piece[] = []
  const blocks = indexBlocks(base, from, to)
  let told = 0
  let place = 0
  const hash = new RollingHash(text)
  while (blocks.size > 0 && place + blockLength <= text.length) {
    const offset = blocks.get(hash.at(place))
    const length = offset === undefined ? 0 : commonLength(base, text, { offset, place, to })
    if (offset === undefined || length < blockLength) {
      place += 1
      continue
    }
    pieces.push(text.slice(told, place), [offset, length])
    place += length
    told = place
  }
  pieces.push(text.slice(told))
  return pieces
}

function indexBlocks(base: string, from: number, to: number): ReadonlyMap<number, number> {
  const blocks = new Map<number, number>()
  const hash = new RollingHash(base)
  for (let offset = from; offset + blockLength <= to; offset += blockLength) {
    const key = hash.at(offset)
    if (!blocks.has(key)) blocks.set(key, offset)
  }
  return blocks
}

function commonLength(
  base: string,
  text: string,
  { offset, place, to }: { readonly offset: number; readonly place: number; readonly to: number },
): number {
  const limit = Math.min(to - offset, text.length - place)
  let length = 0
  while (length < limit && base.charCodeAt(offset + length) === text.charCodeAt(place + length)) length += 1
  return length
}

const factor = 16_777_619
const outFactor = Array.from({ length: blockLength }).reduce<number>((power) => Math.imul(power, factor), 1)

/** The hash of a block; moves on by one character at the cost of two multiplications. */
class RollingHash {
  readonly #text: string
  #place = -2
  #hash = 0

  constructor(text: string) {
    this.#text = text
  }

  at(place: number): number {
    if (place === this.#place + 1) {
      const out = this.#text.charCodeAt(this.#place)
      const added = this.#text.charCodeAt(place + blockLength - 1)
      this.#hash = (Math.imul(this.#hash, factor) + added - Math.imul(out, outFactor)) | 0
    } else if (place !== this.#place) {
      this.#hash = 0
      for (let index = place; index < place + blockLength; index += 1) {
        this.#hash = (Math.imul(this.#hash, factor) + this.#text.charCodeAt(index)) | 0
      }
    }
    this.#place = place
    return this.#hash
  }
}
