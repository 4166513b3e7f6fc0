import { type TSchema, Type } from 'typebox'
import type { RouteVariant } from '../http/http.ts'
import type { ContentType, Schemas } from '../schemas/schemas.ts'
import type { AddedParameters } from './entry-extensions.ts'
import { entrySchema, inputSchema, updateSchema } from './entry-schema.ts'
import { filterSchema } from './filter-schema.ts'

/** How the API document shows the content routes: one operation per content type. */
export type RouteDocuments = Readonly<Record<DocumentedRoute, () => readonly RouteVariant[]>>

type DocumentedRoute =
  | 'list'
  | 'create'
  | 'putSingle'
  | 'deleteSingle'
  | 'bulkUpdate'
  | 'bulkDelete'
  | 'read'
  | 'update'
  | 'delete'
  | 'emptyTrash'
  | 'restore'
  | 'publish'
  | 'unpublish'
  | 'link'
  | 'unlink'

const text = (description: string) => Type.Optional(Type.String({ description }))

const readParameters = {
  populate: text('Relations, media and fields inside components to expand: `author,blocks.image`, or `*`'),
  fields: text('Fields to show, separated by commas; the answer leaves out the others, required ones, too'),
  deleted: Type.Optional(Type.Boolean({ description: 'Soft-deleted entries instead; administrators only' })),
}

const draftParameter = {
  draft: Type.Optional(
    Type.Boolean({ description: 'With the drafts beside entries in them; for those who may see drafts' }),
  ),
}

const listParameters = {
  ...readParameters,
  published: Type.Optional(Type.Boolean({ description: 'True: published only; false: drafts only' })),
  sort: text('A field, or several with directions: `featured:desc,title:asc`'),
  sortOrder: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
  limit: Type.Optional(Type.Integer({ minimum: 0, description: 'Page size' })),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  cursor: text('Keyset pagination: empty for the first page, then `pagination.nextCursor`'),
  total: Type.Optional(Type.Boolean({ description: 'False leaves the total out' })),
  search: text('Words that must all occur'),
  searchFields: text('Fields to search, separated by commas'),
}

const counted = Type.Object({ count: Type.Integer(), ids: Type.Array(Type.Integer()) })

const permanentParameter = {
  permanent: Type.Optional(
    Type.Boolean({ description: 'Past the trash, or out of it, for good; administrators only' }),
  ),
}

const ageParameter = {
  olderThanDays: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only what came into the trash so many days ago, or before' }),
  ),
}

const purged = Type.Object({ ...counted.properties, hasMore: Type.Boolean() })

export function documentRoutes(schemas: Schemas, added: AddedParameters): RouteDocuments {
  const all = [...schemas.types.values()]
  const collections = all.filter(({ kind }) => kind === 'collectionType')
  const singles = all.filter(({ kind }) => kind === 'singleType')
  const withDrafts = all.filter(({ options }) => options.draftAndPublish)
  const softDeleted = all.filter(({ options }) => options.softDelete)
  const entry = (type: ContentType) => entrySchema(type, schemas)
  const more = (type: ContentType) => ({
    ...(type.options.draftOverlay ? draftParameter : {}),
    ...added(type),
  })
  const readQuery = (type: ContentType) => Type.Object({ ...readParameters, ...more(type) })
  const listQuery = (type: ContentType) =>
    Type.Object({ ...listParameters, filters: Type.Optional(filterSchema(type)), ...more(type) })
  const writeQuery = (type: ContentType) => Type.Object(added(type))

  return {
    list: variants(all, 'entries.list', '', (type) =>
      type.kind === 'singleType'
        ? { summary: `Read ${type.displayName}`, query: readQuery(type), response: entry(type) }
        : { summary: `List ${type.pluralName}`, query: listQuery(type), response: Type.Array(entry(type)) },
    ),
    create: variants(all, 'entries.create', '', (type) => ({
      summary: `Create ${type.displayName}`,
      body: inputSchema(type, schemas),
      response: entry(type),
    })),
    putSingle: variants(singles, 'single.put', '', (type) => ({
      summary: `Create or update ${type.displayName}`,
      query: writeQuery(type),
      body: updateSchema(type, schemas),
      response: entry(type),
    })),
    deleteSingle: variants(singles, 'single.delete', '', (type) => ({
      summary: `Delete ${type.displayName}`,
      query: writeQuery(type),
      response: entry(type),
    })),
    bulkUpdate: variants(collections, 'entries.bulk-update', '/bulk-update', (type) => ({
      summary: `Change many ${type.pluralName} alike`,
      response: counted,
    })),
    bulkDelete: variants(collections, 'entries.bulk-delete', '/bulk-delete', (type) => ({
      summary: `Delete many ${type.pluralName}`,
      response: counted,
    })),
    read: variants(all, 'entries.read', '/:id', (type) => ({
      summary: `Read ${type.displayName} by its id`,
      query: readQuery(type),
      response: entry(type),
    })),
    update: variants(all, 'entries.update', '/:id', (type) => ({
      summary: `Change ${type.displayName}`,
      body: updateSchema(type, schemas),
      response: entry(type),
    })),
    delete: variants(all, 'entries.delete', '/:id', (type) => ({
      summary: `Delete ${type.displayName}`,
      ...(type.options.softDelete ? { query: Type.Object(permanentParameter) } : {}),
      response: entry(type),
    })),
    emptyTrash: variants(softDeleted, 'trash.delete', '/trash', (type) => ({
      summary: `Delete what is in the trash of ${type.pluralName} for good`,
      query: Type.Object(ageParameter),
      response: purged,
    })),
    restore: variants(softDeleted, 'entries.restore', '/:id/restore', (type) => ({
      summary: `Bring a deleted ${type.displayName} back`,
      response: entry(type),
    })),
    publish: variants(withDrafts, 'entries.publish', '/:id/publish', (type) => ({
      summary: `Publish ${type.displayName}`,
      response: entry(type),
    })),
    unpublish: variants(withDrafts, 'entries.unpublish', '/:id/unpublish', (type) => ({
      summary: `Take ${type.displayName} back to draft`,
      response: entry(type),
    })),
    link: variants(all.filter(hasRelations), 'entries.link', '/:id/link/:field', (type) => ({
      summary: `Link an entry to a relation of ${type.displayName}`,
      response: entry(type),
    })),
    unlink: variants(all.filter(hasRelations), 'entries.unlink', '/:id/unlink/:field', (type) => ({
      summary: `Unlink an entry from a relation of ${type.displayName}`,
      response: entry(type),
    })),
  }
}

interface Description {
  readonly summary: string
  readonly query?: TSchema
  readonly body?: TSchema
  readonly response: TSchema
}

/** Asked for when the document is made, once. */
function variants(
  types: readonly ContentType[],
  name: string,
  suffix: string,
  describe: (type: ContentType) => Description,
): () => readonly RouteVariant[] {
  return () =>
    types.map((type) => ({
      name: `content:${type.name}.${name}`,
      path: `/content/${type.name}${suffix}`,
      tag: type.displayName,
      params: paramsIn(suffix),
      values: { type: type.name },
      ...describe(type),
    }))
}

function paramsIn(suffix: string): TSchema {
  return Type.Object({
    ...(suffix.includes(':id') ? { id: Type.Integer({ minimum: 1 }) } : {}),
    ...(suffix.includes(':field') ? { field: Type.String() } : {}),
  })
}

function hasRelations({ attributes }: ContentType): boolean {
  return [...attributes.values()].some(({ type }) => type === 'relation' || type === 'media')
}
