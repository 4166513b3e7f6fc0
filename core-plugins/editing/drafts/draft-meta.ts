import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { type EntryMeta, parseBoolean, type RestrictedEntry } from '../../entries/content/content.ts'
import type { Database, InList, Value } from '../../foundation/database/database.ts'
import { draftsTable } from './tables.ts'

/** Whether entries have a pending draft. */
export function draftMeta(database: Database): EntryMeta {
  const { type, entryId } = draftsTable.columns
  const drafted = draftsTable
    .on(database)
    .find(
      (value: Value, inList: InList) => sql`${type} = ${value(type)} and ${inList(entryId, 'entryIds')}`,
      { pick: ['entryId'] },
    )
  const hasDraft = (entry: RestrictedEntry) => isIn(entry, sql`in`)
  return {
    name: 'has_draft',
    schema: Type.Boolean(),
    matches: ({ options }) => options.draftOverlay,
    async load({ name }, entryIds, queries) {
      const rows = await drafted.all({ type: name, entryIds }, queries)
      return new Map(rows.map((row) => [row.entryId, true]))
    },
    valueOfOthers: () => false,
    selection: {
      name: 'has_draft',
      havingOneOf({ name }, values) {
        const asked = new Set<boolean>()
        for (const value of values) {
          const parsed = parseBoolean(value)
          if ('problem' in parsed) return parsed
          asked.add(parsed.value === true)
        }
        const shape = `has_draft ${[...asked].sort()}`
        if (asked.size === 2) return { shape, values: [], where: () => sql`1 = 1` }
        const operator = asked.has(true) ? sql`in` : sql`not in`
        return { shape, values: [typeValue(name)], where: (entry) => isIn(entry, operator) }
      },
      havingNone: () => ({ shape: 'none', values: [], where: () => sql`1 = 0` }),
      order: ({ name }) => ({
        shape: 'has_draft',
        values: [typeValue(name)],
        of: (entry) => sql`case when ${hasDraft(entry)} then 1 else 0 end`,
      }),
    },
  }
}

const typeValue = (value: string) => ({ kind: 'string', value }) as const

function isIn(entry: RestrictedEntry, operator: SQL): SQL {
  const { type, entryId } = draftsTable.columns
  return sql`${entry.column('id')} ${operator}
    (select ${entryId} from ${draftsTable} where ${type} = ${entry.value(0)})`
}
