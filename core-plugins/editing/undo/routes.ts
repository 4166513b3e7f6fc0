import { Type } from 'typebox'
import { defineRoute, type Policy, type Route, strict } from '../../foundation/http/http.ts'
import { type RevertBatchParts, revertBatch } from './revert-batch.ts'

/** Admin users and tokens: what they may revert depends on the batch. */
export const revertPolicy: Policy = {
  name: 'content.revert',
  checksTypes: true,
  check: ({ principal }) => principal.kind === 'admin' || principal.kind === 'token',
}

const leftOutSchema = Type.Object(
  {
    id: Type.Integer(),
    reason: Type.Enum(['changed', 'gone', 'refused']),
    problems: Type.Array(Type.Object({ path: Type.String(), code: Type.String() }, strict)),
  },
  strict,
)

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
    response: Type.Object(
      {
        type: Type.String(),
        operation: Type.Enum(['update', 'delete', 'publish', 'unpublish']),
        count: Type.Integer(),
        ids: Type.Array(Type.Integer()),
        leftOut: Type.Array(leftOutSchema),
      },
      strict,
    ),
    handler: ({ params, principal, ip }) => revertBatch(parts, { batch: params.id, principal, ip }),
  })
}
