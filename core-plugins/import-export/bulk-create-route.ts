import { Type } from 'typebox'
import { type BulkWrites, inputSchema, type SavedEntry } from '../content/content.ts'
import { AppError, defineRoute, Reply, type Route, strict } from '../http/http.ts'
import type { ContentType, Schemas } from '../schemas/schemas.ts'
import type { RowLocales } from './row-locales.ts'

export interface BulkCreateDeps {
  /** Checks all permissions that it needs, as those of updates and publications depend on the query. */
  readonly bulkWrites: BulkWrites
  readonly schemas: Schemas
  readonly locales: RowLocales
}

/** As many as of the other bulk writes. */
const maxEntries = 1_000

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
export function bulkCreateRoute({ bulkWrites, schemas, locales }: BulkCreateDeps): Route {
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
    access: 'permission',
    scope: 'content:write',
    policies: ['content.create'],
    params: Type.Object({ type: Type.String() }),
    query: Type.Object(query),
    body: Type.Array(Type.Unknown(), { minItems: 1, maxItems: maxEntries }),
    response,
    successStatus: 201,
    document: () => [...schemas.types.values()].filter(isCollection).map((type) => variantOf(type, schemas)),
    async handler({ params: { type }, query: { match, publish }, body, principal, ip }) {
      assertMany(schemas, type)
      const published = publish === true ? (true as const) : undefined
      const entries = body.map((data) => ({
        data: locales.complete(type, data),
        ...{ published, uuid: match === 'uuid' ? uuidIn(data) : undefined },
      }))
      const saved = await bulkWrites.saveMany({ type, principal, ip }, entries, { match })
      const data = answerOf(saved)
      return new Reply(data.created > 0 ? 201 : 200, { kind: 'data', data })
    },
  })
}

/** Only those who match by it choose the UUID of a new entry: otherwise what was read can be sent as a new entry. */
function uuidIn(data: unknown): string | undefined {
  const { uuid } = (data ?? {}) as { readonly uuid?: unknown }
  return uuid === undefined ? undefined : String(uuid)
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

function answerOf(saved: readonly SavedEntry[]) {
  const count = (outcome: SavedEntry['outcome']) => saved.filter((entry) => entry.outcome === outcome).length
  return {
    count: saved.length,
    ids: saved.map(({ id }) => id),
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
  }
}
