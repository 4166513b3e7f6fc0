import { type Layout, layoutOf } from './layout.ts'

/** The line width of formatters in this repository. */
const maxWidth = 110

/**
 * Serialises a schema file with two spaces, and lists of plain values on one line. Otherwise the layout of the earlier text is
 * kept, so that a diff shows only real changes.
 */
export function formatSchema(content: unknown, earlier = ''): string {
  const text = earlier.replace(/^\uFEFF/, '')
  if (text !== '' && JSON.stringify(JSON.parse(text)) === JSON.stringify(content)) return earlier
  const [, indent = '  '] = /^\{\r?\n([ \t]+)"/.exec(text) ?? []
  const formatted = `${write(content, text === '' ? undefined : layoutOf(text), { indent, depth: 0, column: 0 })}\n`
  return text.includes('\r\n') ? formatted.replaceAll('\n', '\r\n') : formatted
}

interface Place {
  readonly indent: string
  readonly depth: number
  /** The column at which the value begins. */
  readonly column: number
}

function write(value: unknown, layout: Layout | undefined, place: Place): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isArray = Array.isArray(value)
  const entries = Object.entries(value)
  if (entries.length === 0) return isArray ? '[]' : '{}'
  const isInline = layout?.isInline ?? (isArray && value.every(isPlain))
  const line = isInline ? onOneLine(value) : ''
  if (isInline && place.column + line.length <= maxWidth) return line
  const inner = place.indent.repeat(place.depth + 1)
  const lines = entries.map(([key, part]) => {
    const lead = isArray ? inner : `${inner}${JSON.stringify(key)}: `
    const column = lead.length
    return `${lead}${write(part, layout?.parts.get(key), { ...place, depth: place.depth + 1, column })}`
  })
  const [open, close] = isArray ? '[]' : '{}'
  return `${open}\n${lines.join(',\n')}\n${place.indent.repeat(place.depth)}${close}`
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  if (isPlain(value)) return JSON.stringify(value)
  const parts = Object.entries(value as object).map(
    ([key, part]) => `${JSON.stringify(key)}: ${onOneLine(part)}`,
  )
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}
