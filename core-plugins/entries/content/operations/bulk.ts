import { Type } from 'typebox'
import { timestampSchema } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { ids } from './route-requests.ts'

export function isCollection({ kind }: ContentType): boolean {
  return kind === 'collectionType'
}

/** The answer of bulk writes, for documents. */
export const undoable = Type.Object({
  count: Type.Integer(),
  ids: Type.Array(Type.Integer()),
  batch: Type.Union([Type.Object({ id: Type.String(), expires_at: timestampSchema }), Type.Null()], {
    description: 'For `POST /admin/batches/:id/revert`; null if the caller cannot undo the write',
  }),
})

type Arguments = Readonly<Record<string, unknown>>

/** The common parts of the mutations that write many entries. */
export const bulkMutation = {
  answer: 'BulkWrite',
  arguments: () => 'ids: [ID!]!',
  takes: Type.Object({ ids }),
  writes: (args: Arguments) => idsIn(args).length,
} as const

export const idsIn = (args: Arguments) => args.ids as readonly number[]
