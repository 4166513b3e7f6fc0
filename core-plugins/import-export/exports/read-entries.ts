import type { Content, ContentQueries, Entry } from '../../content/content.ts'
import { AppError } from '../../http/http.ts'
import type { ContentType, Schemas } from '../../schemas/schemas.ts'
import type { ExportRequest } from './export-request.ts'
import type { KeyWriter } from './write-keys.ts'

export interface ExportDeps {
  readonly content: Content
  readonly contentQueries: ContentQueries
  readonly schemas: Schemas
  readonly keyWriter: KeyWriter
}

/** An export that may begin: its query was checked, and the first entries are read. */
export interface OpenedExport {
  readonly type: ContentType
  /** The fields that entries have, in their order. */
  readonly fields: readonly string[]
  /** Entries by page; the next one is read when it is asked for. */
  readonly pages: AsyncIterable<readonly Entry[]>
}

/** Lowered to the largest page. */
const pageSize = 1_000

/**
 * Reads a list page by page, in the order of ids.
 * @throws AppError 400 for a wrong query, 401, 403, 404
 */
export async function openExport(deps: ExportDeps, request: ExportRequest): Promise<OpenedExport> {
  const { type: name, principal, rawQuery, keys } = request
  const { content, schemas, keyWriter } = deps
  const asked = new URLSearchParams(rawQuery)
  const fields = fieldsOf(deps, request, asked)
  asked.set('fields', fields.join(','))
  asked.set('limit', String(pageSize))
  const type = schemas.types.get(name)
  const read = async (cursor: string) => {
    asked.set('cursor', cursor)
    const { entries, pagination } = await content.list(name, asked.toString(), principal)
    return { entries, next: pagination.nextCursor ?? undefined }
  }
  const first = await read('')
  if (type === undefined) throw AppError.notFound(`content type ${name}`)
  async function* pages() {
    for (let page = first; ; page = await read(page.next ?? '')) {
      yield keys === 'id'
        ? page.entries
        : await keyWriter.write(type as ContentType, page.entries, { keys, principal })
      if (page.next === undefined) return
    }
  }
  return { type, fields: ['id', ...fields.filter((field) => field !== 'id')], pages: pages() }
}

/** All that is stored, and the UUID where relations are written by keys: such files are for other services. */
function fieldsOf(
  { contentQueries, schemas }: ExportDeps,
  { type, keys }: ExportRequest,
  asked: URLSearchParams,
): string[] {
  const chosen = asked.get('fields')
  if (chosen !== null && chosen !== '') return chosen.split(',')
  if (!schemas.types.has(type)) return ['id']
  const names = contentQueries
    .fieldNames(type)
    .filter((name) => contentQueries.field(type, name)?.place !== 'inverse')
  return keys === 'id' ? names : ['uuid', ...names.filter((name) => name !== 'id')]
}
