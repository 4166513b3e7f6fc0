import { Type } from 'typebox'
import {
  defineRoute,
  momentSchema,
  orNull,
  presenterOf,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  timestampSchema,
} from '../../foundation/http/http.ts'
import type { AuditLog } from './audit-log.ts'
import type { AuditEntry } from './tables.ts'

const actorSchema = Type.Object(
  {
    kind: Type.String({ description: '`admin`, `user` or `token`' }),
    id: Type.Integer(),
    name: Type.String(),
  },
  strict,
)

/** An action as it was recorded. */
export const auditEntrySchema = Type.Object(
  {
    id: Type.Integer(),
    action: Type.String({ description: '`<area>.<verb>`' }),
    actor: orNull(actorSchema),
    resource: orNull(Type.String()),
    details: Type.Unknown(),
    ip: orNull(Type.String()),
    created_at: timestampSchema,
  },
  strict,
)

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 255, description }))

/** The read-only routes of the audit log; see docs/operations.md. */
export function createAuditRoute(log: AuditLog): Route {
  return defineRoute({
    name: 'admin:audit-logs.list',
    method: 'GET',
    path: '/admin/audit-logs',
    summary: 'Who did what, newest first',
    tag: 'Audit log',
    access: 'area',
    scope: 'admin:audit:read',
    query: Type.Object(
      {
        action: text('`backup.restore`, or `content.*` for all of an area'),
        actor: text('A name, an id, or a kind with an id: `admin:1`, `user:7`, `token:3`'),
        resource: text('`article:5`, or `article` for all of them'),
        from: Type.Optional(momentSchema),
        to: Type.Optional(momentSchema),
        ...rangeQuery,
      },
      strict,
    ),
    response: Type.Array(auditEntrySchema),
    isPaginated: true,
    async handler({ query }) {
      const range = rangeOf(query)
      const { entries, total } = await log.list(query, range)
      return rangePage(
        entries.map((entry) => present({ ...entry, actor: actorOf(entry) })),
        total,
        range,
      )
    },
  })
}

const present = presenterOf(auditEntrySchema)

function actorOf({ actorKind: kind, actorId: id, actorName: name }: AuditEntry) {
  return kind === null || id === null || name === null ? null : { kind, id, name }
}
