import type { AuditEntry } from '../../../../../../client/admin.ts'
import type { Pagination } from '../../../../../../client/client.ts'
import { toCsv } from '../../content/list/export/csv.ts'
import { transport } from '../../ground/api/client.ts'
import { auditResource } from './audit-list.ts'

/** The maximum number of exported records that a browser handles well; larger exports should use the API. */
export const mostExported = 10_000

const pageSize = 100

export interface ExportInput {
  /** The filters as a query string for the API. */
  readonly query: string
  readonly format: 'csv' | 'json'
  readonly signal: AbortSignal
  readonly onProgress: (count: number) => void
}

export interface ExportedRecords {
  readonly file: Blob
  readonly number: number
  /** False if there are more records than can be exported. */
  readonly isWhole: boolean
}

/** Reads the matching records page by page, up to the present moment: records added meanwhile would shift the pages. */
export async function exportRecords({
  query,
  format,
  signal,
  onProgress,
}: ExportInput): Promise<ExportedRecords> {
  const records: AuditEntry[] = []
  const asked = new URLSearchParams(query)
  if (!asked.has('to')) asked.set('to', new Date().toISOString())
  asked.set('limit', String(pageSize))
  let hasMore = true
  while (hasMore && records.length < mostExported) {
    asked.set('offset', String(records.length))
    const path = `${auditResource.path}?${asked}`
    const { data, pagination } = await transport.send<readonly AuditEntry[]>('GET', path, { signal })
    records.push(...data)
    onProgress(records.length)
    hasMore = (pagination as Pagination).hasMore && data.length > 0
  }
  return { file: fileOf(records, format), number: records.length, isWhole: !hasMore }
}

function fileOf(records: readonly AuditEntry[], format: 'csv' | 'json'): Blob {
  if (format === 'json') {
    return new Blob([`${JSON.stringify(records, undefined, 2)}\n`], { type: 'application/json' })
  }
  const rows = records.map(({ id, created_at: at, action, actor, resource, ip, details }) => [
    ...[id, at, action, actor?.kind ?? null, actor?.id ?? null, actor?.name ?? null, resource, ip],
    details === null ? null : JSON.stringify(details),
  ])
  const head = [
    'id',
    'created_at',
    'action',
    'actor.kind',
    'actor.id',
    'actor.name',
    'resource',
    'ip',
    'details',
  ]
  return new Blob([toCsv([head, ...rows])], { type: 'text/csv' })
}
