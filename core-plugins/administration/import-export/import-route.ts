import { Type } from 'typebox'
import { AppError, accepted, defineRoute, type Route, strict } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import { type Format, formatOfType, formats, mediaTypes } from './formats/format.ts'
import type { HttpImports } from './http-imports.ts'

const query = {
  match: Type.Optional(
    Type.String({ description: 'A unique attribute, or uuid: an entry with the same value is changed' }),
  ),
  publish: Type.Optional(
    Type.Boolean({ description: 'True: entries whose record names no time are published' }),
  ),
  dryRun: Type.Optional(
    Type.Boolean({ description: 'True: stores nothing, and tells all that would be refused' }),
  ),
  state: Type.Optional(
    Type.Enum(['keep', 'ignore'], {
      description: 'Whether times, publication and UUIDs of records count; default: keep',
    }),
  ),
}

const reportSchema = Type.Object(
  {
    records: Type.Integer({ description: 'How many were read' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    refused: Type.Integer({ description: 'How many were left out because something is wrong with them' }),
    problems: Type.Array(
      Type.Object(
        {
          line: Type.Integer(),
          type: Type.String(),
          path: Type.String(),
          code: Type.String(),
          message: Type.String(),
        },
        strict,
      ),
      { description: 'The first thousand' },
    ),
    problemCount: Type.Integer(),
  },
  { ...strict, title: 'Report' },
)

const response = Type.Union([
  reportSchema,
  Type.Object({ job: Type.Integer() }, { ...strict, title: 'Job', description: 'Of a large file, with 202' }),
])

/** Bodies are streamed, so no schema checks them. JSON comes first because generated clients use the first media type. */
const bodyTypes = {
  [mediaTypes.json]: Type.Array(Type.Object({}, { additionalProperties: true })),
  [mediaTypes.ndjson]: Type.String({ description: 'A record a line, each an object in JSON' }),
  [mediaTypes.csv]: Type.String({ description: 'A record a row, below a row with the names of the columns' }),
}

/** See docs/import-export.md. */
export function importRoute(imports: HttpImports, { types }: Schemas): Route {
  return defineRoute({
    name: 'content:entries.import',
    method: 'POST',
    path: '/content/:type/import',
    summary: 'Import entries from a file',
    access: 'permission',
    scope: 'content:write',
    // The policy of creating one entry, which covers single types: their entry is created by an update.
    policies: ['content.check'],
    params: Type.Object({ type: Type.String() }),
    query: Type.Object(query, strict),
    bodyMode: 'stream',
    // The limit is a setting of its own, which is enforced while the file is read.
    maxBodyBytes: Number.MAX_SAFE_INTEGER,
    bodyTypes,
    response,
    document: () =>
      [...types.values()].map((type) => ({
        name: `content:${type.name}.entries.import`,
        path: `/content/${type.name}/import`,
        tag: type.displayName,
        summary: `Import ${type.pluralName} from a file`,
        params: Type.Object({}),
        values: { type: type.name },
        query: Type.Object(query, strict),
        response,
      })),
    async handler(request) {
      const { params, query: options, stream, principal, ip, signal } = request
      const format = assertFormat(request.header('content-type'))
      const { type } = params
      const declared = request.header('content-length')
      const length = declared === undefined ? undefined : Number(declared)
      const outcome = await imports.take({ type, format, options, stream, length, principal, ip, signal })
      return outcome.isLater ? accepted(outcome.answer) : outcome.answer
    },
  })
}

function assertFormat(contentType: string | undefined): Format {
  const format = formatOfType(contentType)
  if (format !== undefined) return format
  const known = formats.map((each) => mediaTypes[each]).join(', ')
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', `send a file as one of ${known}`)
}
