import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { type Database, query, type Transaction } from '../database/database.ts'
import { defineJob, type JobContext, type JobKind } from '../jobs/jobs.ts'
import { clausesOf } from './clauses.ts'
import type { SearchEngine } from './engines/engine.ts'
import { vocabularyTable } from './vocabulary.ts'

export interface TidyDeps {
  readonly database: Database
  readonly engine: SearchEngine
  /** Has documents that a process of an earlier version has left made anew. */
  readonly refresh: (tx: Transaction) => Promise<void>
}

const wordsAtOnce = 200

/**
 * For how long a word must have had no document before it goes. A write that is under way, in a process that has seen the word, may
 * count on it for an hour.
 */
const graceMs = 24 * 60 * 60_000

/** Removes words that no document has any more. */
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
      order by type, rest, initial limit ${sql.raw(String(wordsAtOnce))}`,
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
    const term = { words: [word], stems: [], isExcluded: false, isPrefix: false, isLiteral: true }
    return (await find.get({ ...engine.valuesOf(clausesOf([term])), type })) !== undefined
  }

  async function run(_: Record<string, never>, { signal }: JobContext) {
    await database.transaction(refresh)
    const before = new Date(Date.now() - graceMs).toISOString()
    let removed = 0
    let at = { type: '', rest: '', initial: '' }
    for (;;) {
      const rows = await next.all(at)
      for (const { type, rest, initial, unusedSince } of rows) {
        signal.throwIfAborted()
        const key = { type, rest, initial }
        const used = await isUsed(type, initial + rest)
        if (used && unusedSince !== null) await mark.run({ ...key, unusedSince: null })
        if (!used && unusedSince === null) await mark.run({ ...key, unusedSince: new Date().toISOString() })
        if (!used && unusedSince !== null) removed += (await remove.run({ ...key, before })).changes
      }
      const last = rows.at(-1)
      if (last === undefined) return { removed }
      at = { type: last.type, rest: last.rest, initial: last.initial }
    }
  }

  return defineJob({
    name: 'search.tidy',
    payload: Type.Object({}),
    timeoutMs: 24 * 60 * 60_000,
    run,
  })
}
