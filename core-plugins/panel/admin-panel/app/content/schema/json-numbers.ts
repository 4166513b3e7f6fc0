/** A number in a JSON text that would lose precision. */
export interface LostNumber {
  /** In characters from the start of the text. */
  readonly position: number
  readonly written: string
  /** The number that would be stored; undefined if it exceeds the range of a double. */
  readonly kept: string | undefined
}

/** Also matches strings, so that digits in them are not taken for numbers. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** The numbers of a JSON text that a double cannot represent; browsers and the service read numbers as doubles. */
export function lostNumbers(json: string): readonly LostNumber[] {
  const lost: LostNumber[] = []
  for (const { 0: written, index: position } of json.matchAll(stringOrNumber)) {
    if (written.startsWith('"')) continue
    const number = Number(written)
    const kept = Number.isFinite(number) ? String(number) : undefined
    if (kept === undefined || !isSameNumber(written, kept)) lost.push({ position, written, kept })
  }
  return lost
}

/** The value of a JSON text. @throws SyntaxError if it is not JSON or contains a number that would lose precision */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json)
  const [lost] = lostNumbers(json)
  if (lost !== undefined) throw new SyntaxError(`${lost.written} would become ${lost.kept ?? 'null'}`)
  return value
}

/** Whether two texts write one number: `1.50` and `15e-1` do. */
const isSameNumber = (one: string, other: string) => normalForm(one) === normalForm(other)

/** Sign, digits without zeros around them, and the power of ten of the last digit. */
function normalForm(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + digits.length - significant.length
  return `${sign}${significant}e${power}`
}
