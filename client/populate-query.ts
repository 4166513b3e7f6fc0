import type { QueryValue } from './query-string.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Converts what to populate into what the service takes: paths, `author,blocks.image`, which make short addresses; or,
 * where something has options, each field by its name.
 */
export function populateQuery(populate: unknown): QueryValue {
  if (hasOptions(populate)) return byName(populate)
  const paths = pathsOf(populate)
  return paths.length === 0 ? undefined : paths.join(',')
}

const isOption = (name: string) => name.startsWith('$')
const isNested = (populate: unknown): populate is Fields => typeof populate === 'object' && populate !== null

function hasOptions(populate: unknown): boolean {
  if (!isNested(populate)) return false
  return Object.entries(populate).some(([name, inside]) => isOption(name) || hasOptions(inside))
}

function pathsOf(populate: unknown): string[] {
  if (populate === '*') return ['*']
  if (!isNested(populate)) return []
  return Object.entries(populate).flatMap(([field, inside]) => {
    if (inside === undefined || inside === false) return []
    const deeper = pathsOf(inside).map((path) => `${field}.${path}`)
    return deeper.length === 0 ? [field] : deeper
  })
}

function byName(populate: unknown): QueryValue {
  if (!isNested(populate)) return populate === '*' ? '*' : undefined
  const fields = Object.entries(populate).filter(([name]) => !isOption(name))
  if (fields.length === 0) return undefined
  return Object.fromEntries(fields.map(([field, inside]) => [field, withOptions(inside)]))
}

function withOptions(inside: unknown): QueryValue {
  if (inside === undefined || inside === false) return undefined
  const options = Object.entries(isNested(inside) ? inside : {}).filter(([name]) => isOption(name))
  const deeper = byName(inside)
  if (options.length === 0 && deeper === undefined) return true
  return {
    ...Object.fromEntries(options.map(([name, value]) => [name.slice(1), optionValue(value)])),
    populate: deeper,
  }
}

/** Lists of names are joined by commas, as everywhere in addresses. */
const optionValue = (value: unknown): QueryValue =>
  Array.isArray(value) ? value.join(',') : (value as QueryValue)
