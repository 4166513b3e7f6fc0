import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { createPace, defineJob, type JobContext, type JobKind } from '../../background/jobs/jobs.ts'
import { type Database, query, type RowOf, type Transaction } from '../../foundation/database/database.ts'
import { clausesOf } from './clauses.ts'
import type { SearchEngine } from './engines/engine.ts'
import { vocabularyTable } from './vocabulary.ts'

type Word = Pick<RowOf<typeof vocabularyTable>, 'type' | 'initial' | 'rest' | 'unusedSince'>

export interface TidyDeps {
  readonly database: Database
  readonly engine: SearchEngine
  /** Rebuilds documents that processes of an earlier version have written. */
  readonly refresh: (tx: Transaction) => Promise<void>
}

const mostAtOnce = 200

/**
 * How long a word must be without documents before it is removed. Processes cache known words for an hour, so a write in
 * progress may still rely on it.
 */
const graceMs = 24 * 60 * 60_000

/** Removes words that no longer occur in any document. */
export function createTidyJob({ database, engine, refresh }: TidyDeps): JobKind<Record<string, never>> {
  const words = vocabularyTable.on(database)
  const next = query(
    database,
    (
      value,
    ) => sql`select type, initial, rest, unused_since as ${sql.identifier('unusedSince')} from ${vocabularyTable}
      where type > ${value('type', 'string')} or (type = ${value('type', 'string')}
        and (rest > ${value('rest', 'string')}
          or (rest = ${value('rest', 'string')} and initial > ${value('initial', 'string')})))
      order by type, rest, initial limit ${value('items', 'integer')}`,
    vocabularyTable.pick('type', 'initial', 'rest', 'unusedSince'),
  )
  const find = query(
    database,
    (value) => sql`select 1 from ${engine.anywhere.from} where ${engine.anywhere.matches(value)}
      and coalesce(d.type, '') = ${value('type', 'string')} limit 1`,
    {},
    { isCostly: true },
  )
  const mark = words.update(['unusedSince'], ['type', 'rest', 'initial'])
  const remove = words.delete(
    (value) => sql`type = ${value('type', 'string')} and rest = ${value('rest', 'string')}
      and initial = ${value('initial', 'string')} and unused_since < ${value('before', 'datetime')}`,
  )

  async function isUsed(type: string, word: string): Promise<boolean> {
    const term = { words: [word], stems: [], others: [], isExcluded: false, isPrefix: false, isLiteral: true }
    return (await find.get({ ...engine.valuesOf(clausesOf([term])), type })) !== undefined
  }

  /** Marks or removes a word without documents; returns how many were removed. */
  async function check({ type, initial, rest, unusedSince }: Word, before: string): Promise<number> {
    const key = { type, rest, initial }
    const used = await isUsed(type, initial + rest)
    if (used && unusedSince !== null) await mark.run({ ...key, unusedSince: null })
    if (!used && unusedSince === null) await mark.run({ ...key, unusedSince: new Date().toISOString() })
    return !used && unusedSince !== null ? (await remove.run({ ...key, before })).changes : 0
  }

  async function run(_: Record<string, never>, { signal }: JobContext) {
    await database.transaction(refresh)
    const before = new Date(Date.now() - graceMs).toISOString()
    const pace = createPace({ database, most: mostAtOnce })
    let removed = 0
    let last: Word | undefined = { type: '', rest: '', initial: '', unusedSince: null }
    while (last !== undefined) {
      const after: Word = last
      last = await pace.portion(async (items) => {
        const words = await next.all({ ...after, items })
        for (const word of words) {
          signal.throwIfAborted()
          removed += await check(word, before)
        }
        return words.at(-1)
      })
    }
    return { removed }
  }

  return defineJob({
    name: 'search.tidy',
    payload: Type.Object({}),
    timeoutMs: 24 * 60 * 60_000,
    run,
  })
}
