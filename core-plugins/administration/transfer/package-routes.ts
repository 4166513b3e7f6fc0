import { Type } from 'typebox'
import { bytesSchema, defineRoute, type Route, strict, timestampSchema } from '../../foundation/http/http.ts'
import type { Packages } from './packages.ts'

const write = { tag: 'Transfer', access: 'area', scope: 'admin:transfer:write' } as const

const params = Type.Object({
  id: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'The SHA-256 of the package in hexadecimal digits',
  }),
})
const count = Type.Integer()
const resultSchema = Type.Object(
  {
    sections: Type.Record(Type.String(), Type.Object({ put: count, removed: count, agreed: count }, strict)),
    appliedAt: timestampSchema,
  },
  strict,
)
const stateSchema = Type.Object(
  {
    received: Type.Integer({ description: 'Bytes that have arrived: go on at this offset' }),
    result: Type.Union([resultSchema, Type.Null()]),
  },
  strict,
)

/** The request body for a part of a package or file. */
export const chunkTypes = { 'application/octet-stream': bytesSchema }

/** The largest part in one request; if a part is lost, only that part is sent again. */
export const maxChunk = 64 * 1024 * 1024

/** Routes by which other environments send packages to be applied here; see docs/transfer.md. */
export function packageRoutes(packages: Packages): Route[] {
  return [
    defineRoute({
      ...write,
      name: 'admin:transfer.package.read',
      method: 'GET',
      path: '/admin/transfer/packages/:id',
      summary: 'How much of a package has arrived, and what became of it',
      params,
      response: stateSchema,
      handler: ({ params: { id } }) => packages.state(id),
    }),
    defineRoute({
      ...write,
      name: 'admin:transfer.package.append',
      audit: false,
      method: 'PUT',
      path: '/admin/transfer/packages/:id',
      summary: 'Send a package, or a part of it',
      params,
      query: Type.Object({ offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }, strict),
      bodyMode: 'stream',
      maxBodyBytes: maxChunk,
      bodyTypes: chunkTypes,
      response: stateSchema,
      handler: ({ params: { id }, query: { offset }, stream }) => packages.append(id, offset, stream),
    }),
    defineRoute({
      ...write,
      name: 'admin:transfer.package.apply',
      // The handler records it, with the contents of the package.
      audit: false,
      method: 'POST',
      path: '/admin/transfer/packages/:id/apply',
      summary: 'Apply a package, completely or not at all',
      description:
        'One that was applied already answers what became of it then. Without a result it is still being applied: ask again.',
      params,
      response: stateSchema,
      handler: ({ params: { id }, principal, ip }) => packages.apply(id, { principal, ip }),
    }),
    defineRoute({
      ...write,
      name: 'admin:transfer.package.delete',
      audit: false,
      method: 'DELETE',
      path: '/admin/transfer/packages/:id',
      summary: 'Delete a package that was not applied',
      params,
      response: Type.Object({ id: Type.String() }, strict),
      async handler({ params: { id } }) {
        await packages.remove(id)
        return { id }
      },
    }),
  ]
}
