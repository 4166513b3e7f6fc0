import { Type } from 'typebox'
import { defineRoute, Reply, type Route, stream } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { ExportService } from './export-service.ts'
import { keyKinds, mediaKinds } from './exports/export-request.ts'
import { formats, mediaTypes } from './formats/format.ts'

const own = {
  format: Type.Optional(Type.Enum([...formats], { description: 'Default: ndjson, an entry a line' })),
  keys: Type.Optional(
    Type.Enum([...keyKinds], {
      description: 'How relations are written. Default: id, which means nothing to another service',
    }),
  ),
  media: Type.Optional(
    Type.Enum([...mediaKinds], {
      description:
        'Whether files are written like relations (default), or as the URLs from which they can be fetched',
    }),
  ),
}

/** The parameters of lists that select entries and fields. */
const listed = {
  fields: Type.Optional(Type.String({ description: 'Separated by commas; default: all that is stored' })),
  locale: Type.Optional(Type.String()),
  published: Type.Optional(Type.Boolean({ description: 'True: published only; false: drafts only' })),
  draft: Type.Optional(
    Type.Boolean({ description: 'With pending drafts applied; requires access to drafts' }),
  ),
}

/** See docs/import-export.md. */
export function exportRoute(exports: ExportService, { types }: Schemas): Route {
  return defineRoute({
    name: 'content:entries.export',
    method: 'GET',
    path: '/content/:type/export',
    summary: 'All entries of a list, as a file',
    access: 'permission',
    scope: 'content:read',
    policies: ['content.read'],
    params: Type.Object({ type: Type.String() }),
    query: Type.Object(own, { additionalProperties: true }),
    rawResponse: mediaTypes.ndjson,
    document: () =>
      [...types.values()].map((type) => ({
        name: `content:${type.name}.entries.export`,
        path: `/content/${type.name}/export`,
        tag: type.displayName,
        summary: `All ${type.pluralName}, as a file`,
        params: Type.Object({}),
        values: { type: type.name },
        query: Type.Object({ ...own, ...listed }),
      })),
    async handler({ params: { type }, query, rawQuery, principal, isHead }) {
      const { format = 'ndjson', keys = 'id', media = 'key' } = query
      const asked = new URLSearchParams(rawQuery)
      for (const name of Object.keys(own)) asked.delete(name)
      const file = await exports.open({ type, format, keys, media, principal, rawQuery: asked.toString() })
      if (isHead) file.destroy()
      const { status, body } = stream(file, mediaTypes[format])
      const headers = {
        'content-disposition': `attachment; filename="${type}.${format}"`,
        'cache-control': 'no-store',
      }
      return new Reply(status, body, headers)
    },
  })
}
