import type { ErrorDetail } from '../../foundation/http/http.ts'
import { standardHeaderNames } from './standard-webhooks.ts'

const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** Characters that Node sends unchanged: visible Latin-1, spaces and tabs. */
const valuePattern = /^[\t\x20-\x7e\x80-\xff]{0,4096}$/

/** Headers that the service sets, and headers that change the framing of the message. */
const reserved = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  ...standardHeaderNames,
])

/** All problems of the headers that a webhook adds to its deliveries. */
export function headerProblems(headers: Readonly<Record<string, string>>): ErrorDetail[] {
  const seen = new Set<string>()
  return Object.entries(headers).flatMap(([name, value]) => {
    const lower = name.toLowerCase()
    const isRepeated = seen.has(lower)
    seen.add(lower)
    const problem = isRepeated ? 'is there twice' : problemOf(lower, value)
    return problem === undefined ? [] : [{ path: `headers.${name}`, code: 'header', message: problem }]
  })
}

function problemOf(name: string, value: string): string | undefined {
  if (!namePattern.test(name)) return 'is not the name of a header'
  if (reserved.has(name) || name.startsWith('x-webhook-')) return 'is set by the service'
  if (!valuePattern.test(value))
    return 'has a value with characters that a header cannot hold, or a very long one'
  if (value === mask && secretName.test(name)) return 'has a mask in the place of its value; send the value'
  return undefined
}

const secretName = /auth|cookie|credential|key|pass|pwd|secret|session|signature|token/
/** Matches credentials in the form of an Authorization header, under any header name. */
const secretValue = /^(basic|bearer|digest|token)\s/i
const mask = '***'
const maxShownLength = 500
const maxShownHeaders = 50

/** Headers for the log: without possible secrets, and limited in number. */
export function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown = Object.entries(maskedHeaders(headers))
    .slice(0, maxShownHeaders)
    .map(([name, value]): [string, string] => [name, value.slice(0, maxShownLength)])
  return Object.fromEntries(shown)
}

/** Replaces each value that could be a secret by a mask. */
export function maskedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map((header) => [header[0], isSecret(header) ? mask : header[1]]),
  )
}

/** Replaces masks by the stored values, so that headers can be sent back as they were shown; ignores the case of names. */
export function unmaskedHeaders(
  headers: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): Record<string, string> {
  const secrets = new Map(
    Object.entries(secretHeaders(stored)).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value === mask ? (secrets.get(name.toLowerCase()) ?? value) : value,
    ]),
  )
}

/** Headers that cannot be secrets. */
export function openHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((header) => !isSecret(header)))
}

/** Headers that could be secrets. */
export function secretHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(isSecret))
}

// Signatures do not reveal the secret, and are needed to investigate why a receiver refuses them.
function isSecret([name, value]: readonly [string, string]): boolean {
  const lower = name.toLowerCase()
  if (lower.startsWith('x-webhook-') || standardHeaderNames.some((each) => each === lower)) return false
  return secretName.test(lower) || secretValue.test(value)
}
