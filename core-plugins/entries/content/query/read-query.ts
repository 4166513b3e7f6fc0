import { isObject } from '../../../../kernel/index.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { DraftsOf } from '../drafts/draft-overlay.ts'
import type { EntryParameters, EntrySearch, ReadPlace, StandIns } from '../entry/entry-extensions.ts'
import { type MetaOf, MetaSelections } from '../entry/entry-meta.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { EntryQuery, ShownOfEntries } from '../entry-query.ts'
import { keep } from '../read/keep.ts'
import { type BoundRestriction, shapeOfRestriction } from './bound-restriction.ts'
import { type Condition, Slots, shapeOf } from './condition.ts'
import { type CursorPosition, cursorConflicts, parseCursor } from './cursor.ts'
import { parseExpansions } from './expansion.ts'
import { parseFields } from './fields.ts'
import { canonicalFieldName, parseFilters } from './filters.ts'
import { objectParameter } from './object-parameter.ts'
import {
  booleanParameter,
  countParameter,
  type ParameterReader,
  parametersOf,
  reportUnknown,
  textParameter,
} from './parameters.ts'
import { type PopulateTree, populateShape } from './populate.ts'
import { parsePopulate } from './populate-options.ts'
import { touchedTypes } from './referenced-types.ts'
import { bindRestrictions } from './restriction.ts'
import { parseSearch } from './search.ts'
import { parseSort, type SortKey, shapeOfKey } from './sort.ts'
import { type ChosenStandIns, chooseStandIns, shapeOfStandIns } from './stand-ins.ts'
import { tooHeavy, weightOf, weightOfPicked } from './weight.ts'

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
  /** Whether to include metadata from plugins; see `EntryMeta`. */
  readonly meta: boolean
  /** Whether only callers who see drafts may run it, because it shows or reveals metadata from plugins. */
  readonly revealsMeta: boolean
  /** Whether only callers who may see the names of admin users may run it, because it filters or sorts by them. */
  readonly tellsAdminNames: boolean
  /** The entries in the trash instead of the others. */
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
  /** Which entries are shown instead of the ones that relations refer to. */
  readonly standIns: readonly ChosenStandIns[]
  /** Whether ids of relations inside components are shown, so that ids of hidden entries must be removed. */
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
    /** The type whose drafts a caller must see to be shown the problems. */
    readonly draftsOfType: string | undefined,
  ) {
    super('VALIDATION_ERROR', AppError.invalid(problems).message, { details: problems })
  }
}

export interface ReadQueryOptions {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Schemas
  readonly draftsOf: DraftsOf
  readonly metaOf: MetaOf
  readonly defaultLimit: number
  readonly maxLimit: number
  /** The limit of the total weight of a query's conditions, under the current settings. */
  readonly maxWeight: () => number
  /** The parameters that other plugins add to reads of a type. */
  readonly parametersOf: (model: EntryModel) => readonly EntryParameters[]
  /** The plugins with stand-ins for entries that a read of the type can populate. */
  readonly standInsOf: (model: EntryModel) => readonly StandIns[]
  /** The full-text search for a type. */
  readonly searchOf: (model: EntryModel) => EntrySearch | undefined
}

const selectionParameters = ['filters', 'published', 'search', 'searchFields', 'typos', 'deleted']
const findParameters = new Set(['populate', 'fields', 'deleted', 'meta'])
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
  'typos',
  'filters',
])

/** The query of `GET /content/<type>`. @throws InvalidQuery 400 with all problems */
export function parseListQuery(
  query: string | EntryQuery,
  model: EntryModel,
  options: ReadQueryOptions,
): ReadQuery {
  const allowed = withDraftParameter(listParameters, model, options)
  return parse(query, model, options, { place: 'list', allowed, selectsByMeta: true })
}

