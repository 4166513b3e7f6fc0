import { Type } from 'typebox'
import type { Auth } from '../../../accounts/auth/auth.ts'
import { AppError, idSchema, type Principal } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { UnguardedContent } from '../services/content-service.ts'
import type { Trash } from '../services/trash-service.ts'
import type { UndoableWrites } from '../services/undoable-writes-service.ts'
import { annotate, autosaveWrite } from '../write-annotation.ts'
import type { EntryWriteRequest, WriteRequest } from '../write-request.ts'
import type { RouteDocuments } from './route-documents.ts'

export interface RouteDeps {
  /** The policies of the routes check permissions. */
  readonly content: UnguardedContent
  readonly undoableWrites: UndoableWrites
  readonly trash: Trash
  readonly auth: Auth
  readonly schemas: Schemas
  readonly documents: RouteDocuments
}

export const base = { access: 'permission' } as const
export const typeParams = Type.Object({ type: Type.String() })
export const entryParams = Type.Object({ type: Type.String(), id: Type.Integer({ minimum: 1 }) })
export const fieldParams = Type.Object({
  type: Type.String(),
  id: Type.Integer({ minimum: 1 }),
  field: Type.String(),
})
export const anyObject = Type.Object({})
export const ids = Type.Array(idSchema, { minItems: 1, maxItems: 1_000 })
export const strict = { additionalProperties: false }

/** @throws AppError 404 */
export function typeNamed({ types }: Schemas, name: string): ContentType {
  const type = types.get(name)
  if (type === undefined) throw AppError.notFound(`content type ${name}`)
  return type
}

/** `x-autosave: 1` says that nobody has asked for this write. */
export function autosaved(request: {
  header(name: string): string | undefined
}): Pick<WriteRequest, 'annotations'> {
  return request.header('x-autosave') === '1' ? { annotations: annotate(autosaveWrite, true) } : {}
}

/** Builds the service's write request from a route for one entry. */
export function entryWrite(request: {
  readonly params: { readonly type: string; readonly id: number }
  readonly principal: Principal
  readonly ip: string
  header(name: string): string | undefined
}): EntryWriteRequest {
  const { params, principal, ip } = request
  return { type: params.type, id: params.id, principal, ip, ifMatch: request.header('if-match') }
}
