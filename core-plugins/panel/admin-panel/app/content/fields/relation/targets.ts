import { useQueries } from '@tanstack/react-query'
import { batched } from '../../../ground/api/batched.ts'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import type { EntryRow } from '../../list/data/entry-row.ts'
import { searchEntries } from '../../list/data/search-entries.ts'
import { readPage } from '../../list/data/use-entries.ts'
import { titleOf } from '../../list/data/use-titles.ts'

/** A related entry as shown in the form. */
export interface Target {
  readonly id: number
  readonly title: string
  /** Whether the entry is not public. */
  readonly isDraft: boolean
}

/** The related entries of a field by id: undefined while loading, null if an entry does not exist or may not be read. */
export function useTargets(
  type: DescribedType,
  ids: readonly number[],
): ReadonlyMap<number, Target | null | undefined> {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ['targets', type.name, id],
      queryFn: () => target(type, id),
      staleTime: 60_000,
    })),
    combine: (results) => new Map(ids.map((id, index) => [id, results[index]?.data])),
  })
}

type Loader = (id: number) => Promise<Target | null>

/** One loader per type, so that all fields of a form with the same target type share a request. */
const loaders = new Map<string, Loader>()

function target(type: DescribedType, id: number): Promise<Target | null> {
  const loader =
    loaders.get(type.name) ??
    batched((ids) => readTargets(type, { filters: { id: { $in: ids.join(',') } }, limit: ids.length }))
  loaders.set(type.name, loader)
  return loader(id)
}

export interface TargetSearch {
  readonly text: string
  readonly locale: string | undefined
  readonly signal: AbortSignal
}

/** Entries that match the search, or the most recently changed ones. */
export async function searchTargets(
  type: DescribedType,
  { text, locale, signal }: TargetSearch,
): Promise<readonly Target[]> {
  const order = type.options.timestamps === false ? {} : { sort: 'updated_at:desc' }
  const inLocale = locale !== undefined && type.locales.includes(locale) ? { locale } : {}
  const request = { ...order, ...inLocale, fields: targetFields(type), signal }
  return targetsOf(type, await searchEntries(type, text, request))
}

/** One page of the entries that refer to this one by their field. */
export async function readTargets(
  type: DescribedType,
  request: Readonly<Record<string, unknown>>,
): Promise<readonly Target[]> {
  const { data } = await readPage(type, { total: false, ...request, fields: targetFields(type) })
  return targetsOf(type, data)
}

const hasDrafts = ({ options }: DescribedType) => options.draftAndPublish === true

const targetFields = (type: DescribedType) => [type.titleField, ...(hasDrafts(type) ? ['published_at'] : [])]

const targetsOf = (type: DescribedType, entries: readonly EntryRow[]): Target[] =>
  entries.map((entry) => ({
    id: entry.id,
    title: titleOf(type, entry),
    isDraft: hasDrafts(type) && entry.published_at === null,
  }))
