import { blockName, isJsonObject, type JsonMember, type JsonShape } from '../../tables/json-shape.ts'
import { lost } from '../lost.ts'
import { heldAs } from './held-value.ts'
import {
  changeHolders,
  changeItems,
  changeMembers,
  changeShape,
  type Item,
  type Place,
  pathOf,
} from './place.ts'

/** Values of a column for which the schema has no place: hidden, and kept until they may be lost. */
export interface JsonLoss {
  readonly change: 'drop-attribute' | 'drop-component' | 'convert-attribute'
  /** The path within the column; empty for the whole column. */
  readonly path: string
  readonly reason: string
  readonly plugin?: string | undefined
  /** Returns the value without it, changed in place or as a new one. */
  convert(value: unknown): unknown
  /** The shape of the column without it. */
  without(shape: JsonShape): JsonShape
}

function withoutMember(shape: JsonShape, place: Place, name: string): JsonShape {
  return changeMembers(shape, place, ({ [name]: _dropped, ...members }) => members)
}

/** For an attribute that is no longer declared. */
export function droppedMember(place: Place, name: string, { plugin }: JsonMember): JsonLoss {
  return {
    change: 'drop-attribute',
    path: pathOf(place, name),
    reason: lost('its values', { plugin }),
    plugin,
    convert(value) {
      changeItems(value, place, (item) => {
        delete item[name]
      })
      return value
    },
    without: (shape) => withoutMember(shape, place, name),
  }
}

/**
 * For values that did not fit the new declaration of an attribute. Those that can be converted with a loss are, as in
 * columns.
 */
export function droppedAside(
  place: Place,
  name: string,
  { asideOf }: JsonMember,
  to: JsonShape | undefined,
): JsonLoss {
  const { member = '', reason = '' } = asideOf ?? {}
  return {
    change: 'convert-attribute',
    path: member === '' ? pathOf(place) : pathOf(place, member),
    reason,
    convert(value) {
      changeItems(value, place, (item) => {
        if (to?.is === 'value' && Object.hasOwn(item, name))
          fillEmpty(item, member, heldAs(to.kind, item[name]))
        delete item[name]
      })
      return value
    },
    without: (shape) => withoutMember(shape, place, name),
  }
}

function fillEmpty(item: Item, name: string, value: unknown): void {
  item[name] ??= value
}

/** For blocks of a component that a zone no longer allows. */
export function droppedComponent(place: Place, uid: string): JsonLoss {
  const isOther = (block: unknown) => !isJsonObject(block) || block[blockName] !== uid
  return {
    change: 'drop-component',
    path: pathOf([...place, { component: uid }]),
    reason: 'its blocks would be lost',
    convert: (value) =>
      changeHolders(value, place, (list) => (Array.isArray(list) ? list.filter(isOther) : list)),
    without: (shape) =>
      changeShape(shape, place, (zone) => {
        if (zone.is !== 'blocks') return zone
        const { [uid]: _dropped, ...components } = zone.components
        return { ...zone, components }
      }),
  }
}

/** For all values of a column that now holds other components. */
export function replacedColumn(to: JsonShape, reason: string): JsonLoss {
  return {
    change: 'convert-attribute',
    path: '',
    reason,
    convert: (value) => asShape(value, to),
    without: () => to,
  }
}

/** As far as the value contains what the shape describes. */
function asShape(value: unknown, to: JsonShape): unknown {
  const list = (Array.isArray(value) ? value : [value]).filter(isJsonObject)
  if (to.is === 'blocks')
    return list.filter((block) => Object.hasOwn(to.components, String(block[blockName])))
  if (to.is !== 'items') return null
  const items = list.flatMap(({ [blockName]: uid = to.component, ...item }) =>
    uid === to.component ? [item] : [],
  )
  if (to.isList) return items.length === 0 && to.isNullIfEmpty === true ? null : items
  return items[0] ?? null
}
