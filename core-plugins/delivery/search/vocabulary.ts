import { sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'
import {
  column,
  type Database,
  defineTable,
  type Query,
  query,
  type Recipient,
  type Transaction,
} from '../../foundation/database/database.ts'
import type { MadeDocuments } from './make-documents.ts'

/**
 * The words of each type's documents, split after the first letter. Words of removed documents may remain; `unused_since` is
 * when that was first noticed.
 */
export const vocabularyTable = defineTable(
  'svc_search_vocabulary',
  {
    type: column.string(),
    initial: column.string(4),
    rest: column.string(40),
    /** In letters, including the first one. */
    length: column.integer(),
    unusedSince: column.datetime().nullable(),
  },
  {
    primaryKey: ['type', 'rest', 'initial'],
    indexes: [{ columns: ['type', 'initial', 'length', 'rest'], type: 'index' }],
  },
)

/** Which words to read: candidates for a correction; the result contains others as well. */
export interface WordPattern {
  readonly types: readonly string[]
  readonly initial: string
  readonly min: number
  readonly max: number
  /** The rest of the word contains one of these parts. At most `maxParts`. */
  readonly parts: readonly string[]
  /** For words with another first letter: the rest equals one of these. */
  readonly rests: readonly string[]
}

export const maxParts = 7

/** The number of candidates that are compared. */
const maxRead = 2_000

export interface Vocabulary {
  /** Adds the words of documents, by type; words that are known to be stored cost nothing. */
  add(spelled: MadeDocuments['spelled'], tx: Transaction): Promise<void>
  /** In alphabetical order, shorter words first. */
  read(pattern: WordPattern, recipient: Recipient | undefined): Promise<string[]>
}

interface Entry {
  readonly type: string
  readonly initial: string
  readonly rest: string
  readonly length: number
}

const rowsAtOnce = 64
const knownWords = 50_000
/** Less than the day for which words without documents are kept. */
const knownMs = 60 * 60_000

export function createVocabulary(database: Database): Vocabulary {
  /** Words known to be stored, as `type word`. */
  const known = new LRUCache<string, true>({ ...upTo(knownWords), ttl: knownMs })
  const inserts = new Map<number, Query<unknown>>()
  const find = reader(database)
  const use = vocabularyTable.on(database).update(
    () => sql`unused_since = null`,
    (value, inList) => sql`type = ${value('type', 'string')} and unused_since is not null
        and ${inList(sql`rest`, 'rests', 'string')}`,
  )

  async function insert(entries: readonly Entry[], tx: Transaction): Promise<void> {
    // A few fixed sizes, so that there are few different statements.
    const size = Math.min(rowsAtOnce, 2 ** Math.ceil(Math.log2(entries.length)))
    const statement = inserts.get(size) ?? insertion(database, size)
    inserts.set(size, statement)
    await statement.run(numbered(entries, size), tx)
    for (const type of new Set(entries.map((each) => each.type))) {
      const rests = entries.filter((each) => each.type === type).map(({ rest }) => rest)
      await use.run({ type, rests }, tx)
    }
  }

  return {
    async add(spelled, tx) {
      const fresh = new Map<string, Entry>()
      for (const [type, words] of spelled) {
        for (const word of words) {
          const key = `${type} ${word}`
          if (!known.has(key)) fresh.set(key, entryOf(type, word))
        }
      }
      // In one order, so that two transactions with the same words wait for each other instead of deadlocking.
      const entries = [...fresh].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry)
      for (let start = 0; start < entries.length; start += rowsAtOnce) {
        await insert(entries.slice(start, start + rowsAtOnce), tx)
      }
      if (fresh.size === 0) return
      tx.afterCommit(() => {
        for (const key of fresh.keys()) known.set(key, true)
      })
    },
    async read({ parts, ...pattern }, recipient) {
      const values = Object.fromEntries(
        Array.from({ length: maxParts }, (_, index) => [`part${index}`, parts[index] ?? parts[0] ?? '']),
      )
      const rows = await find.all({ ...pattern, ...values }, database, recipient)
      return [...new Set(rows.map(({ initial, rest }) => initial + rest))]
    },
  }
}

function entryOf(type: string, word: string): Entry {
  const [initial = '', ...rest] = word
  return { type, initial, rest: rest.join(''), length: rest.length + 1 }
}

function insertion(database: Database, size: number): Query<unknown> {
  return query(database, (value) => {
    const rows = Array.from(
      { length: size },
      (_, row) => sql`(${value(`type${row}`, 'string')}, ${value(`initial${row}`, 'string')},
        ${value(`rest${row}`, 'string')}, ${value(`length${row}`, 'integer')})`,
    )
    return sql`insert into ${vocabularyTable} (type, initial, rest, length) values ${sql.join(rows, sql`, `)}
      ${database.dialect.ignoreDuplicates('type')}`
  })
}

/** Repeats the last row to fill up the statement. */
function numbered(entries: readonly Entry[], size: number): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (let row = 0; row < size; row += 1) {
    const entry = entries[Math.min(row, entries.length - 1)]
    for (const [name, value] of Object.entries(entry ?? {})) values[`${name}${row}`] = value
  }
  return values
}

function reader(database: Database) {
  const { contains } = database.dialect
  const found = vocabularyTable.pick('initial', 'rest')
  return query(
    database,
    (value, inList) => {
      const parts = Array.from({ length: maxParts }, (_, index) =>
        contains(sql`rest`, value(`part${index}`, 'string')),
      )
      const words = sql`select initial, rest, length from ${vocabularyTable}
        where ${inList(sql`type`, 'types', 'string')}`
      // Two selects, since each uses its own index.
      return sql`select initial as ${sql.identifier('initial')}, rest as ${sql.identifier('rest')} from (
        ${words} and initial = ${value('initial', 'string')} and length between ${value('min', 'integer')}
          and ${value('max', 'integer')} and (${sql.join(parts, sql` or `)})
        union all ${words} and ${inList(sql`rest`, 'rests', 'string')}) w
        order by length, rest, initial limit ${sql.raw(String(maxRead))}`
    },
    found,
    { isCostly: true },
  )
}
