import type { ImportRecord } from '../import-export.ts'
import { maxRecordCharacters, tooLong } from './format.ts'

/** Reads a record from each line, skipping empty lines. @throws AppError 413 for a line that is too long */
export async function* readNdjson(texts: AsyncIterable<string>): AsyncGenerator<ImportRecord> {
  let [rest, line] = ['', 0]
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const each of lines) {
      line += 1
      if (each.length > maxRecordCharacters) throw tooLong(line)
      if (each.trim() !== '') yield parsed(each, line)
    }
    if (rest.length > maxRecordCharacters) throw tooLong(line + 1)
  }
  if (rest.trim() !== '') yield parsed(rest, line + 1)
}

function parsed(text: string, line: number): ImportRecord {
  try {
    return { data: JSON.parse(text), line, characters: text.length }
  } catch {
    return { data: undefined, line, problem: 'is no JSON' }
  }
}
