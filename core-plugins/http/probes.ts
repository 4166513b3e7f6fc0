import { Type } from 'typebox'
import type { Log } from '../../kernel/index.ts'
import { AppError, defineRoute, type ReadinessCheck, type Route } from './http.ts'

/** What the probes tell of. */
export interface Readiness {
  readonly log: Log
  readonly isStarted: boolean
  readonly isStopping: boolean
  checks(): readonly ReadinessCheck[]
}

const answer = Type.Object({ status: Type.String() })

/** Alive means that it answers; a process that does not should be started again. */
export const livezRoute = defineRoute({
  name: 'health:live.read',
  method: 'GET',
  path: '/livez',
  summary: 'Tells that the process answers',
  access: 'open',
  isProbe: true,
  response: answer,
  handler: () => ({ status: 'live' }),
})

/** Ready means that requests can be served: boot is done, every check passes, no stop is under way. */
export function readyzRoute(readiness: Readiness): Route {
  return defineRoute({
    name: 'health:ready.read',
    method: 'GET',
    path: '/readyz',
    summary: 'Tells whether the service can do its work',
    access: 'open',
    isProbe: true,
    response: answer,
    handler: () => checkReadiness(readiness),
  })
}

async function checkReadiness(readiness: Readiness) {
  if (!readiness.isStarted) throw new AppError('UNAVAILABLE', 'the service is starting')
  if (readiness.isStopping) throw new AppError('UNAVAILABLE', 'the service is stopping')
  const failed = await failedChecks(readiness)
  if (failed.length > 0) throw new AppError('UNAVAILABLE', `not ready: ${failed.join(', ')}`)
  return { status: 'ready' }
}

/** Names only: what went wrong inside is for the log. */
async function failedChecks(readiness: Readiness): Promise<string[]> {
  const results = await Promise.all(readiness.checks().map((check) => runCheck(check, readiness.log)))
  return results.filter((name) => name !== undefined)
}

async function runCheck(check: ReadinessCheck, log: Log): Promise<string | undefined> {
  try {
    await check.check()
    return undefined
  } catch (error) {
    log.warn({ check: check.name, err: error }, `readiness check ${check.name} failed`)
    return check.name
  }
}
