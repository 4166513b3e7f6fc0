import {
  type Content,
  type ContentQueries,
  draftMark,
  type Entry,
  parseBoolean,
} from '../../../entries/content/content.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import { localizationOf } from '../imports/read-record.ts'
import type { ExportRequest } from './export-request.ts'
import type { KeyWriter } from './write-keys.ts'

export interface ExportDeps {
  readonly content: Content
  readonly contentQueries: ContentQueries
  readonly schemas: Schemas
  readonly keyWriter: KeyWriter
}

/** An export whose query was checked and whose first entries were read. */
export interface OpenedExport {
  readonly type: ContentType
  /** The fields that entries have, in their order. */
  readonly fields: readonly string[]
  /** The entries page by page; each page is read when it is requested. */
  readonly pages: AsyncIterable<readonly Entry[]>
}

/** Reduced to `api.pagination.maxLimit`. */
const pageSize = 1_000

/** Parameters of lists that have no meaning in exports: page, order and populate. */
const withoutMeaning = ['sort', 'sortOrder', 'limit', 'offset', 'cursor', 'total', 'populate']

/**
 * Reads a list page by page, in the order of ids: entries that exist at the beginning and are not deleted meanwhile are read exactly
 * once.
 * @throws AppError 400 for a wrong query, 401, 403, 404
 */
export async function openExport(deps: ExportDeps, request: ExportRequest): Promise<OpenedExport> {
  const { type: name, rawQuery, keys, media, principal } = request
  const { content, schemas, keyWriter } = deps
  const asked = new URLSearchParams(rawQuery)
  assertMeaningful(asked)
  const isWhole = (asked.get('fields') ?? '') === ''
  const fields = isWhole ? allFields(deps, request) : (asked.get('fields') ?? '').split(',')
  asked.set('fields', fields.join(','))
  asked.set('limit', String(pageSize))
  asked.set('sort', 'id')
  const type = schemas.types.get(name)
  const read = async (cursor: string) => {
    asked.set('cursor', cursor)
    const { entries, pagination } = await content.list(name, asked.toString(), principal)
    return { entries, next: pagination.nextCursor ?? undefined }
  }
  const first = await read('')
  if (type === undefined) throw AppError.notFound(`content type ${name}`)
  const writing = { keys, media, principal }
  const written = async (entries: readonly Entry[]) => {
    if (keys === 'id' && media === 'key') return entries
    const copies = await keyWriter.write(type, entries, writing)
    return isWhole && keys !== 'id' ? keyWriter.addSources(type, copies, writing) : copies
  }
  async function* pages() {
    for (let page = first; ; page = await read(page.next ?? '')) {
      yield await written(page.entries)
      if (page.next === undefined) return
    }
  }
  const hasSources = isWhole && keys !== 'id' && type.options.i18n.enabled
  const shown = [
    ...['id', ...fields.filter((field) => field !== 'id' && field !== draftMark)],
    ...(hasSources ? [localizationOf] : []),
    ...(showsDrafts(asked) ? [draftMark] : []),
  ]
  return { type, fields: shown, pages: pages() }
}

/** @throws AppError 400 */
function assertMeaningful(asked: URLSearchParams): void {
  const nameOf = (parameter: string) => parameter.split('[', 1)[0] ?? parameter
  const names = [...new Set([...asked.keys()].map(nameOf))].filter((name) => withoutMeaning.includes(name))
  if (names.length === 0) return
  const message = 'does not apply to exports, which are whole and in the order of ids'
  throw AppError.invalid(names.map((path) => ({ path, code: 'unsupported', message })))
}

/** Whether entries show `has_draft` regardless of the requested fields, because an import must know whether it reads a draft. */
function showsDrafts(asked: URLSearchParams): boolean {
  const draft = parseBoolean(asked.get('draft') ?? 'false')
  return 'value' in draft && draft.value === true
}

/** All stored fields, and the UUID if relations are written by keys, because such files are for other services. */
function allFields({ contentQueries, schemas }: ExportDeps, { type, keys }: ExportRequest): string[] {
  if (!schemas.types.has(type)) return ['id']
  const names = contentQueries
    .fieldNames(type)
    .filter((name) => contentQueries.field(type, name)?.place !== 'inverse')
  return keys === 'id' ? names : ['uuid', ...names.filter((name) => name !== 'id')]
}
