import type { HeaderLines } from '../servers/server-port.ts'

/**
 * Fields with a single value that affect the meaning of a request (RFC 9110, 5.3). A proxy in front might use another
 * of several lines than this service does.
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

/**
 * Appends a further line of a field. The lines form one list (RFC 9110, 5.2), except for cookies, which are pairs.
 */
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

/**
 * The names of fields with several lines. Compares each with all others, which for the few fields that clients send
 * is faster than a set.
 */
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
