import { type Awaitable, andThen, isPromise, orElse } from '../../../../kernel/index.ts'
import { AppError } from '../answers/app-error.ts'
import { asAppError } from '../answers/as-app-error.ts'
import { Reply } from '../answers/reply.ts'
import type { Fallback, FallbackRequest } from './fallback.ts'

/**
 * Calls a fallback and checks its answer.
 * @throws AppError, or Error if the fallback is at fault
 */
export type AskFallback = (request: FallbackRequest) => Awaitable<Reply | undefined>

/** `limitMs` bounds how long an answer may take. */
export function checkedFallback(fallback: Fallback, limitMs: () => number): AskFallback {
  const refuse = (error: unknown): never => {
    if (error instanceof TimeUp || asAppError(error).code === 'INTERNAL_ERROR') fallback.report?.(error)
    throw error instanceof TimeUp
      ? new AppError('UNAVAILABLE', error.message, { reason: 'plugin_too_slow', cause: error })
      : error
  }
  return (request) =>
    orElse(
      () =>
        andThen(within(limitMs(), fallback, fallback.answer(request)), (answer) =>
          checkAnswer(fallback, answer),
        ),
      refuse,
    )
}

class TimeUp extends Error {}

/** An answer that comes after the limit is ignored. */
function within<T>(limitMs: number, { name }: Fallback, answer: Awaitable<T>): Awaitable<T> {
  if (!isPromise(answer)) return answer
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeUp(`${name} took longer than ${limitMs} ms`)), limitMs)
  })
  return Promise.race([answer, timeUp]).finally(() => clearTimeout(timer))
}

const redirects: readonly number[] = [301, 302, 307, 308]

function checkAnswer(fallback: Fallback, answer: unknown): Reply | undefined {
  if (answer === undefined) return undefined
  if (!(answer instanceof Reply)) {
    throw new Error(
      `${fallback.name} answers ${typeof answer}: return undefined, redirect(…) or another Reply`,
    )
  }
  const problem = problemOf(fallback, answer)
  if (problem !== undefined) throw new Error(`the answer of ${fallback.name} ${problem}`)
  return answer
}

function problemOf(fallback: Fallback, { status, headers }: Reply): string | undefined {
  const locations = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'location')
  if (!redirects.includes(status)) {
    if (locations.length > 0) return `has a Location with the status ${status}; use ${redirects.join(', ')}`
    if (Number.isInteger(status) && ((status >= 200 && status < 300) || (status >= 400 && status < 600)))
      return
    return `has the status ${status}; use one of ${redirects.join(', ')}, 200 to 299 or 400 to 599`
  }
  const [location, ...others] = locations.map(([, value]) => value)
  if (typeof location !== 'string' || others.length > 0) return 'must have one Location'
  const problem = locationProblem(location, fallback.redirectsElsewhere === true)
  return problem && `has the Location ${JSON.stringify(location.slice(0, maxShownLength))}, which ${problem}`
}

const maxShownLength = 100

/** Any origin will do: only whether a path leaves it matters. */
const someOrigin = 'http://origin.invalid'

/**
 * Why a Location is refused; undefined if it is acceptable: a path on this origin, or with `mayLeave` an http address
 * on another one. Browsers read backslashes as slashes and skip tabs and line breaks, so none of these are allowed.
 */
export function locationProblem(location: string, mayLeave: boolean): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(location) || location.includes('\\')) {
    return 'has characters that must be percent-encoded'
  }
  if (location.startsWith('/')) {
    const stays = !location.startsWith('//') && addressOf(location)?.origin === someOrigin
    return stays ? undefined : 'leads to another origin'
  }
  const address = /^https?:\/\/[^/]/i.test(location) ? addressOf(location) : undefined
  if (address === undefined || address.username !== '' || address.password !== '') {
    return 'is neither a path that begins with / nor an http address'
  }
  return mayLeave ? undefined : 'leads to another origin; see redirectsElsewhere'
}

/** Undefined if it is not a URL. */
function addressOf(location: string): URL | undefined {
  return URL.canParse(location, someOrigin) ? new URL(location, someOrigin) : undefined
}
