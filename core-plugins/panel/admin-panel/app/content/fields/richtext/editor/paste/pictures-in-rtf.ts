import { t } from '../../../../../ground/i18n/translate.ts'
import { pictureFile } from './pictures-in-html.ts'

/** The pictures of a word processor, of which its HTML has the names only. In RTF their bytes are hexadecimal digits. */
export function picturesInRtf(rtf: string): readonly File[] {
  const groups = [...rtf.matchAll(/\\pict\b/g)].map(({ index }) => ownText(rtf, index))
  return groups.flatMap((text, index) => {
    // The same once more, in formats for old programs, is left aside.
    const type = /\\(png|jpeg)blip/.exec(text)?.[1]
    if (type === undefined) return []
    const digits = text.replace(/\\[a-z]+-?\d* ?|\s/gi, '')
    const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    return [pictureFile(bytes, type, t('richtext.pastedName', { number: index + 1 }))]
  })
}

/** What stands in a group of RTF, from a place on, without the groups in it. */
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
