import { Type } from 'typebox'
import type { Log } from '../../kernel/index.ts'
import { AppError } from './app-error.ts'
import type { ReadinessCheck } from './readiness-check.ts'
import { defineRoute, type Route } from './route.ts'

/** The state that the probes report. */
export interface Readiness {
  readonly log: Log
  readonly isStarted: boolean
  readonly isStopping: boolean
  checks(): readonly ReadinessCheck[]
}

const answer = Type.Object({ status: Type.String() })

const readyAnswer = Type.Object({
  status: Type.String(),
  degraded: Type.Optional(
    Type.Array(Type.String(), { description: 'What does not work, while the service does the rest' }),
  ),
})

/** Alive means that the process answers; one that does not should be restarted. */
export const livezRoute = defineRoute({
  name: 'health:live.read',
  method: 'GET',
  path: '/livez',
  summary: 'Reports that the process is alive',
  access: 'open',
  isProbe: true,
  response: answer,
  handler: () => ({ status: 'live' }),
})

/** Ready means that requests can be served: boot is complete, every check passes, no stop is in progress. */
export function readyzRoute(readiness: Readiness): Route {
  return defineRoute({
    name: 'health:ready.read',
    method: 'GET',
    path: '/readyz',
    summary: 'Reports whether the service can serve requests',
    access: 'open',
    isProbe: true,
    response: readyAnswer,
    handler: () => checkReadiness(readiness),
  })
}

async function checkReadiness(readiness: Readiness) {
  if (!readiness.isStarted)
    throw new AppError('UNAVAILABLE', 'the service is starting', { reason: 'starting' })
  if (readiness.isStopping)
    throw new AppError('UNAVAILABLE', 'the service is stopping', { reason: 'stopping' })
  const failed = await failedChecks(readiness)
  const vital = failed.filter(({ concerns }) => concerns !== 'part').map(({ name }) => name)
  if (vital.length > 0) {
    throw new AppError('UNAVAILABLE', `not ready: ${vital.join(', ')}`, { reason: 'not_ready' })
  }
  return { status: 'ready', ...(failed.length > 0 && { degraded: failed.map(({ name }) => name) }) }
}

/** Only their names are told: the details are for the log. */
async function failedChecks(readiness: Readiness): Promise<ReadinessCheck[]> {
  const results = await Promise.all(readiness.checks().map((check) => runCheck(check, readiness.log)))
  return results.filter((check) => check !== undefined)
}

async function runCheck(check: ReadinessCheck, log: Log): Promise<ReadinessCheck | undefined> {
  try {
    await check.check()
    return undefined
  } catch (error) {
    log.warn({ check: check.name, err: error }, `readiness check ${check.name} failed`)
    return check
  }
}
