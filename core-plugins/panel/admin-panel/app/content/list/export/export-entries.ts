import type { DescribedType } from '../../../ground/api/content-types.ts'
import { valueKindOf } from '../../schema/value-kinds.ts'
import { publicationOf } from '../cells/publication.tsx'
import type { ShownColumn } from '../columns/shown-columns.ts'
import type { EntryRow } from '../data/entry-row.ts'
import { pagesByOffset, rowRequest, selectionRequest } from '../data/list-request.ts'
import { readPage } from '../data/use-entries.ts'
import { titleOf } from '../data/use-titles.ts'
import type { ListState } from '../state/list-state.ts'
import { toCsv } from './csv.ts'

export type ExportFormat = 'csv' | 'json'

/** The maximum number of exported entries that a browser handles well; larger exports should use the API. */
export const mostExported = 10_000

const pageSize = 100

export interface ExportInput {
  readonly type: DescribedType
  readonly state: ListState
  readonly columns: readonly ShownColumn[]
  readonly format: ExportFormat
  readonly signal: AbortSignal
  readonly onProgress: (count: number) => void
}

/** Reads the entries of a list, in its order, and writes its columns into a file. */
export async function exportEntries(input: ExportInput): Promise<Blob> {
  const entries: EntryRow[] = []
  for await (const page of pagesOf(input)) {
    entries.push(...page)
    input.onProgress(entries.length)
    if (entries.length >= mostExported) break
  }
  const rows = entries.slice(0, mostExported)
  if (input.format === 'json') {
    return new Blob([`${JSON.stringify(rows, undefined, 2)}\n`], { type: 'application/json' })
  }
  return new Blob([csvOf(rows, input)], { type: 'text/csv' })
}

async function* pagesOf({ type, state, columns, format, signal }: ExportInput) {
  const request = {
    ...selectionRequest(type, state),
    ...rowsOf(type, columns, state, format),
    limit: pageSize,
    signal,
  }
  const isByOffset = pagesByOffset(state)
  let [cursor, offset]: [string | null | undefined, number] = ['', 0]
  for (;;) {
    const place = isByOffset ? { offset } : { cursor }
    const { data, pagination } = await readPage(type, { ...request, ...place, total: false })
    yield data
    if (!pagination.hasMore) return
    cursor = pagination.nextCursor
    offset += pageSize
  }
}

/** CSV contains the titles of related entries; JSON contains ids, as in the API. */
function rowsOf(
  type: DescribedType,
  columns: readonly ShownColumn[],
  state: ListState,
  format: ExportFormat,
) {
  const request = rowRequest(type, columns, state)
  if (format === 'json') return { ...request, populate: undefined }
  const named = columns.flatMap(({ kind, field }) =>
    field !== undefined && (kind === 'relation' || kind === 'media') ? [[field, true]] : [],
  )
  return { ...request, populate: named.length === 0 ? undefined : Object.fromEntries(named) }
}

function csvOf(entries: readonly EntryRow[], { columns }: ExportInput): string {
  const shown = columns.filter(({ id }) => id !== 'id')
  const head = ['id', ...shown.map(({ label }) => label)]
  return toCsv([head, ...entries.map((entry) => [entry.id, ...shown.map((column) => textOf(column, entry))])])
}

function textOf(column: ShownColumn, entry: EntryRow): string | number | boolean | null {
  const { kind, field, meta, target } = column
  const value = meta === undefined ? entry[field ?? ''] : entry._meta?.[meta]
  if (kind === 'publication') return publicationOf(entry)
  if (value === null || value === undefined) return null
  if (kind === 'media') return listed(value, (file) => String((file as { readonly url?: string }).url))
  if (kind === 'relation')
    return listed(value, (related) => (target ? titleOf(target, related as EntryRow) : ''))
  if (kind === 'locales') return listed(value, (version) => (version as { readonly locale: string }).locale)
  if (kind === 'person' || kind === 'people') {
    return listed(value, (person) => (person as { readonly username: string }).username)
  }
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const { textOf: read = String } = valueKindOf(column.attribute?.type ?? 'string')
  return read(value)
}

const listed = (value: unknown, name: (item: unknown) => string) => [value].flat().map(name).join('; ')
