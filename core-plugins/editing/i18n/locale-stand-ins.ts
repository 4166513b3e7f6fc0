import { sql } from 'drizzle-orm'
import type { RestrictedEntry, StandInChoice, StandIns } from '../../entries/content/content.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import { groupColumn, isLocalized, localeColumn } from './columns.ts'
import { leadingToLocalized } from './leading-types.ts'
import { isIn, localeSchema, readsVersions, text } from './locale-parameters.ts'
import type { Locales } from './locales.ts'

/** The read parameter `locale` for populated entries; see docs/localisation.md. */
export function localeStandIns(locales: Locales, schemas: Schemas): StandIns {
  const localized = [...schemas.types.values()].filter(isLocalized)
  const leading = leadingToLocalized(schemas)
  return {
    parameters: { locale: localeSchema('The locale in which relations are populated') },
    matches: ({ name }) => leading.has(name),
    choose({ type, values: { locale }, problems }) {
      if (locale === undefined) return []
      // For localised types, `localeParameters` already reports problems.
      const problem = isLocalized(type) ? undefined : locales.problemOfAny(localized, locale)
      if (problem !== undefined) problems.push(problem)
      const standards = new Set(localized.map(locales.defaultOf))
      return [...standards].map((standard) => standingIn(locale, standard, locales))
    },
  }
}

/** The version in a locale, else in the default locale, else the oldest one. */
function standingIn(locale: string, standard: string, { defaultOf }: Locales): StandInChoice {
  return {
    matches: (type: ContentType) => isLocalized(type) && defaultOf(type) === standard,
    restriction: {
      shape: 'standing in',
      values: [text(locale), text(standard)],
      where: (entry) => sql`${isIn(entry, 0)} or not ${entry.exists((other) => goesFirst(other, entry))}`,
      reads: readsVersions,
      sharing: groupColumn,
    },
  }
}

const goesFirst = (other: RestrictedEntry, entry: RestrictedEntry) => sql`
  ${other.column(groupColumn)} = ${entry.column(groupColumn)} and (${isIn(other, 0)} or (
    ${entry.column(localeColumn)} <> ${entry.value(1)} and
    (${isIn(other, 1)} or ${other.column('id')} < ${entry.column('id')})
  ))`
