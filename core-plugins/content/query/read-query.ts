import { AppError, type ErrorDetail, parseQueryString } from '../../http/http.ts'
import type { ContentType, Schemas } from '../../schemas/schemas.ts'
import { type DraftsOf, draftMark } from '../draft-overlay.ts'
import type { EntryParameters, EntrySearch, ReadPlace } from '../entry-extensions.ts'
import type { ColumnField, EntryModel } from '../entry-model.ts'
import type { EntryQuery } from '../entry-query.ts'
import { maxQueryWeight } from '../settings.ts'
import { type Condition, Slots, shapeOf } from './condition.ts'
import { type CursorPosition, parseCursor } from './cursor.ts'
import { parseExpansions } from './expansion.ts'
import { parseBoolean, parseText } from './filter-value.ts'
import { canonicalFieldName, parseFilters } from './filters.ts'
import { type PopulateTree, parsePopulate, populateShape } from './populate.ts'
import { referencedTypes } from './referenced-types.ts'
import {
  type BoundRestriction,
  bindRestriction,
  bindRestrictions,
  shapeOfRestrictions,
} from './restriction.ts'
import { parseSort, type SortKey } from './sort.ts'
import { weightOf, weightOfPicked } from './weight.ts'

/** A query, checked against the schema; independent of the caller. */
export interface ReadQuery {
  readonly model: EntryModel
  readonly condition: Condition | undefined
  /** Restrictions from the parameters of other plugins. */
  readonly restrictions: readonly BoundRestriction[]
  /** True: published entries only; false: drafts only; undefined: everything the caller may see. */
  readonly published: boolean | undefined
  /** Entries with their pending drafts applied, if they have any. */
  readonly draft: boolean
  /** Soft-deleted entries instead of present ones. */
  readonly deleted: boolean
  readonly sort: readonly SortKey[]
  readonly limit: number
  readonly offset: number
  /** Undefined: offset pages. */
  readonly cursor: CursorPosition | undefined
  readonly withTotal: boolean
  /** Names of the fields to show; undefined: all. */
  readonly fields: ReadonlySet<string> | undefined
  readonly populate: PopulateTree
  /**
   * Whether ids of relations inside components are shown, so that those of hidden entries must be removed.
   */
  readonly showsIds: boolean
  /** The estimated cost of its conditions; see `weightOf`. */
  readonly weight: number
  readonly slots: Slots
  /** Equal for queries that differ only in values. */
  readonly shape: string
  /** Types that the caller must be allowed to read, besides the entry's own. */
  readonly requiredTypes: readonly string[]
  /** All types whose entries or ids may appear in the answer or influence it. */
  readonly touchedTypes: readonly ContentType[]
}

/** The problems of a query. Must not be shown to callers who may not read the other types that it uses. */
export class InvalidQuery extends AppError {
  constructor(
    problems: readonly ErrorDetail[],
    readonly requiredTypes: readonly string[],
  ) {
    super('VALIDATION_ERROR', AppError.invalid(problems).message, { details: problems })
  }
}

export interface ReadQueryOptions {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Schemas
  readonly draftsOf: DraftsOf
  readonly defaultLimit: number
  readonly maxLimit: number
  /** The limit of the total weight of a query's conditions. */
  readonly maxWeight: () => number
  /** The parameters that other plugins add to reads of a type. */
  readonly parametersOf: (model: EntryModel) => readonly EntryParameters[]
  /** The full-text search for a type. */
  readonly searchOf: (model: EntryModel) => EntrySearch | undefined
}

const selectionParameters = ['filters', 'published', 'search', 'searchFields', 'deleted']
const findParameters = new Set(['populate', 'fields', 'deleted'])
const listParameters = new Set([
  ...findParameters,
  'published',
  'sort',
  'sortOrder',
  'limit',
  'offset',
  'cursor',
  'total',
  'search',
  'searchFields',
  'filters',
])

const maxSearchWords = 10

/** The query of `GET /content/<type>`. @throws InvalidQuery 400 with all problems */
export function parseListQuery(
  query: string | EntryQuery,
  model: EntryModel,
  options: ReadQueryOptions,
): ReadQuery {
  const allowed = withDraftParameter(listParameters, model, options)
  return parse(query, model, { ...options, place: 'list', allowed })
}

