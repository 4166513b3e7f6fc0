import { Type } from 'typebox'
import { publicationTimesIn } from '../../entries/content/content.ts'
import { defineRoute, idSchema, type Route, strict, timestampSchema } from '../../foundation/http/http.ts'
import type { TimeChanges } from './time-changes.ts'

const momentOrNull = Type.Union([Type.String(), Type.Null()])

/** See docs/content-api.md. */
export function unpublishTimeRoutes(changes: TimeChanges): Route[] {
  return [
    defineRoute({
      name: 'content:entries.unpublish-at',
      method: 'PUT',
      path: '/content/:type/:id/unpublish-at',
      tag: 'Content',
      summary: 'Set the time at which an entry is unpublished',
      description: 'Null: it stays public. The entry itself does not change.',
      access: 'permission',
      scope: 'content:publish',
      policies: ['content.publish'],
      params: Type.Object({ type: Type.String(), id: idSchema }),
      body: Type.Object({ unpublishAt: momentOrNull }, strict),
      response: Type.Object({ unpublishAt: Type.Union([timestampSchema, Type.Null()]) }, strict),
      takesIfMatch: true,
      async handler(request) {
        const { params, body, principal, ip } = request
        const { unpublishAt = null } = publicationTimesIn(body)
        await changes.set({ ...params, unpublishAt, principal, ip, ifMatch: request.header('if-match') })
        return { unpublishAt }
      },
    }),
  ]
}
