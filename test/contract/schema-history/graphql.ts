import { type Item, idsOf, itemsOf } from './values.ts'
import { type Attributes, componentOf, isHolder, isLink, type Version } from './version.ts'

/** What to ask for, so that all of an entry comes. */
export function selection(version: Version, attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, { kind }]) => {
      if (isLink(kind)) return `${name} { id }`
      if (!isHolder(kind)) return name
      const card = selection(version, version.card)
      if (kind === 'card' || kind === 'cards') return `${name} { ${card} }`
      return `${name} { __component ... on ComponentSharedCard { ${card} } ${kind === 'zone' ? '... on ComponentSharedQuote { words }' : ''} }`
    })
    .join(' ')
}

/** How GraphQL shows what REST shows. */
export function asGraphql(version: Version, attributes: Attributes, data: Item): Item {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { kind }]) => {
      const value = data[name]
      if (kind === 'toOne') return [name, value === null ? null : { id: value }]
      if (kind === 'toMany') return [name, idsOf(value).map((id) => ({ id }))]
      if (!isHolder(kind)) return [name, value]
      const items = itemsOf(value).map((item) => ({
        ...(item.__component === undefined ? {} : { __component: item.__component }),
        ...asGraphql(version, componentOf(version, item.__component), item),
      }))
      return [name, kind === 'card' ? (items[0] ?? null) : items]
    }),
  )
}
