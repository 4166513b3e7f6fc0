import { pointText } from './point-text.ts'

/** How a list shows the values of fields. */
export type ValueColumn = 'text' | 'number' | 'boolean' | 'enum' | 'date' | 'datetime' | 'relation' | 'media'

/** The kind of input for comparing a field. */
export type ValueOperand = 'text' | 'number' | 'day' | 'moment' | 'choice' | 'flag' | 'none'

/** How two versions of a value are compared; `entry/diff/diff-entry.ts` has a function for each. */
export type Comparison =
  | 'words'
  | 'html'
  | 'json'
  | 'moment'
  | 'text'
  | 'references'
  | 'files'
  | 'component'
  | 'blocks'

/**
 * How lists, filters, bulk changes and comparisons treat the values of a field type. Separate from the inputs in `built-in.ts`,
 * which a list does not load.
 */
export interface ValueKind {
  /** Undefined: the values do not fit into a cell. */
  readonly column?: ValueColumn
  readonly isSortable?: boolean
  /** Not among the columns that a list begins with. */
  readonly isLong?: boolean
  /** The value is HTML; cells show its text. */
  readonly isHtml?: boolean
  /** Formats the value as a line of text; by default `String` does. */
  readonly textOf?: (value: unknown) => string
  /** Undefined if lists cannot be filtered by such fields. */
  readonly operand?: ValueOperand
  /** Whether a bulk change can set such fields; the others are changed in the form of their entry. */
  readonly isBulkEditable?: boolean
  /** Whole numbers that a double holds, ids among them; see `typedValue`. */
  readonly isWhole?: boolean
  /** By default, a value has either changed or not. */
  readonly comparison?: Comparison | undefined
  /** The `default` in a schema file that makes the service compute the value of each new entry. */
  readonly computedDefault?: string
}

const line: ValueKind = {
  column: 'text',
  isSortable: true,
  operand: 'text',
  isBulkEditable: true,
  comparison: 'words',
}
const text: ValueKind = { ...line, isSortable: false, isLong: true }
const number: ValueKind = { ...line, column: 'number', operand: 'number', comparison: undefined }

const builtIn = {
  string: line,
  email: line,
  text,
  richtext: { ...text, isHtml: true, isBulkEditable: false, comparison: 'html' },
  integer: { ...number, isWhole: true },
  bigint: number,
  decimal: number,
  boolean: { ...number, column: 'boolean', operand: 'flag' },
  enum: { ...number, column: 'enum', operand: 'choice' },
  date: { ...number, column: 'date', operand: 'day' },
  datetime: {
    ...number,
    column: 'datetime',
    operand: 'moment',
    comparison: 'moment',
    computedDefault: 'now',
  },
  json: { comparison: 'json' },
  point: { column: 'text', textOf: pointText, operand: 'none', comparison: 'text' },
  relation: { column: 'relation', isBulkEditable: true, isWhole: true, comparison: 'references' },
  media: { column: 'media', operand: 'none', comparison: 'files' },
  component: { comparison: 'component' },
  dynamicZone: { comparison: 'blocks' },
} as const satisfies Readonly<Record<string, ValueKind>>

/** Whether a plugin's field type may declare that its values are like this type's. */
export const isBuiltInType = (type: unknown): boolean => Object.hasOwn(builtIn, String(type))

/** For plugin types that do not describe their values: shown as text, without sorting and filters. */
const unknownValues: ValueKind = { column: 'text' }

const kinds = new Map<string, ValueKind>(Object.entries(builtIn))

/** How to treat the values of a field type. */
export const valueKindOf = (type: string): ValueKind => kinds.get(type) ?? unknownValues

/** Treats the values of a plugin's field type like those of a built-in one. */
export function contributeValues(type: string, like: keyof typeof builtIn) {
  kinds.set(type, builtIn[like])
}