/** The query of `GET /content/<type>/:id`. @throws InvalidQuery 400 with all problems */
export function parseFindQuery(
  query: string | EntryQuery,
  model: EntryModel,
  options: ReadQueryOptions,
): ReadQuery {
  const allowed = withDraftParameter(findParameters, model, options)
  return parse(query, model, options, { place: 'find', allowed })
}

/** A query that selects the entry of a single type. @throws AppError 400 with all problems */
export function parseSingleQuery(
  query: string | EntryQuery,
  model: EntryModel,
  options: ReadQueryOptions & { readonly place?: 'single' | 'put' },
): ReadQuery {
  const allowed = withDraftParameter(findParameters, model, options)
  return parse(query, model, options, { place: options.place ?? 'single', allowed })
}

/** The slot for the ids of `parseManyQuery`; each read binds its own. */
export const idsSlot = 'ids'

/** Entries by their ids, which are bound under `idsSlot`; not counted. */
export function parseManyQuery(
  shown: ShownOfEntries,
  model: EntryModel,
  options: ReadQueryOptions,
): ReadQuery {
  const query = parseListQuery({ ...shown, total: false }, model, options)
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
  /** See `SelectionRequest`. */
  readonly withoutFilterOn: readonly string[] | undefined
  readonly populates: boolean
}

/** Parses only what selects entries; no page, no order. @throws InvalidQuery 400 with all problems */
export function parseSelectionQuery(
  rawQuery: string | EntryQuery,
  model: EntryModel,
  options: SelectionQueryOptions,
): ReadQuery {
  const { ownParameters, problems, withoutFilterOn, populates } = options
  const allowed = new Set([...ownParameters, ...selectionParameters, ...(populates ? ['populate'] : [])])
  return parse(rawQuery, model, options, {
    place: 'list',
    allowed,
    unread: ownParameters,
    problems,
    withoutFilterOn,
  })
}

/** Options of the parser. */
interface Parsed {
  readonly place: ReadPlace
  /** Names of allowed parameters, besides those of other plugins. */
  readonly allowed: ReadonlySet<string>
  readonly problems?: readonly ErrorDetail[]
  readonly withoutFilterOn?: readonly string[] | undefined
  /** Names of allowed parameters that another plugin reads. */
  readonly unread?: readonly string[]
  /** Whether filters and sorts may name metadata from plugins. */
  readonly selectsByMeta?: boolean
}

function parse(
  source: string | EntryQuery,
  model: EntryModel,
  options: ReadQueryOptions,
  { place, allowed, problems: found = [], withoutFilterOn, unread, selectsByMeta = false }: Parsed,
): ReadQuery {
  const problems: ErrorDetail[] = [...found]
  const reader: ParameterReader = { raw: parametersOf(source, unread), problems }
  const plugins = options.parametersOf(model)
  const standIns = allowed.has('populate') ? options.standInsOf(model) : []
  const added = [...plugins, ...standIns].flatMap(({ parameters }) => Object.keys(parameters))
  reportUnknown(reader, added.length === 0 ? allowed : new Set([...allowed, ...added]))
  const slots = new Slots()
  const named = new Set<string>()
  const lookedInto = new Set<string>()
  const { models, schemas, draftsOf, maxLimit } = options
  // Copied for each level of a filter, so it has no more than is needed.
  const deps = { models, schemas, draftsOf, maxLimit, slots, problems, named, lookedInto }
  const populate =
    typeof source === 'string'
      ? parsePopulate(objectParameter(reader, 'populate'), model, deps)
      : parseExpansions(source.populate ?? [], model, deps)
  const selections = new MetaSelections(selectsByMeta ? options.metaOf(model.type) : [])
  const [sortText, sortOrder] = [textParameter(reader, 'sort'), textParameter(reader, 'sortOrder')]
  const sort = parseSort(sortText, sortOrder, model, { ...deps, selections })
  const sentFilters = typeof source === 'string' ? objectParameter(reader, 'filters') : reader.raw.filters
  const rawFilters = withoutFilterOn === undefined ? sentFilters : without(withoutFilterOn, sentFilters)
  const filters =
    rawFilters === undefined ? undefined : parseFilters(rawFilters, model, { ...deps, selections })
  const search = parseSearch(reader, model, { slots, search: options.searchOf(model) })
  const read = textsOf(reader)
  const bound = bindRestrictions(plugins, model, place, { read, problems, slots })
  const chosen = chooseStandIns(standIns, model, place, { read, problems, slots })
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
    ...plainParameters(reader, options),
    sort,
    fields: parseFields(reader, model, options),
    populate,
    standIns: chosen,
    showsIds: typeof source === 'string' || source.showsIds !== false,
    slots,
  }
  if (cursorText !== undefined) problems.push(...cursorConflicts(sort, reader.raw.offset !== undefined))
  const requiredTypes = [...new Set([...named, ...lookedInto])]
  const revealsMeta = query.meta || selections.isUsed
  if (problems.length > 0) {
    throw new InvalidQuery(problems, requiredTypes, revealsMeta ? model.type.name : undefined)
  }
  const cursor = cursorText === undefined ? undefined : parseCursor(cursorText, sort, slots)
  return {
    ...query,
    cursor,
    shape: shapeOfQuery({ ...query, cursor }),
    requiredTypes,
    revealsMeta,
    tellsAdminNames: selections.tellsAdminNames,
    touchedTypes: touchedTypes(model, { lookedInto, populate }, options),
  }
}

