import type { DescribedType } from '../../../ground/api/content-types.ts'
import type { ShownColumn } from '../columns/shown-columns.ts'
import { isComplete, toCondition } from '../filters/filter.ts'
import type { ListState } from '../state/list-state.ts'

/** The parameters of `GET /content/:type`, without those of the page. */
export interface ListRequest {
  readonly [parameter: string]: unknown
}

/** Sort keys that are not fields of the entry, for which the API pages by offset. */
const metaSorts: ReadonlySet<string> = new Set(['workflow_state', 'created_by', 'updated_by', 'assignee'])

/** Whether a list is paged by offset, because a cursor cannot represent the position. */
export const pagesByOffset = ({ sort }: ListState) => sort !== undefined && metaSorts.has(sort.field)

/** The request parameters that select the entries of a list. */
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

/** The request parameters for the values of each row. */
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

/**
 * The relations to populate. Titles of related entries are loaded later in one request; files and accounts are not in the content
 * API.
 */
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

/** By default newest first: cheap to sort, and rows do not move while the user works on them. */
const sortText = ({ sort }: ListState) => (sort === undefined ? 'id:desc' : `${sort.field}:${sort.direction}`)
