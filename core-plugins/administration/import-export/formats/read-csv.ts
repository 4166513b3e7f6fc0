import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { ImportRecord } from '../import-export.ts'
import { recordOfCells } from './cells.ts'
import { openCsv } from './csv-dialect.ts'
import { LineCounter } from './csv-lines.ts'
import { maxRecordCharacters } from './format.ts'

const maxColumns = 2_000

/** Reads a record from each row; the first row names the columns. @throws AppError 400 for malformed CSV */
export async function* readCsv(
  texts: AsyncIterable<string>,
  type: ContentType,
  schemas: Schemas,
): AsyncGenerator<ImportRecord> {
  const opened = await openCsv(texts)
  const lines = new LineCounter(opened.preamble > 0 ? 1 : 0)
  const lineOf = new WeakMap<readonly string[], number>()
  const parser = parse({
    // Called as rows are parsed, before they are read here, so a parse error can be reported after the line of the previous row.
    on_record(cells, info) {
      lineOf.set(cells, lines.firstOf(cells, info.lines))
      return cells
    },
    delimiter: opened.separator,
    record_delimiter: opened.rowEnds.map((end) => Buffer.from(end)),
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordCharacters,
  })
  const source = Readable.from(opened.texts)
  source.on('error', (error) => parser.destroy(error))
  let columns: readonly string[] | undefined
  try {
    for await (const cells of source.pipe(parser) as AsyncIterable<readonly string[]>) {
      const line = lineOf.get(cells) ?? 0
      if (columns === undefined) columns = assertColumns(cells)
      else yield rowOf(columns, cells, { line, type, schemas })
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const place = lines.last === 0 ? 'the first row' : `the row after line ${lines.last}`
    const message = `${problemOf(error)}, in ${place}`
    throw AppError.invalid([{ path: 'body', code: 'csv', message }])
  } finally {
    source.destroy()
  }
}

/** Replaces the library's messages, which contain its own line numbers. */
function problemOf({ code, message }: CsvError): string {
  return problems.get(code) ?? message
}

const problems: ReadonlyMap<string, string> = new Map([
  ['CSV_QUOTE_NOT_CLOSED', 'a quotation mark is opened and never closed'],
  [
    'CSV_INVALID_CLOSING_QUOTE',
    'a closing quotation mark is followed by neither a separator nor the end of the row',
  ],
  ['INVALID_OPENING_QUOTE', 'there is a quotation mark in a cell that does not begin with one'],
  ['CSV_MAX_RECORD_SIZE', `a row is longer than ${maxRecordCharacters} characters`],
])

/** Drops empty columns at the end, which spreadsheets write. */
function assertColumns(names: readonly string[]): readonly string[] {
  const trimmed = names.slice(0, lengthUsed(names)).map((name) => name.trim())
  const twice = trimmed.find((name, index) => trimmed.indexOf(name) !== index)
  const problem =
    trimmed.length > maxColumns
      ? `has more than ${maxColumns} columns`
      : trimmed.length === 0 || trimmed.includes('')
        ? 'has a column without a name'
        : twice !== undefined
          ? `has the column ${twice.slice(0, 100)} twice`
          : undefined
  if (problem === undefined) return trimmed
  throw AppError.invalid([{ path: 'body', code: 'csv', message: `the first line ${problem}` }])
}

/** The number of cells without the empty ones at the end. */
function lengthUsed(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1
}

interface RowPlace {
  readonly line: number
  readonly type: ContentType
  readonly schemas: Schemas
}

function rowOf(
  columns: readonly string[],
  cells: readonly string[],
  { line, type, schemas }: RowPlace,
): ImportRecord {
  if (cells.length < columns.length || lengthUsed(cells) > columns.length) {
    return {
      data: undefined,
      line,
      problem: `has ${cells.length} cells, and the first line ${columns.length}`,
    }
  }
  const characters = cells.reduce((sum, cell) => sum + cell.length, 0)
  return { data: recordOfCells(columns, cells, type, schemas), line, characters }
}
