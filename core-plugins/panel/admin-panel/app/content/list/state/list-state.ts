import { type Filter, filterFromText, filterToText } from '../filters/filter.ts'

/** `changed`: public, with a draft of further changes. */
export const publicationStates = ['published', 'draft', 'scheduled', 'changed'] as const

export type PublicationState = (typeof publicationStates)[number]

export interface Sorting {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

export interface ChosenColumn {
  readonly id: string
  /** In pixels; undefined: a share of the remaining width. */
  readonly width?: number
}

/** The state of a list. All of it is in the URL, so that a link or the back button shows the same. */
export interface ListState {
  readonly search: string
  readonly filters: readonly Filter[]
  /** Undefined: newest first. */
  readonly sort?: Sorting
  /** Undefined: the columns of the type. */
  readonly columns?: readonly ChosenColumn[]
  readonly publication?: PublicationState
  /** Undefined: the default one of the type; `*`: all. */
  readonly locale?: string
  /** The saved view that this began as. */
  readonly view?: number
  readonly isTrash: boolean
  /** The layout that replaces the rows, such as `board`; see `listLayouts`. */
  readonly layout?: string
  /** The position of the first row, as returned by the API; undefined: the beginning. */
  readonly from?: string
}

/** Nobody adds more by hand; the limit keeps a crafted URL from blocking the page for seconds. */
const maxFilters = 30
const maxColumns = 50
const minWidth = 40
const maxWidth = 2_000

/** Everything at its default. */
export const emptyState: ListState = { search: '', filters: [], isTrash: false }

/** The query string of a state; empty for the default. Reading it gives the same state. */
export function stateToQuery(state: ListState): string {
  const { search, filters, sort, columns, publication, locale, view, isTrash, layout, from } = state
  const query = new URLSearchParams()
  if (view !== undefined) query.append('view', String(view))
  if (search !== '') query.append('q', search)
  for (const filter of filters) query.append('f', filterToText(filter))
  if (sort !== undefined) query.append('sort', `${sort.field}:${sort.direction}`)
  if (columns !== undefined) query.append('cols', columns.map(columnToText).join(','))
  if (publication !== undefined) query.append('state', publication)
  if (locale !== undefined) query.append('locale', locale)
  if (isTrash) query.append('trash', '1')
  if (layout !== undefined) query.append('layout', layout)
  if (from !== undefined) query.append('from', from)
  return query.toString()
}

/** Reads a query string. Unknown parts are ignored: URLs are mistyped, truncated, or name deleted columns. */
export function stateFromQuery(text: string): ListState {
  const query = new URLSearchParams(text)
  const filters = query.getAll('f').slice(0, maxFilters).map(filterFromText)
  return {
    search: query.get('q') ?? '',
    filters: filters.filter((filter) => filter !== undefined),
    isTrash: query.get('trash') === '1',
    ...present('sort', sortFromText(query.get('sort') ?? '')),
    ...present('columns', columnsFromText(query.get('cols') ?? '')),
    ...present(
      'publication',
      publicationStates.find((each) => each === query.get('state')),
    ),
    ...present('locale', query.get('locale') || undefined),
    ...present('view', viewFromText(query.get('view') ?? '')),
    ...present('layout', query.get('layout') || undefined),
    ...present('from', query.get('from') || undefined),
  }
}

/** The query string of a saved view: everything but the position in the list. */
export function viewQuery({ view: _view, from: _from, ...state }: ListState): string {
  return stateToQuery(state)
}

/** Whether the list is filtered, so that an empty result does not mean that there are no entries. */
export function isNarrowed({ search, filters, publication, locale, from }: ListState): boolean {
  const isOne = search.trim() !== '' || publication !== undefined || from !== undefined
  return isOne || filters.length > 0 || locale !== undefined
}

const columnToText = ({ id, width }: ChosenColumn) => (width === undefined ? id : `${id}:${width}`)

function columnsFromText(text: string): readonly ChosenColumn[] | undefined {
  const columns = new Map<string, ChosenColumn>()
  for (const part of text.split(',').slice(0, maxColumns)) {
    const [id = '', width] = part.split(':')
    if (id !== '') columns.set(id, { id, ...present('width', widthFromText(width)) })
  }
  return columns.size === 0 ? undefined : [...columns.values()]
}

function widthFromText(text = ''): number | undefined {
  const width = /^\d{1,4}$/.test(text) ? Number(text) : undefined
  return width === undefined ? undefined : Math.min(Math.max(width, minWidth), maxWidth)
}

function sortFromText(text: string): Sorting | undefined {
  const [, field, direction] = /^([^:,]+):(asc|desc)$/.exec(text) ?? []
  return field === undefined ? undefined : { field, direction: direction === 'asc' ? 'asc' : 'desc' }
}

const viewFromText = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined)

/** A member, or none where there is no value. */
function present<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [Key in Name]?: Value }
}
