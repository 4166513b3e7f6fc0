import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import {
  type EntryParameters,
  type ParameterRequest,
  parseBoolean,
  type RestrictedEntry,
  type Restriction,
} from '../../entries/content/content.ts'
import { groupColumn, isLocalized, localeColumn, maxLocaleLength } from './columns.ts'
import type { Locales } from './locales.ts'

export const localeSchema = (description: string) =>
  Type.Optional(Type.String({ maxLength: maxLocaleLength, description }))

/** The read parameters `locale` and `fallback`; see docs/localisation.md. */
export function localeParameters(locales: Locales): EntryParameters {
  return {
    parameters: {
      locale: localeSchema('Only entries in this locale; relations are populated in it, too'),
      fallback: Type.Optional(
        Type.Boolean({
          description: 'Falls back to the default locale for entries without a version in `locale`',
        }),
      ),
    },
    matches: isLocalized,
    restrict(request) {
      const { type, place, values, problems } = request
      const isFallback = parseFallback(request)
      const standard = locales.defaultOf(type)
      if (values.locale === undefined) {
        if (isFallback) problems.push({ path: 'fallback', code: 'conflict', message: 'needs a locale' })
        if (place === 'put') return inLocale(standard)
        return place === 'single' ? preferably(standard) : undefined
      }
      const problem = locales.problemOf(type, values.locale)
      if (problem !== undefined) {
        problems.push(problem)
        return undefined
      }
      const isExact = !isFallback || values.locale === standard
      const restriction = isExact ? inLocale(values.locale) : withFallback(values.locale, standard)
      return place === 'find' ? { ...restriction, sharing: groupColumn } : restriction
    },
  }
}

function parseFallback({ values, problems }: ParameterRequest): boolean {
  if (values.fallback === undefined) return false
  const parsed = parseBoolean(values.fallback)
  if ('value' in parsed) return parsed.value === true
  problems.push({ path: 'fallback', code: 'type', message: parsed.problem })
  return false
}

export const isIn = (entry: RestrictedEntry, index: number) =>
  sql`${entry.column(localeColumn)} = ${entry.value(index)}`

/** True for entries with a version in the first locale that is visible to the read. */
const hasFirst = (entry: RestrictedEntry) =>
  entry.exists(
    (other) => sql`${other.column(groupColumn)} = ${entry.column(groupColumn)} and ${isIn(other, 0)}`,
  )

export const text = (value: string) => ({ kind: 'string', value }) as const

/** The restriction depends on other versions of the entry: whether one exists that the read may show. */
export const readsVersions = { fields: [localeColumn, 'published_at'] }

function inLocale(locale: string): Restriction {
  return {
    shape: 'in',
    values: [text(locale)],
    where: (entry) => isIn(entry, 0),
    reads: {
      fields: [localeColumn],
      test: ({ [localeColumn]: own }) => (own === undefined ? undefined : own === locale),
    },
  }
}

function withFallback(locale: string, standard: string): Restriction {
  return {
    shape: 'fallback',
    values: [text(locale), text(standard)],
    where: (entry) => sql`${isIn(entry, 0)} or (${isIn(entry, 1)} and not ${hasFirst(entry)})`,
    reads: readsVersions,
  }
}

/** The version in a locale if the entry has one, otherwise any version. */
function preferably(locale: string): Restriction {
  return {
    shape: 'preferably',
    values: [text(locale)],
    where: (entry) => sql`${isIn(entry, 0)} or not ${hasFirst(entry)}`,
    reads: readsVersions,
  }
}
