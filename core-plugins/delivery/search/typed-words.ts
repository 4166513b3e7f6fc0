import type { Term } from './terms.ts'
import type { Word } from './words/words.ts'

/** A word of a text. */
export interface FormOfWord extends Pick<Word, 'text' | 'others'> {
  /** In the language of the text. */
  readonly stems: readonly string[]
}

/** Whether a word matches a term as it was typed, in any of its forms. */
export function isTyped({ text, others, stems }: FormOfWord, term: Term): boolean {
  return (
    isMeant(text, term) ||
    others.some((other) => isMeant(other, term)) ||
    term.stems.some((stem) => stems.includes(stem))
  )
}

function isMeant(text: string, { words, others, isPrefix }: Term): boolean {
  const [first = ''] = words
  if (words.length === 1 && (isPrefix ? text.startsWith(first) : text === first)) return true
  return others.some((other) => (isPrefix ? text.startsWith(other) : text === other))
}
