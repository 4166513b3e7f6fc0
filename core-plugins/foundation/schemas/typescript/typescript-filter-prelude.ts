import {
  filterOperators,
  type OperatorArgument,
  type OperatorName,
  operatorsAsking,
  valueOperators,
} from '../filter-operators.ts'

const argumentTypes: Readonly<Record<OperatorArgument, (value: string) => string>> = {
  value: (value) => value,
  values: (value) => `${value.includes(' ') ? `(${value})` : value}[]`,
  pair: (value) => `[${value}, ${value}]`,
  text: () => 'string',
  flag: () => 'boolean',
  circle: () => '[lat: number, lng: number, metres: number]',
  area: () => 'number[]',
}

/** An operator as a member of an interface: `$in?: number[]`. */
export function operatorMember(name: OperatorName, value: string): string {
  return `${name}?: ${argumentTypes[filterOperators[name].argument](value)}`
}

function members(names: readonly OperatorName[]): string {
  return names.map((name) => `  ${operatorMember(name, 'Value')}`).join('\n')
}

/** What the filters of all types are made of. */
export const filterPrelude = `/** Whether there is a value at all. */
export interface PresenceFilter {
${members(operatorsAsking('presence'))}
}

export interface ValueOperators<Value> extends PresenceFilter {
${members(valueOperators)}
  $not?: ValueOperators<Value>
}

/** Those that end in \`i\` do not tell upper and lower case apart. */
export interface TextOperators extends Omit<ValueOperators<string>, '$not'> {
${members(operatorsAsking('text'))}
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

/** By what is in it; of several, some one has to satisfy all conditions. */
export type ComponentFilter<Filters> = PresenceFilter &
  Omit<Filters, '$not'> & { $not?: ComponentFilter<Filters> }

/** By what is in the blocks of a component. */
export type ZoneFilter<Blocks> = PresenceFilter & Partial<Blocks> & { $not?: ZoneFilter<Blocks> }

type JsonScalar = string | number | boolean

/** A text that looks like a number, true or false is taken for that unless it is in double quotes. */
export interface JsonOperators extends Omit<ValueOperators<JsonScalar>, '$not'>, Omit<TextOperators, keyof ValueOperators<string>> {
  $and?: JsonFilter[]
  $or?: JsonFilter[]
  $not?: JsonFilter
}

/** A value, operators, or keys that lead to a value. */
export type JsonFilter = JsonScalar | JsonScalar[] | JsonOperators | { [key: string]: JsonFilter }
`

/** The names that the prelude declares. */
export const preludeNames: readonly string[] = [
  ...filterPrelude.matchAll(/export (?:interface|type) (\w+)/g),
].flatMap(([, name]) => name ?? [])
