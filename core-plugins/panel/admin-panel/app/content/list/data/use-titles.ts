import { useQueries } from '@tanstack/react-query'
import type { DescribedType } from '../../../ground/api/content-types.ts'
import type { ShownColumn } from '../columns/shown-columns.ts'
import type { EntryRow } from './entry-row.ts'
import { readPage } from './use-entries.ts'

/** The titles of related entries by type and id; titles that are not loaded yet are missing. */
export type Titles = ReadonlyMap<string, ReadonlyMap<number, string>>

/** How many entries of a to-many relation a cell names. */
export const namedInCell = 3

const idsPerRequest = 100

/** Loads the titles of related entries: one request per page of rows and type. */
export function useRowTitles(pages: Pages, columns: readonly ShownColumn[]): Titles {
  const targets = targetsOf(columns)
  return useTitles(
    pages.flatMap((rows) =>
      targets.map(({ target, fields }) => ({ type: target, ids: idsIn(rows, fields) })),
    ),
  )
}

type Pages = readonly (readonly EntryRow[])[]

export interface WantedTitles {
  readonly type: DescribedType
  readonly ids: readonly number[]
}

/** Loads the titles of entries by id. */
export function useTitles(wanted: readonly WantedTitles[]): Titles {
  const requests = wanted.flatMap(({ type, ids }) => chunks(ids).map((chunk) => ({ type, ids: chunk })))
  return useQueries({
    queries: requests.map(({ type, ids }) => ({
      queryKey: ['titles', type.name, ids],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => ({
        type: type.name,
        titles: await readTitles(type, ids, signal),
      }),
      staleTime: 60_000,
    })),
    combine: joined,
  })
}

/** An entry's title, or its id if the title is empty. */
export function titleOf(type: Pick<DescribedType, 'titleField'>, entry: EntryRow): string {
  const title = entry[type.titleField]
  return title === null || title === undefined || title === '' ? `#${entry.id}` : String(title)
}

async function readTitles(type: DescribedType, ids: readonly number[], signal: AbortSignal) {
  const filters = { id: { $in: ids.join(',') } }
  const request = { filters, fields: [type.titleField], limit: idsPerRequest, total: false, signal }
  const { data } = await readPage(type, request)
  return new Map(data.map((entry) => [entry.id, titleOf(type, entry)]))
}

interface Found {
  readonly data?: { readonly type: string; readonly titles: ReadonlyMap<number, string> } | undefined
}

function joined(results: readonly Found[]): Titles {
  const titles = new Map<string, Map<number, string>>()
  for (const { data } of results) {
    if (data === undefined) continue
    const ofType = titles.get(data.type) ?? new Map<number, string>()
    for (const [id, title] of data.titles) ofType.set(id, title)
    titles.set(data.type, ofType)
  }
  return titles
}

function targetsOf(columns: readonly ShownColumn[]) {
  const fieldsByTarget = new Map<DescribedType, string[]>()
  for (const { kind, field, target } of columns) {
    if (kind !== 'relation' || field === undefined || target === undefined || target.system) continue
    fieldsByTarget.set(target, [...(fieldsByTarget.get(target) ?? []), field])
  }
  return [...fieldsByTarget].map(([target, fields]) => ({ target, fields }))
}

function idsIn(rows: readonly EntryRow[], fields: readonly string[]): readonly number[] {
  const ids = rows.flatMap((row) => fields.flatMap((field) => [row[field]].flat().slice(0, namedInCell)))
  return [...new Set(ids.filter((id) => typeof id === 'number'))].sort((left, right) => left - right)
}

function chunks(ids: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(ids.length / idsPerRequest)
  return Array.from({ length: count }, (_, index) =>
    ids.slice(index * idsPerRequest, (index + 1) * idsPerRequest),
  )
}
