import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../../http/http.ts'
import type { ContentType, Schemas } from '../../schemas/schemas.ts'
import type { ImportRecord } from '../import-export.ts'
import { recordOfCells } from './cells.ts'
import { maxRecordCharacters } from './format.ts'

const maxColumns = 2_000

interface CsvRow {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

/** A record a row; the first one names the columns. @throws AppError 400 for what is no CSV */
export async function* readCsv(
  texts: AsyncIterable<string>,
  type: ContentType,
  schemas: Schemas,
): AsyncGenerator<ImportRecord> {
  const parser = parse({
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxRecordCharacters,
  })
  const source = Readable.from(texts)
  source.on('error', (error) => parser.destroy(error))
  let columns: readonly string[] | undefined
  try {
    for await (const { record, info } of source.pipe(parser) as AsyncIterable<CsvRow>) {
      if (columns === undefined) columns = assertColumns(record)
      else yield rowOf(columns, record, { line: info.lines, type, schemas })
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw AppError.invalid([{ path: 'body', code: 'csv', message: error.message }])
  } finally {
    source.destroy()
  }
}

function assertColumns(names: readonly string[]): readonly string[] {
  const trimmed = names.map((name) => name.trim())
  const twice = trimmed.find((name, index) => trimmed.indexOf(name) !== index)
  const problem =
    names.length > maxColumns
      ? `has more than ${maxColumns} columns`
      : trimmed.includes('')
        ? 'has a column without a name'
        : twice !== undefined
          ? `has the column ${twice.slice(0, 100)} twice`
          : undefined
  if (problem === undefined) return trimmed
  throw AppError.invalid([{ path: 'body', code: 'csv', message: `the first line ${problem}` }])
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
  if (cells.length !== columns.length) {
    return {
      data: undefined,
      line,
      problem: `has ${cells.length} cells, and the first line ${columns.length}`,
    }
  }
  const characters = cells.reduce((sum, cell) => sum + cell.length, 0)
  return { data: recordOfCells(columns, cells, type, schemas), line, characters }
}
