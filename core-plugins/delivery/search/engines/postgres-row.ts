import type { DocumentParts, IndexedText, SearchDocument } from '../document.ts'
import { commonRow, type DocumentRow } from './document-row.ts'

export function postgresRow(document: SearchDocument): DocumentRow {
  return { ...commonRow(document), words: vectorOf(document), fieldWords: vectorOf(document.byField) }
}

/** The server caps positions beyond this. */
const lastPosition = 16_383
/** The server stores no more positions per word. */
const maxPositions = 255

/** The positions of a token, in the text format of a `tsvector`. */
interface Places {
  text: string
  count: number
}

/** Words are weighted by place: A in the title, C elsewhere; stems count half as much, as B and D. */
function vectorOf({ title, body }: DocumentParts): string {
  const places = new Map<string, Places>()
  const add = (token: string, place: string) => {
    const known = places.get(token)
    if (known === undefined) places.set(token, { text: place, count: 1 })
    else if (known.count < maxPositions) {
      known.text += `,${place}`
      known.count += 1
    }
  }
  let position = 0
  const addText = ({ words, stems, others }: IndexedText, weight: string, stemWeight: string) => {
    for (const word of words) add(word, `${Math.min(++position, lastPosition)}${weight}`)
    for (const token of [...stems, ...others]) add(token, `${lastPosition}${stemWeight}`)
  }
  addText(title, 'A', 'B')
  addText(body, 'C', 'D')
  let vector = ''
  for (const [token, { text }] of places) vector += `'${token}':${text} `
  return vector
}
