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

/** The write request behind a REST request on a type. */
export function typeWrite({
  params: { type },
  principal,
  ip,
}: Sent<{ readonly type: string }>): WriteRequest {
  return { type, principal, ip }
}

/** The write request behind a REST request on one entry. */
export function entryWrite(
  request: SentForEntry<{ readonly type: string; readonly id: number }>,
): EntryWriteRequest {
  return { ...typeWrite(request), id: request.params.id, ifMatch: request.header('if-match') }
}

/** The write request behind a REST request on the entry of a single type. */
export function singleWrite(
  request: SentForEntry<{ readonly type: string }> & { readonly rawQuery: string },
): SingleWriteRequest {
  return { ...typeWrite(request), ifMatch: request.header('if-match'), query: request.rawQuery }
}

/** The header `x-autosave: 1` marks writes that an editor saves on its own, without the user asking for it. */
export function autosaved(request: {
  header(name: string): string | undefined
}): Pick<WriteRequest, 'annotations'> {
  return request.header('x-autosave') === '1' ? { annotations: annotate(autosaveWrite, true) } : {}
}
