import { type TSchema, Type } from 'typebox'
import { type RouteVariant, timestampSchema } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { AddedFields } from '../entry/added-fields.ts'
import type { AddedParameters } from '../entry/entry-extensions.ts'
import { entrySchema, inputSchema, updateSchema } from '../entry/entry-schema.ts'
import { filterSchema } from '../filter-schema.ts'
import { objectOrText } from '../object-or-text.ts'
import { populateSchema } from '../populate-schema.ts'
import { checkSchema } from './check-schema.ts'
import { variants } from './document-variants.ts'

/** How the API document shows the content routes: one operation per content type. */
export type RouteDocuments = Readonly<Record<DocumentedRoute, () => readonly RouteVariant[]>>

type DocumentedRoute =
  | 'list'
  | 'create'
  | 'checkCreate'
  | 'checkUpdate'
  | 'putSingle'
  | 'deleteSingle'
  | 'bulkUpdate'
  | 'bulkDelete'
  | 'bulkPublish'
  | 'bulkUnpublish'
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

const populated = `Relations, media and fields inside components to expand: \`author,blocks.image\`, or \`*\`.
In brackets each with options of its own: \`populate[author][fields]=name\`, of relations to many also
\`populate[comments][filters][approved]=true\`, \`[sort]\`, \`[limit]\`, \`[offset]\`, and \`[total]=true\`, which is told in
\`_totals\`; \`populate[author][populate]\` goes on inside. The same as JSON text: \`{"author":{"fields":"name"}}\``

const filtered =
  'In brackets, `filters[title][$contains]=x`, `filters[author][name][$eq]=y`; or as JSON text, `{"title":{"$contains":"x"}}`'

const readParameters = {
  fields: text('Fields to show, separated by commas; all others are omitted, even required ones'),
  meta: Type.Optional(
    Type.Boolean({ description: 'Add `_meta`: authors, workflow state, …; requires access to drafts' }),
  ),
  deleted: Type.Optional(
    Type.Boolean({ description: 'Show soft-deleted entries instead; administrators only' }),
  ),
}

const draftParameter = {
  draft: Type.Optional(
    Type.Boolean({
      description: 'Show entries with their pending drafts applied; requires access to drafts',
    }),
  ),
}

const listParameters = {
  ...readParameters,
  published: Type.Optional(Type.Boolean({ description: 'True: published only; false: drafts only' })),
  sort: text(
    'A field, or several with directions: `featured:desc,author.name:asc`; `place:near:47.4:8.5` has the nearest first',
  ),
  sortOrder: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
  limit: Type.Optional(Type.Integer({ minimum: 0, description: 'Page size' })),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  cursor: text('Keyset pagination: empty for the first page, then `pagination.nextCursor`'),
  total: Type.Optional(Type.Boolean({ description: 'False omits the total' })),
  search: text('Words that must all occur'),
  searchFields: text('Fields to search, separated by commas'),
  typos: Type.Optional(
    Type.Boolean({ description: '`search` also finds words with typing errors; not with `searchFields`' }),
  ),
}

const counted = Type.Object({ count: Type.Integer(), ids: Type.Array(Type.Integer()) })

const undoable = Type.Object({
  ...counted.properties,
  batch: Type.Union([Type.Object({ id: Type.String(), expires_at: timestampSchema }), Type.Null()], {
    description: 'For `POST /admin/batches/:id/revert`; null if the caller cannot undo the write',
  }),
})

const permanentParameter = {
  permanent: Type.Optional(
    Type.Boolean({ description: 'Delete permanently, also from the trash; administrators only' }),
  ),
}

const ageParameter = {
  olderThanDays: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only entries moved to the trash at least this many days ago' }),
  ),
}

const purged = Type.Object({ ...counted.properties, hasMore: Type.Boolean() })

export function documentRoutes(schemas: Schemas, parameters: DocumentedParameters): RouteDocuments {
  const entryOf = (type: ContentType) => entrySchema(type, schemas, parameters.addedFields(type))
  const documented = { schemas, ...parameters, entryOf, types: [...schemas.types.values()] }
  return {
    ...readDocuments(documented),
    ...entryDocuments(documented),
    ...checkDocuments(documented),
    ...singleDocuments(documented),
    ...bulkDocuments(documented),
    ...publicationDocuments(documented),
    ...trashDocuments(documented),
    ...linkDocuments(documented),
  }
}

/** What plugins add to routes. */
export interface DocumentedParameters {
  readonly added: AddedParameters
  /** To reads that populate, besides. */
  readonly addedToReads: AddedParameters
  readonly addedFields: AddedFields
}

interface Documented extends DocumentedParameters {
  readonly schemas: Schemas
  readonly entryOf: (type: ContentType) => TSchema
  readonly types: readonly ContentType[]
}

type Documents<Name extends DocumentedRoute> = Pick<RouteDocuments, Name>

function readDocuments(documented: Documented): Documents<'list' | 'read'> {
  const { schemas, added, addedToReads, addedFields, entryOf, types } = documented
  const more = (type: ContentType) => ({
    ...(type.options.draftOverlay ? draftParameter : {}),
    ...addedToReads(type),
    ...added(type),
  })
  const populate = (type: ContentType) =>
    Type.Optional(objectOrText(populateSchema(type, schemas), populated))
  const readQuery = (type: ContentType) =>
    Type.Object({ populate: populate(type), ...readParameters, ...more(type) })
  const listQuery = (type: ContentType) =>
    Type.Object({
      populate: populate(type),
      ...listParameters,
      filters: Type.Optional(objectOrText(filterSchema(type, schemas, addedFields(type)), filtered)),
      ...more(type),
    })
  return {
    list: variants(types, 'entries.list', '', (type) =>
      type.kind === 'singleType'
        ? { summary: `Read ${type.displayName}`, query: readQuery(type), response: entryOf(type) }
        : { summary: `List ${type.pluralName}`, query: listQuery(type), response: Type.Array(entryOf(type)) },
    ),
    read: variants(types, 'entries.read', '/:id', (type) => ({
      summary: `Read ${type.displayName} by its id`,
      query: readQuery(type),
      response: entryOf(type),
    })),
  }
}

