import type { ErrorDetail } from '../../foundation/http/http.ts'
import { standardHeaderNames } from './standard-webhooks.ts'

const namePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/
/** What Node sends as it is: visible Latin-1, spaces and tabs. */
const valuePattern = /^[\t\x20-\x7e\x80-\xff]{0,4096}$/

/** Those that the service sets, and those that would change how the message is framed. */
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

/** Everything that is wrong with the headers that a webhook adds to its deliveries. */
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
/** Credentials under any name, as the Authorization header has them. */
const secretValue = /^(basic|bearer|digest|token)\s/i
const mask = '***'
const maxShownLength = 500
const maxShownHeaders = 50

/** Headers as the log shows them: without what could be a secret, and not endlessly many. */
export function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown = Object.entries(maskedHeaders(headers))
    .slice(0, maxShownHeaders)
    .map(([name, value]): [string, string] => [name, value.slice(0, maxShownLength)])
  return Object.fromEntries(shown)
}

/** Headers with a mask in place of each value that could be a secret. */
export function maskedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map((header) => [header[0], isSecret(header) ? mask : header[1]]),
  )
}

/** The values that masks stand for, so that headers can be sent back as they were shown; in any case of names. */
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

/** Headers without those that could be secrets. */
export function openHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((header) => !isSecret(header)))
}

/** Headers that could be secrets. */
export function secretHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(isSecret))
}

// The signature says nothing of the secret, and is what one compares when receivers refuse it.
function isSecret([name, value]: readonly [string, string]): boolean {
  const lower = name.toLowerCase()
  if (lower.startsWith('x-webhook-') || standardHeaderNames.some((each) => each === lower)) return false
  return secretName.test(lower) || secretValue.test(value)
}
