import type { DescribedType } from '../../../ground/api/content-types.ts'
import type { ShownColumn } from '../columns/shown-columns.ts'
import { isComplete, toCondition } from '../filters/filter.ts'
import type { ListState } from '../state/list-state.ts'

/** The parameters of `GET /content/:type`, without those of the page. */
export interface ListRequest {
  readonly [parameter: string]: unknown
}

/** Sorts that an entry's fields do not tell, which the API pages by offset. */
const metaSorts: ReadonlySet<string> = new Set(['workflow_state', 'created_by', 'updated_by', 'assignee'])

/** Whether the pages of a list are told by offset: a cursor could not say where they begin. */
export const pagesByOffset = ({ sort }: ListState) => sort !== undefined && metaSorts.has(sort.field)

/** Which entries a list shows. */
export function selectionRequest(type: DescribedType, state: ListState): ListRequest {
  const { search, filters, publication, isTrash } = state
  const conditions = filters.filter(isComplete).map(toCondition)
  const all = publication === undefined ? conditions : [...conditions, ...publicationConditions(publication)]
  return {
    ...(all.length > 0 && { filters: { $and: all } }),
    ...(search.trim() !== '' && { search: search.trim() }),
    ...(isTrash && { deleted: true }),
    ...localeRequest(type, state),
  }
}

/** What a list needs of each entry. */
export function rowRequest(
  type: DescribedType,
  columns: readonly ShownColumn[],
  state: ListState,
): ListRequest {
  const hasDrafts = type.options.draftAndPublish === true
  const fields = new Set(columns.flatMap(({ field }) => (field === undefined ? [] : [field])))
  fields.add(type.titleField)
  if (hasDrafts) fields.add('published_at')
  const showsMeta = columns.some(({ meta }) => meta !== undefined) || showsPendingDrafts(type, columns)
  const populate = populated(columns)
  return {
    fields: [...fields],
    sort: sortText(state),
    ...(populate.length > 0 && { populate: Object.fromEntries(populate.map((name) => [name, true])) }),
    ...(showsMeta && { meta: true }),
  }
}

const showsPendingDrafts = (type: DescribedType, columns: readonly ShownColumn[]) =>
  type.options.draftOverlay === true && columns.some(({ kind }) => kind === 'publication')

/** Entries of other types come later and together; files and accounts are not in the content API. */
const populated = (columns: readonly ShownColumn[]) =>
  columns.flatMap(({ kind, field, target }) =>
    field !== undefined && (kind === 'media' || target?.system === true) ? [field] : [],
  )

function publicationConditions(publication: NonNullable<ListState['publication']>) {
  const now = new Date().toISOString()
  if (publication === 'draft') return [{ published_at: { $null: 'true' } }]
  if (publication === 'scheduled') return [{ published_at: { $gt: now } }]
  const isPublic = { published_at: { $lte: now } }
  return publication === 'changed' ? [isPublic, { has_draft: { $eq: 'true' } }] : [isPublic]
}

function localeRequest({ locales, defaultLocale }: DescribedType, { locale }: ListState) {
  if (locales.length === 0 || locale === '*') return {}
  return { locale: locale ?? defaultLocale ?? undefined }
}

/** Newest first: an order that costs nothing, and in which rows do not move while one works on them. */
const sortText = ({ sort }: ListState) => (sort === undefined ? 'id:desc' : `${sort.field}:${sort.direction}`)
