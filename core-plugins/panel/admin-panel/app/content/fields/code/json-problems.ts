import { jsonLanguage } from '@codemirror/lang-json'
import { type LostNumber, lostNumbers } from '../../schema/json-numbers.ts'

/** A place at which a text stops being JSON, or has a number that would become another one. */
export interface JsonProblem {
  /** In characters from the start. */
  readonly position: number
  /** From 1, as editors count them. */
  readonly line: number
  readonly column: number
  readonly number?: LostNumber
}

/** After the first few, the rest mostly follows from them. */
const maxProblems = 5

/** What keeps a text from being taken as JSON; nothing for an empty one. */
export function jsonProblems(text: string): readonly JsonProblem[] {
  if (text.trim() === '') return []
  if (isJson(text)) {
    const lost = lostNumbers(text).slice(0, maxProblems)
    return lost.map((number) => ({ ...placeOf(text, number.position), number }))
  }
  const positions = new Set<number>()
  jsonLanguage.parser.parse(text).iterate({
    enter({ type, from }) {
      if (type.isError) positions.add(from)
    },
  })
  // What the grammar lets pass, such as a line break in a string, is somewhere in the text.
  const found = positions.size === 0 ? [0] : [...positions]
  return found.slice(0, maxProblems).map((position) => placeOf(text, position))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function placeOf(text: string, position: number): JsonProblem {
  const before = text.slice(0, position).split('\n')
  return { position, line: before.length, column: (before.at(-1) ?? '').length + 1 }
}
