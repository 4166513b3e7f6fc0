import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import {
  defineRoute,
  type Principal,
  type Route,
  stream as streamed,
  strict,
} from '../../foundation/http/http.ts'
import { keySchema, sectionSchema } from './answer-schemas.ts'
import type { ReceivedFolder } from './package/received-folder.ts'
import { chunkTypes, maxChunk } from './package-routes.ts'
import type { TransferReads } from './reads.ts'
import { read } from './routes.ts'

const params = Type.Object({
  hash: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'The SHA-256 of the file in hexadecimal digits',
  }),
})
const offset = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const write = { tag: 'Transfer', access: 'area', scope: 'admin:transfer:write', audit: false } as const
const receivedSchema = Type.Object(
  { received: Type.Integer({ description: 'Bytes that have arrived: go on at this offset' }) },
  strict,
)

export interface FileRouteDeps {
  readonly auth: Auth
  readonly files: ReceivedFolder
  readonly reads: TransferReads
}

/** Routes for the files of items, which are sent separately from packages; see docs/transfer.md. */
export function fileRoutes({ auth, files, reads }: FileRouteDeps): Route[] {
  const assertWriter = (principal: Principal) => {
    if (!auth.mayMedia(principal, 'write')) auth.refuse(principal)
  }
  return [
    defineRoute({
      ...read,
      name: 'admin:transfer.file.read',
      method: 'GET',
      path: '/admin/transfer/file',
      summary: 'The bytes of the file of an item, from an offset',
      query: Type.Object({ section: sectionSchema, key: keySchema, offset: Type.Optional(offset) }, strict),
      rawResponse: 'application/octet-stream',
      load: 'dear',
      handler: async ({ query: { section, key, offset: from = 0 }, principal }) =>
        streamed(await reads.file(principal, { section, key }, from), 'application/octet-stream'),
    }),
    defineRoute({
      ...write,
      name: 'admin:transfer.file.state',
      method: 'GET',
      path: '/admin/transfer/files/:hash',
      summary: 'How much of a file has arrived',
      params,
      response: receivedSchema,
      async handler({ params: { hash }, principal }) {
        assertWriter(principal)
        return { received: await files.received(hash) }
      },
    }),
    defineRoute({
      ...write,
      name: 'admin:transfer.file.append',
      method: 'PUT',
      path: '/admin/transfer/files/:hash',
      summary: 'Send a file, or a part of it, before the package that needs it is applied',
      params,
      query: Type.Object({ offset }, strict),
      bodyMode: 'stream',
      maxBodyBytes: maxChunk,
      bodyTypes: chunkTypes,
      response: receivedSchema,
      async handler({ params: { hash }, query, stream, principal }) {
        assertWriter(principal)
        return { received: await files.append(hash, query.offset, stream) }
      },
    }),
  ]
}
