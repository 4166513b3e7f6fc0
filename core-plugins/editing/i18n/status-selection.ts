import { type SQL, sql } from 'drizzle-orm'
import type { MetaSelection, RestrictedEntry, Restriction } from '../../entries/content/content.ts'
import { groupColumn, statusColumn } from './columns.ts'
import { translationStatuses } from './i18n.ts'

/** Selects by the status of each version, as shown in `_meta.locales`. */
export const statusSelection: MetaSelection = {
  name: 'translation_status',
  havingOneOf(_type, values) {
    const unknown = values.find((value) => !(translationStatuses as readonly string[]).includes(value))
    if (unknown !== undefined) {
      return { problem: `${unknown} is not one of ${translationStatuses.join(', ')}` }
    }
    return having([...new Set(values)])
  },
  havingNone: () => ({
    shape: 'no status',
    values: [textValue('outdated')],
    where: (entry) => {
      const status = entry.column(statusColumn)
      return sql`(${status} is null or (${status} = ${entry.value(0)} and not ${isTranslation(entry)}))`
    },
  }),
  order: () => ({ shape: 'status', values: [], of: (entry) => entry.column(statusColumn) }),
}

const textValue = (value: string) => ({ kind: 'string', value }) as const

function having(statuses: readonly string[]): Restriction {
  const isOutdated = statuses.includes('outdated')
  return {
    shape: `status ${statuses.length} ${isOutdated}`,
    values: [...statuses, 'outdated'].map(textValue),
    where: (entry) => {
      const wanted = statuses.map((_, index) => entry.value(index))
      const status = entry.column(statusColumn)
      const isWanted = sql`(${status} is not null and ${status} in (${sql.join(wanted, sql`, `)}))`
      if (!isOutdated) return isWanted
      const outdated = entry.value(statuses.length)
      return sql`(${isWanted} and (${status} <> ${outdated} or ${isTranslation(entry)}))`
    },
  }
}

/** An entry with an older version, so not the source; a source is never outdated. */
const isTranslation = (entry: RestrictedEntry): SQL =>
  entry.exists(
    (other) => sql`${other.column(groupColumn)} = ${entry.column(groupColumn)}
      and ${other.column('id')} < ${entry.column('id')}`,
  )