/** Removes the condition at a path from filters. Values that are not objects stay, so that they are reported as problems. */
function without([name = '', ...rest]: readonly string[], filters: unknown): unknown {
  if (!isObject(filters)) return filters
  const kept = Object.entries(filters).flatMap(([key, value]) => {
    if (canonicalFieldName(key) !== name) return [[key, value]]
    const left = rest.length > 0 ? without(rest, value) : {}
    return isObject(left) && Object.keys(left).length === 0 ? [] : [[key, left]]
  })
  return Object.fromEntries(kept)
}

/** The parameters that can be read without any context. */
function plainParameters(reader: ParameterReader, { defaultLimit, maxLimit }: ReadQueryOptions) {
  return {
    published: booleanParameter(reader, 'published'),
    draft: booleanParameter(reader, 'draft') ?? false,
    deleted: booleanParameter(reader, 'deleted') ?? false,
    meta: booleanParameter(reader, 'meta') ?? false,
    limit: Math.min(countParameter(reader, 'limit') ?? defaultLimit, maxLimit),
    offset: countParameter(reader, 'offset') ?? 0,
    withTotal: booleanParameter(reader, 'total') ?? true,
  }
}

/**
 * Reads the parameters of plugins as texts. Several plugins may read the same parameter, so its problems are reported only once.
 */
function textsOf(reader: ParameterReader): (name: string) => string | undefined {
  const texts = new Map<string, string | undefined>()
  return (name) => keep(texts, name, () => textParameter(reader, name))
}

function both(left: Condition | undefined, right: Condition | undefined): Condition | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return { kind: 'and', conditions: [left, right] }
}

function shapeOfQuery(
  query: Omit<ReadQuery, 'shape' | 'requiredTypes' | 'touchedTypes' | 'revealsMeta' | 'tellsAdminNames'>,
): string {
  const { condition, restrictions, published, draft, deleted, sort, cursor, withTotal, fields, populate } =
    query
  return [
    condition === undefined ? '' : shapeOf(condition),
    restrictions.map(shapeOfRestriction).join('&'),
    published,
    draft,
    deleted,
    query.meta,
    sort.map(shapeOfKey),
    cursor === undefined ? 'offset' : (cursor?.map(({ slot }) => slot ?? 'null') ?? 'first'),
    withTotal,
    fields === undefined ? '*' : [...fields],
    populateShape(populate),
    query.standIns.map(shapeOfStandIns).join('&'),
    query.showsIds,
  ].join(';')
}
