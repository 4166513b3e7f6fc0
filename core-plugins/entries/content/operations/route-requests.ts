import { Type } from 'typebox'
import { idSchema, type Principal } from '../../../foundation/http/http.ts'
import { annotate, autosaveWrite } from '../write-annotation.ts'
import type { EntryWriteRequest, SingleWriteRequest, WriteRequest } from '../write-request.ts'

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

interface Sent<Params> {
  readonly params: Params
  readonly principal: Principal
  readonly ip: string
}

type SentForEntry<Params> = Sent<Params> & { header(name: string): string | undefined }

/** The write that a request for a type asks for. */
export function typeWrite({
  params: { type },
  principal,
  ip,
}: Sent<{ readonly type: string }>): WriteRequest {
  return { type, principal, ip }
}

/** The same for one entry. */
export function entryWrite(
  request: SentForEntry<{ readonly type: string; readonly id: number }>,
): EntryWriteRequest {
  return { ...typeWrite(request), id: request.params.id, ifMatch: request.header('if-match') }
}

/** The same for the entry of a single type. */
export function singleWrite(
  request: SentForEntry<{ readonly type: string }> & { readonly rawQuery: string },
): SingleWriteRequest {
  return { ...typeWrite(request), ifMatch: request.header('if-match'), query: request.rawQuery }
}

/** `x-autosave: 1` says that nobody has asked for this write. */
export function autosaved(request: {
  header(name: string): string | undefined
}): Pick<WriteRequest, 'annotations'> {
  return request.header('x-autosave') === '1' ? { annotations: annotate(autosaveWrite, true) } : {}
}
