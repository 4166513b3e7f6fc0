import type { Attribute } from './schemas.ts'
import type { TypeNames } from './typescript-names.ts'

/** The type of what an attribute can be filtered by; decisions.md, 3. */
export function filterType(attribute: Attribute, names: TypeNames): string {
  switch (attribute.type) {
    case 'relation':
      return `RelationFilter<${names.ofType(attribute.target).filters}>`
    case 'media':
      return `RelationFilter<${names.ofType('media').filters}>`
    case 'integer':
      return 'ValueFilter<number>'
    case 'bigint':
    case 'decimal':
      return 'ValueFilter<number | string>'
    case 'boolean':
      return 'ValueFilter<boolean>'
    case 'enum':
      return `ValueFilter<${attribute.values.map((value) => JSON.stringify(value)).join(' | ')}>`
    case 'date':
    case 'datetime':
      return 'ValueFilter<string>'
    case 'json':
    case 'component':
    case 'dynamicZone':
      return 'PresenceFilter'
    default:
      return 'TextFilter'
  }
}

/** What the filters of all types are made of. */
export const filterPrelude = `/** Whether there is a value at all. */
export interface PresenceFilter {
  $null?: boolean
  $notNull?: boolean
}

export interface ValueOperators<Value> extends PresenceFilter {
  $eq?: Value
  $ne?: Value
  $lt?: Value
  $lte?: Value
  $gt?: Value
  $gte?: Value
  $in?: Value[]
  $notIn?: Value[]
  $between?: [Value, Value]
  $not?: ValueOperators<Value>
}

/** Those that end in \`i\` do not tell upper and lower case apart. */
export interface TextOperators extends Omit<ValueOperators<string>, '$not'> {
  $eqi?: string
  $nei?: string
  $contains?: string
  $notContains?: string
  $containsi?: string
  $notContainsi?: string
  $startsWith?: string
  $startsWithi?: string
  $endsWith?: string
  $endsWithi?: string
  $not?: TextOperators
}

/** A value, any of several, or operators. */
export type ValueFilter<Value> = Value | Value[] | ValueOperators<Value>

export type TextFilter = string | string[] | TextOperators

/** By id, or by the attributes of what it points at. */
export type RelationFilter<Filters> =
  | number
  | number[]
  | (Omit<ValueOperators<number>, '$not'> & Omit<Filters, '$not'> & { $not?: RelationFilter<Filters> })
`

/** The names that the prelude declares. */
export const preludeNames: readonly string[] = [
  ...filterPrelude.matchAll(/export (?:interface|type) (\w+)/g),
].flatMap(([, name]) => name ?? [])
