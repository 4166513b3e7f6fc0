import type { Curve, Primaries } from './colour-spaces.ts'

type Vector = readonly [number, number, number]
type Matrix = readonly [Vector, Vector, Vector]

/** The white point of profiles, D50, as XYZ. */
const profileWhite: Vector = [0.9642, 1, 0.8249]

/** Converts XYZ to cone responses after Bradford. */
const bradford: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

const curvePoints = 4_096

/**
 * Creates an ICC profile (version 2, matrix and curves) for colours that a file describes in another way:
 * https://www.color.org/specification/ICC.1-2022-05.pdf. Without primaries it is a greyscale profile.
 */
export function iccProfile(curve: Curve, primaries?: Primaries): Buffer {
  const tags: [string, Buffer][] = [
    ['desc', description('Mortise')],
    ['cprt', tag('text', Buffer.from('CC0\0'))],
    ['wtpt', xyz(profileWhite)],
  ]
  const curveTag = sampled(curve)
  if (primaries === undefined) tags.push(['kTRC', curveTag])
  else {
    const columns = transpose(colourants(primaries))
    for (const [index, name] of ['r', 'g', 'b'].entries()) {
      tags.push([`${name}XYZ`, xyz(columns[index] as Vector)], [`${name}TRC`, curveTag])
    }
  }
  return assemble(tags, primaries === undefined ? 'GRAY' : 'RGB ')
}

function assemble(tags: readonly [string, Buffer][], space: string): Buffer {
  const table = Buffer.alloc(4 + 12 * tags.length)
  table.writeUInt32BE(tags.length)
  const places = new Map<Buffer, number>()
  let end = 128 + table.length
  for (const [index, [name, content]] of tags.entries()) {
    const at = places.get(content) ?? end
    if (at === end) end += content.length
    places.set(content, at)
    table.write(name, 4 + 12 * index, 'latin1')
    table.writeUInt32BE(at, 8 + 12 * index)
    table.writeUInt32BE(content.length, 12 + 12 * index)
  }
  return Buffer.concat([header(end, space), table, ...places.keys()])
}

function header(size: number, space: string): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.writeUInt32BE(size)
  bytes.writeUInt32BE(0x02400000, 8)
  bytes.write(`mntr${space}XYZ `, 12, 'latin1')
  for (const [index, value] of [2026, 1, 1].entries()) bytes.writeUInt16BE(value, 24 + 2 * index)
  bytes.write('acsp', 36, 'latin1')
  writeXyz(bytes, 68, profileWhite)
  return bytes
}

/** Padded, since tags begin at multiples of four. */
function tag(type: string, content: Buffer): Buffer {
  const bytes = Buffer.alloc(Math.ceil((8 + content.length) / 4) * 4)
  bytes.write(type, 'latin1')
  content.copy(bytes, 8)
  return bytes
}

function description(text: string): Buffer {
  const content = Buffer.alloc(4 + text.length + 1 + 78)
  content.writeUInt32BE(text.length + 1)
  content.write(text, 4, 'latin1')
  return tag('desc', content)
}

function xyz(value: Vector): Buffer {
  const content = Buffer.alloc(12)
  writeXyz(content, 0, value)
  return tag('XYZ ', content)
}

function writeXyz(bytes: Buffer, at: number, value: Vector): void {
  for (const [index, part] of value.entries()) bytes.writeInt32BE(Math.round(part * 65_536), at + 4 * index)
}

function sampled(curve: Curve): Buffer {
  const content = Buffer.alloc(4 + 2 * curvePoints)
  content.writeUInt32BE(curvePoints)
  for (let index = 0; index < curvePoints; index++) {
    const value = Math.min(Math.max(curve(index / (curvePoints - 1)), 0), 1)
    content.writeUInt16BE(Math.round(value * 65_535), 4 + 2 * index)
  }
  return tag('curv', content)
}

/** The matrix from linear red, green and blue to XYZ under D50. */
function colourants({ white, red, green, blue }: Primaries): Matrix {
  const unscaled = transpose([red, green, blue].map(toXyz) as unknown as Matrix)
  const whiteXyz = toXyz(white)
  const scales = apply(inverse(unscaled), whiteXyz)
  const toWhite = unscaled.map((row) => row.map((value, index) => value * (scales[index] ?? 0)))
  const [from, to] = [apply(bradford, whiteXyz), apply(bradford, profileWhite)]
  const adapted = bradford.map((row, index) =>
    row.map((value) => (value * (to[index] ?? 0)) / (from[index] ?? 1)),
  )
  return multiply(multiply(inverse(bradford), adapted as unknown as Matrix), toWhite as unknown as Matrix)
}

const toXyz = ([x, y]: readonly [number, number]): Vector => [x / y, 1, (1 - x - y) / y]

const dot = (left: Vector, right: Vector) => left[0] * right[0] + left[1] * right[1] + left[2] * right[2]

const apply = (matrix: Matrix, vector: Vector): Vector => [
  dot(matrix[0], vector),
  dot(matrix[1], vector),
  dot(matrix[2], vector),
]

const transpose = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
]

const multiply = (left: Matrix, right: Matrix): Matrix => {
  const [a, b, c] = transpose(right)
  return transpose([apply(left, a), apply(left, b), apply(left, c)])
}

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

function inverse([a, b, c]: Matrix): Matrix {
  const [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)]
  const determinant = dot(a, bc)
  const scaled = ([x, y, z]: Vector): Vector => [x / determinant, y / determinant, z / determinant]
  return transpose([scaled(bc), scaled(ca), scaled(ab)])
}
