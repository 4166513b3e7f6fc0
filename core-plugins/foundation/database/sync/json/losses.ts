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

/** Something in the values of a column that the schema has no place for: hidden, and kept until it may be lost. */
export interface JsonLoss {
  readonly change: 'drop-attribute' | 'drop-component' | 'convert-attribute'
  /** Within the column; empty for all of it. */
  readonly path: string
  readonly reason: string
  readonly plugin?: string | undefined
  /** The value without it, in place or anew. */
  convert(value: unknown): unknown
  /** What the column consists of without it. */
  without(shape: JsonShape): JsonShape
}

function withoutMember(shape: JsonShape, place: Place, name: string): JsonShape {
  return changeMembers(shape, place, ({ [name]: _dropped, ...members }) => members)
}

/** Of an attribute that is not declared any more. */
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

/** Of values that did not fit what an attribute is now. Those that have a form there are converted, as those of columns are. */
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

/** Of blocks that a zone may not have any more. */
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

/** Of all values of a column that holds components of another kind now. */
export function replacedColumn(to: JsonShape, reason: string): JsonLoss {
  return {
    change: 'convert-attribute',
    path: '',
    reason,
    convert: (value) => asShape(value, to),
    without: () => to,
  }
}

/** As far as there is anything of the kind. */
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
