import { type TSchema, Type } from 'typebox'
import type { RouteVariant } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { AddedFields } from '../entry/added-fields.ts'
import type { AddedParameters } from '../entry/entry-extensions.ts'
import { entrySchema } from '../entry/entry-schema.ts'
import { filterSchema } from '../filter-schema.ts'
import { objectOrText } from '../object-or-text.ts'
import type { Documented, OperationDocument } from '../operations/operation.ts'
import { populateSchema } from '../populate-schema.ts'

/** What documents of reads and answers need in addition. */
export interface DocumentParts extends Documented {
  /** Parameters that plugins add to reads that can populate. */
  readonly addedToReads: AddedParameters
  readonly addedFields: AddedFields
}

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

/** How the API document shows a route: as one operation per content type that it applies to. The default answer is an entry. */
export function variantsOf(
  { name, path }: { readonly name: string; readonly path: string },
  { schemas, addedFields }: DocumentParts,
  describe: (type: ContentType) => OperationDocument,
  isOf: (type: ContentType) => boolean = () => true,
): () => readonly RouteVariant[] {
  // Evaluated once, when the document is generated.
  return () =>
    [...schemas.types.values()].filter(isOf).map((type) => {
      const { response = entrySchema(type, schemas, addedFields(type)), ...described } = describe(type)
      return {
        name: `content:${type.name}.${name}`,
        path: `/content/${type.name}${path}`,
        tag: type.displayName,
        params: paramsIn(path),
        values: { type: type.name },
        ...described,
        response,
      }
    })
}

function paramsIn(path: string): TSchema {
  return Type.Object({
    ...(path.includes(':id') ? { id: Type.Integer({ minimum: 1 }) } : {}),
    ...(path.includes(':field') ? { field: Type.String() } : {}),
  })
}

/** A list or, for single types, the entry. */
export function describeList(type: ContentType, parts: DocumentParts): OperationDocument {
  if (type.kind === 'singleType')
    return { summary: `Read ${type.displayName}`, query: readQuery(type, parts) }
  const { schemas, addedFields } = parts
  const query = Type.Object({
    ...populateParameter(type, parts),
    ...listParameters,
    filters: Type.Optional(objectOrText(filterSchema(type, schemas, addedFields(type)), filtered)),
    ...parametersOfType(type, parts),
  })
  const response = Type.Array(entrySchema(type, schemas, addedFields(type)))
  return { summary: `List ${type.pluralName}`, query, response }
}

export function describeRead(type: ContentType, parts: DocumentParts): OperationDocument {
  return { summary: `Read ${type.displayName} by its id`, query: readQuery(type, parts) }
}

const readQuery = (type: ContentType, parts: DocumentParts) =>
  Type.Object({
    ...populateParameter(type, parts),
    ...readParameters,
    ...parametersOfType(type, parts),
  })

const populateParameter = (type: ContentType, { schemas }: DocumentParts) => ({
  populate: Type.Optional(objectOrText(populateSchema(type, schemas), populated)),
})

const parametersOfType = (type: ContentType, { added, addedToReads }: DocumentParts) => ({
  ...(type.options.draftOverlay ? draftParameter : {}),
  ...addedToReads(type),
  ...added(type),
})
