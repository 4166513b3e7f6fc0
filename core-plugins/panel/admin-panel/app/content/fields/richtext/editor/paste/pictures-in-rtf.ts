import { t } from '../../../../../ground/i18n/translate.ts'
import { pictureFile } from './pictures-in-html.ts'

/** Pictures pasted from a word processor: its HTML only names them, but its RTF contains their bytes in hexadecimal. */
export function picturesInRtf(rtf: string): readonly File[] {
  const groups = [...rtf.matchAll(/\\pict\b/g)].map(({ index }) => ownText(rtf, index))
  return groups.flatMap((text, index) => {
    // Skips copies of the same picture in formats for old programs.
    const type = /\\(png|jpeg)blip/.exec(text)?.[1]
    if (type === undefined) return []
    const digits = text.replace(/\\[a-z]+-?\d* ?|\s/gi, '')
    const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    return [pictureFile(bytes, type, t('richtext.pastedName', { number: index + 1 }))]
  })
}

/** The text of an RTF group from a position on, without nested groups. */
function ownText(rtf: string, from: number): string {
  const braces = /[{}]/g
  braces.lastIndex = from
  let own = ''
  let depth = 0
  let start = from
  for (let brace = braces.exec(rtf); brace !== null && depth >= 0; brace = braces.exec(rtf)) {
    if (depth === 0) own += rtf.slice(start, brace.index)
    depth += brace[0] === '{' ? 1 : -1
    start = braces.lastIndex
  }
  return own
}
