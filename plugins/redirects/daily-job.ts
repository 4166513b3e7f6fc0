import {
  type Database,
  defineJob,
  defineSchedule,
  type JobKind,
  type Schedule,
  Type,
  type WebhookEvents,
} from 'mortise/plugin'
import { chainEnd } from './chains.ts'
import type { Hits } from './hits.ts'
import { loopFound } from './loop-event.ts'
import { pathKey } from './paths.ts'
import type { Rule, RuleStore } from './rule-store.ts'

export interface JobParts {
  readonly database: Database
  readonly rules: RuleStore
  readonly hits: Hits
  readonly events: WebhookEvents | undefined
}

type Nothing = Readonly<Record<string, never>>

const manyRules = 1_000_000

/** Removes the counts of redirects that are gone, and tells of loops. */
export const pruneJob = ({ database, rules, hits, events }: JobParts): JobKind<Nothing> =>
  defineJob({
    name: 'redirects.check',
    payload: Type.Object({}),
    async run() {
      const list = await rules.list(manyRules)
      const byPath = new Map(list.map((rule) => [pathKey(rule.from) ?? rule.from, rule]))
      const loops: Rule[] = []
      for (const rule of list) {
        if ((await chainEnd(rule, (path) => byPath.get(path))) === 'loop') loops.push(rule)
      }
      return database.transaction(async (tx) => {
        const removed = await hits.prune(new Set(list.map(({ id }) => id)), tx)
        for (const { id, from, to } of loops) {
          await events?.emit(tx, loopFound.name, { id, from, to }, { entryId: id })
        }
        return { removed, loops: loops.length }
      })
    },
  })

export const pruneSchedule = (kind: JobKind<Nothing>): Schedule =>
  defineSchedule({ name: 'redirects.check', kind, payload: {}, cronExpression: '30 3 * * *' })
