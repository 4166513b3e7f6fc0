import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { TranslationMeta } from '../../../../../../client/client.ts'
import type { Entry } from '../../content/entry/store/entry-store.ts'
import { readPage } from '../../content/list/data/use-entries.ts'
import { api } from '../../ground/api/client.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'

export type TranslationStatus = TranslationMeta['status']

/** In order of progress; `outdated` is set by the service only. */
export const translationStatuses = ['draft', 'in_review', 'approved', 'published', 'outdated'] as const

/** An entry in all its languages. */
export interface Localizations {
  readonly localizations: readonly Entry[]
  readonly translationMeta: Readonly<Record<string, TranslationMeta>>
}

/** A field of the original compared with its translation. */
export interface ComparedField {
  readonly field: string
  readonly source: unknown
  /** Whether the original has changed since the translation was up to date. */
  readonly changed: boolean
  /** The value of the original at that time; absent if it was too long to be stored. */
  readonly before?: unknown
}

/** The query key of an entry's translations. */
const localizationsKey = (type: DescribedType, id: number) => ['localizations', type.name, id]

const pathOf = (type: DescribedType, id: number) =>
  `/content/${encodeURIComponent(type.name)}/${id}/localizations`

/** Reads an entry in all its languages, by the id of any of them. */
export function useLocalizations(type: DescribedType, id: number): UseQueryResult<Localizations> {
  return useQuery({
    queryKey: localizationsKey(type, id),
    queryFn: ({ signal }) => api.send<Localizations>('GET', pathOf(type, id), { signal }),
  })
}

/** What has changed in the original since a translation was up to date, by field. */
export function useComparison(type: DescribedType, version: TranslationMeta | undefined) {
  const { data } = useQuery({
    queryKey: ['localizations', type.name, 'diff', version?.id, version?.status],
    queryFn: ({ signal }) =>
      api.send<{ readonly fields: readonly ComparedField[] }>(
        'GET',
        `${pathOf(type, version?.id ?? 0)}/diff`,
        {
          signal,
        },
      ),
    enabled: version?.status === 'outdated',
  })
  const changed = (data?.fields ?? []).filter((each) => each.changed)
  return new Map(changed.map((each) => [each.field, each]))
}

/** Reloads after the form has saved, since a translation or its status may have changed. */
export function useFollowedSaves(type: DescribedType, etag: string | undefined) {
  const queries = useQueryClient()
  useEffect(() => {
    if (etag !== undefined) void queries.invalidateQueries({ queryKey: ['localizations', type.name] })
  }, [queries, type, etag])
}

/** Sets the status of a translation. */
export function setStatus(
  type: DescribedType,
  id: number,
  body: { readonly status: TranslationStatus; readonly notes?: string | null },
): Promise<unknown> {
  return api.send('PUT', `${pathOf(type, id)}/status`, { body })
}

export interface Outdated {
  readonly total: number
  /** The id of the next outdated entry after a given id, else the first one. */
  readonly next: number | undefined
}

/** The number of outdated translations in a language, and the next one. */
export function useOutdated(type: DescribedType, locale: string, after: number): Outdated | undefined {
  const { data } = useQuery({
    queryKey: ['entries', type.name, 'outdated', locale, after],
    queryFn: ({ signal }) => readOutdated(type, { locale, after }, signal),
  })
  return data
}

async function readOutdated(
  type: DescribedType,
  { locale, after }: { readonly locale: string; readonly after: number },
  signal: AbortSignal,
): Promise<Outdated> {
  const status = { translation_status: { $eq: 'outdated' } }
  const read = (filters: object) =>
    readPage(type, { locale, filters, fields: ['id'], sort: 'id:asc', limit: 1, signal })
  const [all, later] = await Promise.all([read(status), read({ $and: [status, { id: { $gt: after } }] })])
  return { total: all.pagination.total ?? 0, next: (later.data[0] ?? all.data[0])?.id }
}
