import { Type } from 'typebox'
import { defineRoute, type Policy, type Route } from '../../foundation/http/http.ts'
import { type RevertBatchParts, revertBatch, revertedBatchSchema } from './revert-batch.ts'

/** For admin users and tokens: further permissions depend on the batch. */
export const revertPolicy: Policy = {
  name: 'content.revert',
  checksTypes: true,
  check: ({ principal }) => principal.kind === 'admin' || principal.kind === 'token',
}

/** See docs/content-api.md. */
export function revertRoute(parts: RevertBatchParts): Route {
  return defineRoute({
    name: 'admin:batches.revert',
    method: 'POST',
    path: '/admin/batches/:id/revert',
    tag: 'Content',
    summary: 'Undo a bulk write of the last ten minutes',
    description:
      'Restores the entries that nobody has changed since, with the rights that their writes need.',
    access: 'permission',
    scope: ['content:write', 'content:publish', 'content:delete'],
    policies: [revertPolicy.name],
    params: Type.Object({ id: Type.String() }),
    response: revertedBatchSchema,
    handler: ({ params, principal, ip }) => revertBatch(parts, { batch: params.id, principal, ip }),
  })
}
