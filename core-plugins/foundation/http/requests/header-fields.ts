import type { HeaderLines } from '../servers/server-port.ts'

/**
 * Fields that hold one value, on which the meaning of a request depends (RFC 9110, 5.3). Whoever is in front may read
 * another line of them than this service does.
 */
const single: ReadonlySet<string> = new Set([
  'access-control-request-method',
  'authorization',
  'content-length',
  'content-range',
  'content-type',
  'host',
  'if-modified-since',
  'if-range',
  'if-unmodified-since',
  'origin',
  'proxy-authorization',
  'range',
  'sec-websocket-key',
  'sec-websocket-version',
])

/** Whether a field, by lower-case name, must not be sent in several lines. */
export function isSingle(name: string): boolean {
  return single.has(name)
}

/** Appends a further line of a field. All of them are one list (RFC 9110, 5.2), but for cookies, which are pairs. */
export function withFurtherLine(name: string, value: string, further: string): string {
  return name === 'cookie' ? `${value}; ${further}` : `${value}, ${further}`
}

/** The value of a field by its lower-case name, all lines as one list. The names in `lines` are in lower case, too. */
export function fieldIn(lines: HeaderLines, name: string): string | undefined {
  let value: string | undefined
  for (let index = 0; index < lines.length; index += 2) {
    if (lines[index] !== name) continue
    const line = lines[index + 1] ?? ''
    value = value === undefined ? line : withFurtherLine(name, value, line)
  }
  return value
}

/** The names of fields with several lines. Compares all with all: for the few that clients send this is faster than a set. */
export function repeatedIn(lines: HeaderLines): readonly string[] {
  const repeated: string[] = []
  for (let index = 2; index < lines.length; index += 2) {
    const name = lines[index]
    for (let before = 0; before < index; before += 2) {
      if (name === undefined || lines[before] !== name) continue
      repeated.push(name)
      break
    }
  }
  return repeated
}
