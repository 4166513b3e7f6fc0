import { type Filter, filterFromText, filterToText } from '../filters/filter.ts'

/** `changed`: public, with a draft that waits beside it. */
export const publicationStates = ['published', 'draft', 'scheduled', 'changed'] as const

/** How the entries stand there; without one, as a table. */

export type PublicationState = (typeof publicationStates)[number]

export interface Sorting {
  readonly field: string
  readonly direction: 'asc' | 'desc'
}

export interface ChosenColumn {
  readonly id: string
  /** In pixels; undefined: a share of what is left. */
  readonly width?: number
}

/** What a list shows. All of it is in the address, so that a link, or going back, shows the same. */
export interface ListState {
  readonly search: string
  readonly filters: readonly Filter[]
  /** Undefined: newest first. */
  readonly sort?: Sorting
  /** Undefined: those of the type. */
  readonly columns?: readonly ChosenColumn[]
  readonly publication?: PublicationState
  /** Undefined: the default one of the type; `*`: all. */
  readonly locale?: string
  /** The saved view that this began as. */
  readonly view?: number
  readonly isTrash: boolean
  /** What stands in place of the rows: `board`; see `listLayouts`. */
  readonly layout?: string
  /** Where the first row stands in the list, as the API says it; undefined: at its beginning. */
  readonly from?: string
}

/** More than anybody adds by hand; an address is not to make the page work for seconds. */
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

/** Reads a query string. What is not understood is left out: addresses are typed, cut off and outlive columns. */
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

/** What a saved view keeps: all but where one stands in the list. */
export function viewQuery({ view: _view, from: _from, ...state }: ListState): string {
  return stateToQuery(state)
}

/** Whether the list is narrowed, so that finding nothing does not mean that there is nothing. */
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
