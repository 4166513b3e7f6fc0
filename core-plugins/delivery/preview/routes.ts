import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import {
  AppError,
  defineRoute,
  idSchema,
  Reply,
  type Route,
  strict,
  timestampSchema,
} from '../../foundation/http/http.ts'
import { type FindPreviewCaller, publicReaderFor } from './preview-callers.ts'
import type { PreviewTokens } from './preview-tokens.ts'
import { type ReadPreviewParts, readPreview, readUnsaved } from './read-preview.ts'

export interface PreviewRoutesParts extends ReadPreviewParts {
  readonly auth: Auth
  readonly tokens: PreviewTokens
  readonly findCaller: FindPreviewCaller
}

const params = Type.Object({ type: Type.String(), id: idSchema })
const noStore = { 'cache-control': 'no-store' }

/** See docs/preview.md. */
export const previewRoutes = (parts: PreviewRoutesParts): Route[] => [
  tokenRoute(parts),
  readRoute(parts),
  unsavedRoute(parts),
]

const tokenRoute = ({ auth, content, tokens }: PreviewRoutesParts) =>
  defineRoute({
    name: 'content:preview-token.create',
    method: 'POST',
    path: '/content/:type/:id/preview-token',
    tag: 'Preview',
    summary: 'Make a token that reads the draft of this entry for ten minutes',
    description:
      'It is good for `GET …/preview` of this entry only, and as long as its maker may read the draft. It ends with the session ' +
      'that it was made in.',
    access: 'permission',
    scope: 'content:read',
    policies: ['content.read', 'content.drafts'],
    // Not audited, since nothing is changed or stored.
    audit: false,
    params,
    response: Type.Object({ token: Type.String(), expiresAt: timestampSchema }, strict),
    async handler(request) {
      const { params, principal } = request
      const { type, id } = params
      const found = await content.find(type, id, 'fields=id', principal)
      if (found === undefined) throw AppError.notFound(`${type} ${id}`)
      const maker = await auth.makers.nameInSession(principal, request.header('authorization') ?? '')
      const data = tokens.sign({ type, id, maker })
      return new Reply(200, { kind: 'data', data }, noStore)
    },
  })

const readRoute = ({ findCaller, ...parts }: PreviewRoutesParts) =>
  defineRoute({
    name: 'content:preview.read',
    method: 'GET',
    path: '/content/:type/:id/preview',
    tag: 'Preview',
    summary: 'Read an entry with its draft, by a preview token',
    description:
      'The entry as it would be if it were published now. What `populate` adds is public already, and the maker of the ' +
      'token may read it.',
    access: 'open',
    policies: ['content.preview'],
    params,
    query: Type.Object({ populate: Type.Optional(Type.String()) }, strict),
    response: Type.Record(Type.String(), Type.Unknown()),
    async handler(request) {
      const { type, id } = request.params
      const authorization = request.header('authorization')
      const caller = await findCaller({ type, id: String(id), authorization })
      if (caller === undefined) throw AppError.forbidden()
      const found = await readPreview(parts, { ...caller, type, id, populate: request.query.populate })
      if (found === undefined) throw AppError.notFound(`${type} ${id}`)
      return new Reply(200, { kind: 'data', data: found.entry, version: found.version }, noStore)
    },
  })

const unsavedRoute = (parts: PreviewRoutesParts) =>
  defineRoute({
    name: 'content:preview.unsaved',
    method: 'POST',
    path: '/content/:type/preview',
    tag: 'Preview',
    summary: 'Populate fields that are not saved, as a preview of the entry would',
    description:
      'Of what they refer to it shows what is public already; of files and accounts those that the caller may read, and those ' +
      'that the entry with this `id` or its draft refers to. Nothing is stored.',
    access: 'permission',
    scope: 'content:read',
    policies: ['content.read', 'content.drafts'],
    // Not audited, since nothing is changed or stored.
    audit: false,
    params: Type.Object({ type: Type.String() }),
    body: Type.Object(
      {
        fields: Type.Record(Type.String(), Type.Unknown()),
        populate: Type.String({ maxLength: 1000 }),
        id: Type.Optional(idSchema),
      },
      strict,
    ),
    response: Type.Record(Type.String(), Type.Unknown()),
    async handler({ params, body, principal }) {
      const { fields, populate, id } = body
      const reader = publicReaderFor(parts.auth, principal)
      const data = await readUnsaved(parts, { type: params.type, id, fields, populate, principal, reader })
      return new Reply(200, { kind: 'data', data }, noStore)
    },
  })
