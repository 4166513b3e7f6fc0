import { timingSafeEqual } from 'node:crypto'
import type { Log } from '../../../kernel/index.ts'
import type { Alerts } from '../../background/alerts/alerts.ts'
import type { AnswerValidity, ChangeTail } from '../../entries/changes/changes.ts'
import type { Http, RouteRequest } from '../../foundation/http/http.ts'
import type { Kept } from './kept-answers.ts'

/** Compares some of the cached responses with the database. */
export interface Auditor {
  /** Called with every response from the cache; returns at once. */
  see(request: RouteRequest, kept: Kept): void
  /** Whether the request was sent by an auditor, and must not be answered from the cache. */
  isOwn(request: RouteRequest): boolean
}

export interface AuditorParts {
  /** Every n-th response is compared; 0: none. */
  readonly every: () => number
  /** Identifies audit requests between the processes of this deployment. */
  readonly secret: string
  readonly http: () => Pick<Http, 'url'>
  readonly tail: Pick<ChangeTail, 'check'>
  readonly validity: AnswerValidity
  readonly alerts: Alerts | undefined
  readonly log: Log
  /** Clears the cache. */
  readonly forget: () => void
}

const headerName = 'x-mortise-cache-audit'
const timeoutMs = 30_000

/** The request to repeat. */
interface Repeated {
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

export function createAuditor(parts: AuditorParts): Auditor {
  const { every, secret, tail, validity, alerts, log, forget } = parts
  const expected = Buffer.from(secret)
  let seen = 0
  let isBusy = false

  /**
   * Reports a difference that no change explains. Repeats the request once, since a read and the check of changes are not
   * simultaneous.
   */
  async function compare(request: Repeated, kept: Kept): Promise<void> {
    for (let times = 0; times < 2; times++) {
      const response = await fetch(request.target, {
        headers: request.headers,
        signal: AbortSignal.timeout(timeoutMs),
      })
      const text = await response.text()
      if (response.status !== 200 || text === kept.answer.bytes.toString()) return
      await tail.check()
      if (!validity.isRight(kept)) return
    }
    forget()
    const path = new URL(request.target).pathname
    log.error({ path }, 'an answer from memory was not what the database says; all of them were forgotten')
    const message = `an answer to ${path} from memory was not what the database says; report this as a fault of the service`
    await alerts?.raise({ kind: 'cache_wrong', severity: 'critical', message, details: { path } })
  }

  return {
    see(request, kept) {
      const portion = every()
      seen += 1
      if (portion === 0 || seen < portion || isBusy || request.method !== 'GET') return
      seen = 0
      isBusy = true
      compare(repeated(request, parts), kept)
        .catch((error) => log.debug({ err: error }, 'an answer from memory could not be compared'))
        .finally(() => {
          isBusy = false
        })
    },
    isOwn(request) {
      const sent = request.header(headerName)
      if (sent === undefined) return false
      const given = Buffer.from(sent)
      return given.length === expected.length && timingSafeEqual(given, expected)
    },
  }
}

function repeated(request: RouteRequest, { http, secret }: AuditorParts): Repeated {
  const { path, rawQuery } = request
  const headers: Record<string, string> = { [headerName]: secret, 'accept-encoding': 'identity' }
  for (const name of ['authorization', 'cookie', 'accept']) {
    const value = request.header(name)
    if (value !== undefined) headers[name] = value
  }
  return { target: `${http().url}${path}${rawQuery === '' ? '' : `?${rawQuery}`}`, headers }
}