/** The query of `GET /content/<type>/:id`. @throws InvalidQuery 400 with all problems */
export function parseFindQuery(
  query: string | EntryQuery,
  model: EntryModel,
  options: ReadQueryOptions,
): ReadQuery {
  const allowed = withDraftParameter(findParameters, model, options)
  return parse(query, model, { ...options, place: 'find', allowed })
}

/** A query that selects the entry of a single type. @throws AppError 400 with all problems */
export function parseSingleQuery(
  query: string | EntryQuery,
  model: EntryModel,
  options: ReadQueryOptions & { readonly place?: 'single' | 'put' },
): ReadQuery {
  const allowed = withDraftParameter(findParameters, model, options)
  return parse(query, model, { place: 'single', ...options, allowed })
}

/** The slot for the ids of `parseManyQuery`, bound anew for each read. */
export const idsSlot = 'ids'

/** Entries by their ids, which are bound under `idsSlot`; not counted. `fields`: default all. */
export function parseManyQuery(
  { fields }: Pick<EntryQuery, 'fields'>,
  model: EntryModel,
  options: ReadQueryOptions,
): ReadQuery {
  const query = parseListQuery({ total: false, ...(fields && { fields }) }, model, options)
  const id = model.columns.get('id')
  if (id === undefined) throw new Error(`${model.type.name} has no ids`)
  return { ...query, condition: { kind: 'compare', field: id, comparison: '$in', slots: [idsSlot] } }
}

function withDraftParameter(
  parameters: ReadonlySet<string>,
  { type }: EntryModel,
  { draftsOf }: ReadQueryOptions,
): ReadonlySet<string> {
  return draftsOf(type) === undefined ? parameters : new Set([...parameters, 'draft'])
}

/** A query built by another plugin that selects entries as a list does. */
export interface SelectionQueryOptions extends ReadQueryOptions {
  /** Parameters that the plugin reads itself. */
  readonly ownParameters: readonly string[]
  /** Problems that the plugin found in them. */
  readonly problems: readonly ErrorDetail[]
}

/** Parses only what selects entries; no page, no order. @throws InvalidQuery 400 with all problems */
export function parseSelectionQuery(
  rawQuery: string,
  model: EntryModel,
  options: SelectionQueryOptions,
): ReadQuery {
  const allowed = new Set([...options.ownParameters, ...selectionParameters])
  return parse(rawQuery, model, { ...options, place: 'list', allowed })
}

interface ParameterReader {
  readonly raw: Readonly<Record<string, unknown>>
  readonly problems: ErrorDetail[]
}

interface ParseOptions extends ReadQueryOptions {
  readonly place: ReadPlace
  /** Names of allowed parameters, besides those of other plugins. */
  readonly allowed: ReadonlySet<string>
  readonly problems?: readonly ErrorDetail[]
}

