import type { Owner } from '../owners/owner.ts'
import { kindOfLeading } from './leading.ts'

/** A type as a box; in pixels. */
export interface Box {
  readonly name: string
  readonly title: string
  readonly lines: readonly string[]
  readonly x: number
  readonly y: number
  readonly height: number
}

/** A relation as a line from one box to another. */
export interface Line {
  readonly key: string
  readonly path: string
}

export interface Diagram {
  readonly boxes: readonly Box[]
  readonly lines: readonly Line[]
  readonly width: number
  readonly height: number
}

export const boxWidth = 190
export const titleHeight = 30
export const lineHeight = 20
const gapX = 110
const gapY = 28
const margin = 16

/** Lays out types in columns: a referenced type is to the right of those that refer to it, as far as there are no cycles. */
export function layoutDiagram(types: readonly Owner[]): Diagram {
  const names = new Set(types.map(({ name }) => name))
  const columns = columnsOf(types, names)
  const heights = new Map<number, number>()
  const boxes = types.map((type): Box => {
    const column = columns.get(type.name) ?? 0
    const lines = leadingFields(type, names).map(
      ({ name, attribute }) => `${name} ${kindOfLeading(attribute)}`,
    )
    const y = heights.get(column) ?? margin
    const height = titleHeight + lines.length * lineHeight + (lines.length > 0 ? 8 : 0)
    heights.set(column, y + height + gapY)
    return {
      name: type.name,
      title: type.displayName,
      lines,
      x: margin + column * (boxWidth + gapX),
      y,
      height,
    }
  })
  const byName = new Map(boxes.map((box) => [box.name, box]))
  const right = Math.max(0, ...boxes.map(({ x }) => x + boxWidth))
  return {
    boxes,
    lines: types.flatMap((type) => linesOf(type, byName, names)),
    width: right + gapX / 2 + margin,
    height: Math.max(0, ...boxes.map(({ y, height }) => y + height)) + margin,
  }
}

/** The owned relations of a type: inverse sides are the same lines. */
function leadingFields({ fields }: Owner, names: ReadonlySet<string>) {
  return fields.filter(
    ({ attribute: { type, target, mappedBy, inverse } }) =>
      type === 'relation' && mappedBy === undefined && inverse !== true && names.has(String(target)),
  )
}

/** Each type's column: one to the right of the types that refer to it. */
function columnsOf(types: readonly Owner[], names: ReadonlySet<string>): ReadonlyMap<string, number> {
  const columns = new Map(types.map(({ name }) => [name, 0]))
  const byName = new Map(types.map((type) => [type.name, type]))
  const visit = (type: Owner, column: number, above: ReadonlySet<string>) => {
    if (above.has(type.name) || (column > 0 && column <= (columns.get(type.name) ?? 0))) return
    columns.set(type.name, Math.max(column, columns.get(type.name) ?? 0))
    for (const { attribute } of leadingFields(type, names)) {
      const target = byName.get(String(attribute.target))
      if (target !== undefined) visit(target, column + 1, new Set([...above, type.name]))
    }
  }
  for (const type of types) visit(type, 0, new Set())
  return columns
}

function linesOf(type: Owner, boxes: ReadonlyMap<string, Box>, names: ReadonlySet<string>): Line[] {
  return leadingFields(type, names).flatMap(({ name, attribute }, index) => {
    const [from, to] = [boxes.get(type.name), boxes.get(String(attribute.target))]
    if (from === undefined || to === undefined) return []
    const startY = from.y + titleHeight + index * lineHeight + lineHeight / 2
    const endY = to.y + titleHeight / 2
    return [{ key: `${type.name}.${name}`, path: curve(from, startY, to, endY) }]
  })
}

/** Ends at the left side of a box further right, otherwise at the right side. */
function curve(from: Box, startY: number, to: Box, endY: number): string {
  const startX = from.x + boxWidth
  const isForward = to.x > from.x
  const endX = isForward ? to.x : to.x + boxWidth
  const bend = isForward ? (endX - startX) / 2 : gapX / 2
  const endBend = isForward ? endX - bend : endX + bend
  return `M ${startX} ${startY} C ${startX + bend} ${startY}, ${endBend} ${endY}, ${endX} ${endY}`
}
