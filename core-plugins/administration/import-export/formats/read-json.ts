import { JSONParser } from '@streamparser/json'
import { AppError } from '../../../foundation/http/http.ts'
import type { ImportRecord } from '../import-export.ts'
import { maxRecordCharacters, tooLong } from './format.ts'

/** Reads the items of an array one by one. @throws AppError 400 for anything but a JSON array, 413 */
export async function* readJson(texts: AsyncIterable<string>): AsyncGenerator<ImportRecord> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  let found: unknown[] = []
  let [place, pending, isStarted] = [0, 0, false]
  parser.onValue = ({ value }) => void found.push(value)
  for await (const text of texts) {
    if (!isStarted && text.trim() !== '') {
      if (!text.trimStart().startsWith('[')) throw noArray()
      isStarted = true
    }
    write(parser, text)
    pending = found.length > 0 ? 0 : pending + text.length
    if (pending > maxRecordCharacters) throw tooLong(place + 1)
    for (const data of found) {
      place += 1
      yield { data, line: place, characters: Math.ceil(text.length / found.length) }
    }
    found = []
  }
  if (!isStarted || !parser.isEnded) throw noArray()
}

function write(parser: JSONParser, text: string): void {
  try {
    parser.write(text)
  } catch {
    throw noArray()
  }
}

function noArray(): AppError {
  return new AppError('INVALID_JSON', 'the file is no JSON array of records')
}
