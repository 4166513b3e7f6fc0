import { jsonLanguage } from '@codemirror/lang-json'
import { type LostNumber, lostNumbers } from '../../schema/json-numbers.ts'

/** A position at which a text is not valid JSON, or has a number that would lose precision. */
export interface JsonProblem {
  /** In characters from the start of the text. */
  readonly position: number
  /** Line number, from 1. */
  readonly line: number
  readonly column: number
  readonly number?: LostNumber
}

/** Further problems are mostly consequences of the first ones. */
const maxProblems = 5

/** The problems that keep a text from being accepted as JSON; none for an empty text. */
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
  // The editor's grammar accepts some invalid JSON, such as a line break in a string; its position is unknown.
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
