import { Type } from 'typebox'
import type { Log } from '../../../../kernel/index.ts'
import { AppError } from '../answers/app-error.ts'
import { defineRoute, type Route } from '../routes/route.ts'
import type { ReadinessCheck } from './readiness-check.ts'

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
  const failing = new Set<string>()
  return defineRoute({
    name: 'health:ready.read',
    method: 'GET',
    path: '/readyz',
    summary: 'Reports whether the service can serve requests',
    access: 'open',
    isProbe: true,
    response: readyAnswer,
    handler: () => checkReadiness(readiness, failing),
  })
}

async function checkReadiness(readiness: Readiness, failing: Set<string>) {
  if (!readiness.isStarted)
    throw new AppError('UNAVAILABLE', 'the service is starting', { reason: 'starting' })
  if (readiness.isStopping)
    throw new AppError('UNAVAILABLE', 'the service is stopping', { reason: 'stopping' })
  const failed = await failedChecks(readiness, failing)
  const vital = failed.filter(({ concerns }) => concerns !== 'part').map(({ name }) => name)
  if (vital.length > 0) {
    throw new AppError('UNAVAILABLE', `not ready: ${vital.join(', ')}`, { reason: 'not_ready' })
  }
  return { status: 'ready', ...(failed.length > 0 && { degraded: failed.map(({ name }) => name) }) }
}

/** The answer contains only their names; details go to the log. */
async function failedChecks(readiness: Readiness, failing: Set<string>): Promise<ReadinessCheck[]> {
  const checks = readiness.checks()
  const results = await Promise.all(checks.map((check) => runCheck(check, readiness.log, failing)))
  return results.filter((check) => check !== undefined)
}

/** Logs a failure once until the check passes again: probes come every second, and anyone may send more. */
async function runCheck(
  check: ReadinessCheck,
  log: Log,
  failing: Set<string>,
): Promise<ReadinessCheck | undefined> {
  const { name } = check
  try {
    await check.check()
    if (failing.delete(name)) log.info({ check: name }, `readiness check ${name} passes again`)
    return undefined
  } catch (error) {
    if (!failing.has(name)) log.warn({ check: name, err: error }, `readiness check ${name} failed`)
    failing.add(name)
    return check
  }
}