function parse(source: string | EntryQuery, model: EntryModel, options: ParseOptions): ReadQuery {
  const problems: ErrorDetail[] = [...(options.problems ?? [])]
  const reader: ParameterReader = { raw: parametersOf(source), problems }
  const plugins = options.parametersOf(model)
  const added = plugins.flatMap(({ parameters }) => Object.keys(parameters))
  reportUnknown(reader, added.length === 0 ? options.allowed : new Set([...options.allowed, ...added]))
  const slots = new Slots()
  const named = new Set<string>()
  const lookedInto = new Set<string>()
  const deps = { ...options, slots, problems, named, lookedInto }
  const populate =
    typeof source === 'string'
      ? parsePopulate(textParameter(reader, 'populate'), model, deps)
      : parseExpansions(source.populate ?? [], model, deps)
  const sort = parseSort(textParameter(reader, 'sort'), textParameter(reader, 'sortOrder'), model, problems)
  const filters = reader.raw.filters === undefined ? undefined : parseFilters(reader.raw.filters, model, deps)
  const search = parseSearch(reader, model, { slots, search: options.searchOf(model) })
  const read = (name: string) => textParameter(reader, name)
  const bound = bindRestrictions(plugins, model, options.place, { read, problems, slots })
  const restrictions = search.restriction === undefined ? bound : [...bound, search.restriction]
  const cursorText = textParameter(reader, 'cursor')
  const condition = both(filters, search.condition)
  const weight = weightOf(condition) + weightOfPicked(populate)
  if (weight > options.maxWeight()) problems.push(tooHeavy(weight, options.maxWeight()))
  const query = {
    model,
    condition,
    weight,
    restrictions,
    published: booleanParameter(reader, 'published'),
    draft: booleanParameter(reader, 'draft') ?? false,
    deleted: booleanParameter(reader, 'deleted') ?? false,
    sort,
    limit: Math.min(countParameter(reader, 'limit') ?? options.defaultLimit, options.maxLimit),
    offset: countParameter(reader, 'offset') ?? 0,
    withTotal: booleanParameter(reader, 'total') ?? true,
    fields: parseFields(reader, model, options),
    populate,
    showsIds: typeof source === 'string' || source.showsIds !== false,
    slots,
  }
  if (cursorText !== undefined && reader.raw.offset !== undefined) {
    problems.push({ path: 'cursor', code: 'conflict', message: 'cannot be combined with offset' })
  }
  // A cursor holds the values of the last entry, which may be longer than any URL.
  if (cursorText !== undefined && sort.some(({ field }) => field.kind === 'text')) {
    const message = 'cannot be combined with a sort by long texts; use offset'
    problems.push({ path: 'cursor', code: 'conflict', message })
  }
  const requiredTypes = [...new Set([...named, ...lookedInto])]
  if (problems.length > 0) throw new InvalidQuery(problems, requiredTypes)
  const cursor = cursorText === undefined ? undefined : parseCursor(cursorText, sort, slots)
  return {
    ...query,
    cursor,
    shape: shapeOfQuery({ ...query, cursor }),
    requiredTypes,
    touchedTypes: touchedTypes(model, populate, lookedInto, options),
  }
}

function parametersOf(source: string | EntryQuery): Readonly<Record<string, unknown>> {
  if (typeof source === 'string') return parseQueryString(source)
  const { populate: _populate, showsIds: _showsIds, parameters = {}, ...own } = source
  return Object.fromEntries(
    Object.entries({ ...own, ...parameters }).filter(([, value]) => value !== undefined),
  )
}

function reportUnknown({ raw, problems }: ParameterReader, allowed: ReadonlySet<string>): void {
  for (const path of Object.keys(raw)) {
    if (allowed.has(path)) continue
    problems.push({ path, code: 'unknown', message: `is not one of ${[...allowed].join(', ')}` })
  }
}

function textParameter({ raw, problems }: ParameterReader, path: string): string | undefined {
  const value = raw[path]
  if (value === undefined || typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',')
  problems.push({ path, code: 'type', message: 'must be text' })
  return undefined
}

function booleanParameter(reader: ParameterReader, path: string): boolean | undefined {
  const text = textParameter(reader, path)
  if (text === undefined) return undefined
  const parsed = parseBoolean(text)
  if ('value' in parsed) return parsed.value === true
  reader.problems.push({ path, code: 'type', message: parsed.problem })
  return undefined
}

function countParameter(reader: ParameterReader, path: string): number | undefined {
  const text = textParameter(reader, path)
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  reader.problems.push({ path, code: 'type', message: 'must be a whole number, 0 or more' })
  return undefined
}

function parseFields(
  reader: ParameterReader,
  model: EntryModel,
  { draftsOf }: ReadQueryOptions,
): ReadonlySet<string> | undefined {
  const text = textParameter(reader, 'fields')
  if (text === undefined || text.trim() === '') return undefined
  const fields = text.split(',').map((name) => canonicalFieldName(name.trim()))
  for (const name of fields) {
    if (model.columns.has(name) || model.links.has(name) || model.inverses.has(name)) continue
    // Shown for entries in the trash, whether requested or not.
    if (name === model.deletedAt?.name) continue
    // Shown whenever drafts are, whether requested or not.
    if (name === draftMark && draftsOf(model.type) !== undefined) continue
    reader.problems.push({
      path: 'fields',
      code: 'unknown',
      message: `${model.type.name} has no field ${name}`,
    })
  }
  return new Set(['id', ...fields])
}

interface SearchDeps {
  readonly slots: Slots
  readonly search: EntrySearch | undefined
}

interface ParsedSearch {
  readonly condition?: Condition | undefined
  readonly restriction?: BoundRestriction
}

