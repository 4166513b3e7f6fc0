import { Type } from 'typebox'
import { defineRoute, Reply, type Route, stream } from '../http/http.ts'
import type { ExportService } from './export-service.ts'
import { keyKinds } from './exports/export-request.ts'
import { formats, mediaTypes } from './formats/format.ts'

const own = {
  format: Type.Optional(Type.Enum([...formats], { description: 'Default: ndjson, an entry a line' })),
  keys: Type.Optional(
    Type.Enum([...keyKinds], {
      description: 'How relations are written. Default: id, which means nothing to another service',
    }),
  ),
}

/** See docs/import-export.md. */
export function exportRoute(exports: ExportService): Route {
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
    async handler({ params: { type }, query, rawQuery, principal, isHead }) {
      const { format = 'ndjson', keys = 'id' } = query
      const asked = new URLSearchParams(rawQuery)
      for (const name of Object.keys(own)) asked.delete(name)
      const file = await exports.open({ type, format, keys, principal, rawQuery: asked.toString() })
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
