import type { InitContext } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Alerts } from '../../background/alerts/alerts.ts'
import type { AnswerValidity, ChangeLog } from '../../entries/changes/changes.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Http, Route } from '../../foundation/http/http.ts'
import type { MetricSource } from '../../foundation/metrics/metrics.ts'
import { createAuditor } from './auditor.ts'
import { explainRoute } from './explain-route.ts'
import { Keeper } from './keeper.ts'
import { KeptAnswers } from './kept-answers.ts'
import { cacheMetrics, Outcomes } from './outcomes.ts'
import { auditEvery, maxBytes, maxStalenessMs, staleIfDown, statusHeader } from './settings.ts'

type Context = InitContext<{
  readonly auth: Auth
  readonly changeLog: ChangeLog
  readonly config: Config
  readonly http: Http
  readonly alerts: Alerts | undefined
  readonly validity: AnswerValidity
}>

export interface CacheParts {
  readonly keeper: Keeper
  readonly metrics: readonly MetricSource[]
  readonly routes: readonly Route[]
  /** Clears the cache after a change that the dependencies of responses do not cover. */
  readonly forget: () => void
}

/** Assembles the parts of the cache. */
export function composeCache({ services, log }: Context): CacheParts {
  const { alerts, auth, changeLog, config, http, validity } = services
  const { tail } = changeLog
  const answers = new KeptAnswers(config.get(maxBytes))
  const outcomes = new Outcomes()
  let version = 0
  // Responses in progress are stored under the old version, and are not found under the new one.
  const forget = () => {
    version += 1
    answers.clear()
  }
  auth.onRolesChange(forget)
  const auditor = createAuditor({
    every: () => config.get(auditEvery),
    secret: Buffer.from(auth.keyFor('cache audit')).toString('hex'),
    http: () => http,
    ...{ tail, validity, alerts, log, forget },
  })
  const keeper = new Keeper({
    ...{ log: changeLog, answers, validity, outcomes },
    maxStalenessMs: () => config.get(maxStalenessMs),
    staleIfDownMs: () => config.get(staleIfDown) * 1_000,
    showsStatus: () => config.get(statusHeader),
    version: () => version,
    auditor,
  })
  return { keeper, metrics: cacheMetrics(outcomes, answers), routes: [explainRoute(keeper)], forget }
}