/** Uses the full-text index, if there is one and no fields are named. */
function parseSearch(
  reader: ParameterReader,
  model: EntryModel,
  { slots, search }: SearchDeps,
): ParsedSearch {
  const { problems, raw } = reader
  const fields = parseSearchFields(reader, model)
  const text = textParameter(reader, 'search') ?? ''
  const parsed = parseText(text)
  if ('problem' in parsed) problems.push({ path: 'search', code: 'format', message: parsed.problem })
  if (search === undefined || raw.searchFields !== undefined)
    return { condition: searchCondition(text, { fields, slots, problems }) }
  const restriction = search.restrict({ type: model.type, text, problems })
  return restriction === undefined ? {} : { restriction: bindRestriction(restriction, slots) }
}

interface PartsDeps {
  readonly fields: readonly ColumnField[]
  readonly slots: Slots
  readonly problems: ErrorDetail[]
}

/** Every word must occur in one of the fields, ignoring case, possibly inside a longer word. */
function searchCondition(text: string, { fields, slots, problems }: PartsDeps): Condition | undefined {
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return undefined
  if (words.length > maxSearchWords) {
    problems.push({ path: 'search', code: 'maxItems', message: `takes at most ${maxSearchWords} words` })
  }
  const conditions = words.map((word): Condition => {
    const slot = slots.add('text', word)
    return {
      kind: 'or',
      conditions: fields.map((field) => ({
        kind: 'compare',
        field,
        comparison: '$containsi',
        slots: [slot],
      })),
    }
  })
  return { kind: 'and', conditions }
}

function parseSearchFields(reader: ParameterReader, model: EntryModel): ColumnField[] {
  const isText = (field: ColumnField) => field.kind === 'string' || field.kind === 'text'
  const text = textParameter(reader, 'searchFields')
  if (text === undefined || text.trim() === '') return [...model.columns.values()].filter(isText)
  const names = new Set(text.split(','))
  return [...names].flatMap((name) => {
    const field = model.columns.get(canonicalFieldName(name.trim()))
    if (field !== undefined && isText(field)) return [field]
    const message = `${model.type.name} has no text field ${name.trim()}`
    reader.problems.push({ path: 'searchFields', code: 'unknown', message })
    return []
  })
}

/** Also reported for callers that name the parts of a query differently, such as GraphQL. */
function tooHeavy(weight: number, limit: number): ErrorDetail {
  const much = `the conditions have a total weight of ${weight}, and the limit is ${limit} (${maxQueryWeight.key})`
  const remedy = 'use fewer conditions, especially on texts and relations'
  return { path: 'filters', code: 'maxWeight', message: `${much}; ${remedy}` }
}

function both(left: Condition | undefined, right: Condition | undefined): Condition | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return { kind: 'and', conditions: [left, right] }
}

function shapeOfQuery(query: Omit<ReadQuery, 'shape' | 'requiredTypes' | 'touchedTypes'>): string {
  const { condition, restrictions, published, draft, deleted, sort, cursor, withTotal, fields, populate } =
    query
  return [
    condition === undefined ? '' : shapeOf(condition),
    shapeOfRestrictions(restrictions),
    published,
    draft,
    deleted,
    sort.map(({ field, direction }) => `${field.name} ${direction}`),
    cursor === undefined ? 'offset' : (cursor?.map(({ slot }) => slot ?? 'null') ?? 'first'),
    withTotal,
    fields === undefined ? '*' : [...fields],
    populateShape(populate),
    query.showsIds,
  ].join(';')
}

function touchedTypes(
  model: EntryModel,
  populate: PopulateTree,
  lookedInto: ReadonlySet<string>,
  { models, schemas }: ReadQueryOptions,
): ContentType[] {
  const names = new Set([model.type.name, ...lookedInto])
  for (const seen of [model, ...[...lookedInto].map((name) => models.get(name))].filter(isDefined)) {
    for (const name of referencedTypes(seen, schemas)) names.add(name)
  }
  // Expanded fields may refer to any type, and such queries are rare enough to visit all types.
  const types =
    populate.size > 0 ? [...schemas.types.values()] : [...names].map((name) => models.get(name)?.type)
  return types.filter(isDefined).filter((type) => !type.system)
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined
}
