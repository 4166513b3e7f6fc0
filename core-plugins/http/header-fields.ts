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
