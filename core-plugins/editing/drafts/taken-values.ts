import { sql } from 'drizzle-orm'
import { repairWrite, type WriteContext, type WriteStage } from '../../entries/content/content.ts'
import { type Database, type Query, query } from '../../foundation/database/database.ts'
import { AppError, type ErrorDetail } from '../../foundation/http/http.ts'
import { type Attribute, type ContentType, columnOf } from '../../foundation/schemas/schemas.ts'

interface UniqueValue {
  readonly name: string
  readonly isTaken: Query<{ id: number }>
}

/**
 * When a draft is saved, reports unique values that another entry already has, rather than only when it is published. The
 * database's index still decides at publication; values unique per locale or together with other fields are left to the index.
 */
export function assertFreeValues(database: Database): WriteStage {
  const known = new Map<ContentType, readonly UniqueValue[]>()

  function uniqueValuesOf(type: ContentType): readonly UniqueValue[] {
    const values = known.get(type) ?? uniqueValues(type, database)
    known.set(type, values)
    return values
  }

  async function problems({ type, outcome, data, stored, tx }: WriteContext): Promise<ErrorDetail[]> {
    const found: ErrorDetail[] = []
    for (const { name, isTaken } of uniqueValuesOf(type)) {
      const value = outcome.draft?.values[name] ?? null
      if (value === null || !Object.hasOwn(data, name)) continue
      if ((await isTaken.get({ value, id: stored?.row.id }, tx)) === undefined) continue
      found.push({ path: name, code: 'unique', message: 'is already taken' })
    }
    return found
  }

  return {
    name: 'drafts: taken values',
    matches: ({ type, operation }) =>
      operation === 'update' && type.options.draftOverlay && !type.options.i18n.enabled,
    async run(context, next) {
      const entry = await next()
      if (context.outcome.event !== 'draft' || context.annotations.has(repairWrite)) return entry
      const details = await problems(context)
      if (details.length === 0) return entry
      const names = details.map(({ path }) => path).join(', ')
      throw new AppError('CONFLICT', `${names}: is already taken`, { details })
    },
  }
}

function uniqueValues(type: ContentType, database: Database): UniqueValue[] {
  return [...type.attributes.values()].filter(isUnique).flatMap((attribute) => {
    const column = columnOf(attribute)
    if (column === undefined) return []
    const isTaken = query<{ id: number }>(
      database,
      (value) => sql`select id from ${sql.identifier(type.table)}
        where ${sql.identifier(column.name)} = ${value('value', column.kind)} and id <> ${value('id', 'id')} limit 1`,
      { id: { column: 'id', kind: 'id' } },
    )
    return [{ name: attribute.name, isTaken }]
  })
}

function isUnique(attribute: Attribute): boolean {
  return 'unique' in attribute && attribute.unique === true
}