function entryDocuments({ schemas, entryOf, types }: Documented): Documents<'create' | 'update' | 'delete'> {
  return {
    create: variants(types, 'entries.create', '', (type) => ({
      summary: `Create ${type.displayName}`,
      body: inputSchema(type, schemas),
      response: entryOf(type),
    })),
    update: variants(types, 'entries.update', '/:id', (type) => ({
      summary: `Change ${type.displayName}`,
      body: updateSchema(type, schemas),
      response: entryOf(type),
    })),
    delete: variants(types, 'entries.delete', '/:id', (type) => ({
      summary: `Delete ${type.displayName}`,
      ...(type.options.softDelete ? { query: Type.Object(permanentParameter) } : {}),
      response: entryOf(type),
    })),
  }
}

function checkDocuments({ schemas, added, types }: Documented): Documents<'checkCreate' | 'checkUpdate'> {
  const isSingle = ({ kind }: ContentType) => kind === 'singleType'
  return {
    checkCreate: variants(types, 'entries.check-create', '/check', (type) => ({
      summary: `Check a new ${type.displayName} without storing it`,
      ...(isSingle(type) ? { query: Type.Object(added(type)) } : {}),
      body: isSingle(type) ? updateSchema(type, schemas) : inputSchema(type, schemas),
      response: checkSchema,
    })),
    checkUpdate: variants(types, 'entries.check-update', '/:id/check', (type) => ({
      summary: `Check a change of ${type.displayName} without storing it`,
      body: updateSchema(type, schemas),
      response: checkSchema,
    })),
  }
}

function singleDocuments({
  schemas,
  added,
  entryOf,
  types,
}: Documented): Documents<'putSingle' | 'deleteSingle'> {
  const singles = types.filter(({ kind }) => kind === 'singleType')
  return {
    putSingle: variants(singles, 'single.put', '', (type) => ({
      summary: `Create or update ${type.displayName}`,
      query: Type.Object(added(type)),
      body: updateSchema(type, schemas),
      response: entryOf(type),
    })),
    deleteSingle: variants(singles, 'single.delete', '', (type) => ({
      summary: `Delete ${type.displayName}`,
      query: Type.Object(added(type)),
      response: entryOf(type),
    })),
  }
}

type BulkDocuments = Documents<'bulkUpdate' | 'bulkDelete' | 'bulkPublish' | 'bulkUnpublish'>

function bulkDocuments({ types }: Documented): BulkDocuments {
  const collections = types.filter(({ kind }) => kind === 'collectionType')
  const withDrafts = collections.filter(({ options }) => options.draftAndPublish)
  const documents = (of: readonly ContentType[], verb: string, summaryOf: (plural: string) => string) =>
    variants(of, `entries.bulk-${verb}`, `/bulk-${verb}`, ({ pluralName }) => ({
      summary: summaryOf(pluralName),
      response: undoable,
    }))
  return {
    bulkUpdate: documents(collections, 'update', (plural) => `Apply the same change to many ${plural}`),
    bulkDelete: documents(collections, 'delete', (plural) => `Delete many ${plural}`),
    bulkPublish: documents(withDrafts, 'publish', (plural) => `Publish many ${plural}`),
    bulkUnpublish: documents(withDrafts, 'unpublish', (plural) => `Unpublish many ${plural}`),
  }
}

function publicationDocuments({ entryOf, types }: Documented): Documents<'publish' | 'unpublish'> {
  const withDrafts = types.filter(({ options }) => options.draftAndPublish)
  return {
    publish: variants(withDrafts, 'entries.publish', '/:id/publish', (type) => ({
      summary: `Publish ${type.displayName}`,
      response: entryOf(type),
    })),
    unpublish: variants(withDrafts, 'entries.unpublish', '/:id/unpublish', (type) => ({
      summary: `Unpublish ${type.displayName}`,
      response: entryOf(type),
    })),
  }
}

function trashDocuments({ entryOf, types }: Documented): Documents<'emptyTrash' | 'restore'> {
  const softDeleted = types.filter(({ options }) => options.softDelete)
  return {
    emptyTrash: variants(softDeleted, 'trash.delete', '/trash', (type) => ({
      summary: `Permanently delete the ${type.pluralName} in the trash`,
      query: Type.Object(ageParameter),
      response: purged,
    })),
    restore: variants(softDeleted, 'entries.restore', '/:id/restore', (type) => ({
      summary: `Restore a deleted ${type.displayName}`,
      response: entryOf(type),
    })),
  }
}

function linkDocuments({ entryOf, types }: Documented): Documents<'link' | 'unlink'> {
  const related = types.filter(hasRelations)
  return {
    link: variants(related, 'entries.link', '/:id/link/:field', (type) => ({
      summary: `Link an entry to a relation of ${type.displayName}`,
      response: entryOf(type),
    })),
    unlink: variants(related, 'entries.unlink', '/:id/unlink/:field', (type) => ({
      summary: `Unlink an entry from a relation of ${type.displayName}`,
      response: entryOf(type),
    })),
  }
}

function hasRelations({ attributes }: ContentType): boolean {
  return [...attributes.values()].some(({ type }) => type === 'relation' || type === 'media')
}
