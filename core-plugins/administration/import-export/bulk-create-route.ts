import { Type } from 'typebox'
import { inputSchema } from '../../entries/content/content.ts'
import { AppError, defineRoute, Reply, type Route, strict } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import { type BulkCreate, bulkCreateAccess, maxEntries } from './bulk-create.ts'

const query = {
  match: Type.Optional(
    Type.String({
      description:
        'A unique attribute, or uuid: an entry with the same value is changed instead of creating one',
    }),
  ),
  publish: Type.Optional(Type.Boolean({ description: 'True: all of them are published' })),
}

const response = Type.Object(
  {
    count: Type.Integer(),
    ids: Type.Array(Type.Integer()),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
  },
  strict,
)

/** See docs/content-api.md. */
export function bulkCreateRoute(bulkCreate: BulkCreate, schemas: Schemas): Route {
  return defineRoute({
    name: 'content:entries.bulk-create',
    tool: {
      name: 'create_entries',
      description:
        'Creates many entries, all or none; with match, those that are there already are changed instead.',
    },
    method: 'POST',
    path: '/content/:type/bulk-create',
    summary: 'Create many entries, all or none; or change those that are there already',
    ...bulkCreateAccess,
    params: Type.Object({ type: Type.String() }),
    query: Type.Object(query),
    body: Type.Array(Type.Unknown(), { minItems: 1, maxItems: maxEntries }),
    response,
    successStatus: 201,
    document: () => [...schemas.types.values()].filter(isCollection).map((type) => variantOf(type, schemas)),
    async handler({ params: { type }, query: { match, publish }, body, principal, ip }) {
      assertMany(schemas, type)
      const data = await bulkCreate({ type, principal, ip }, body, { match, publish })
      return new Reply(data.created > 0 ? 201 : 200, { kind: 'data', data })
    },
  })
}

function assertMany({ types }: Schemas, name: string): void {
  if (types.get(name)?.kind !== 'singleType') return
  const message = `${name} is a single type; write its entry with PUT`
  throw AppError.invalid([{ path: 'type', code: 'unsupported', message }])
}

const isCollection = ({ kind }: ContentType) => kind === 'collectionType'

function variantOf(type: ContentType, schemas: Schemas) {
  return {
    name: `content:${type.name}.entries.bulk-create`,
    path: `/content/${type.name}/bulk-create`,
    tag: type.displayName,
    summary: `Create many ${type.pluralName}, or change those that are there already`,
    params: Type.Object({}),
    values: { type: type.name },
    query: Type.Object(query),
    body: Type.Array(inputSchema(type, schemas), { minItems: 1, maxItems: maxEntries }),
    response,
  }
}
