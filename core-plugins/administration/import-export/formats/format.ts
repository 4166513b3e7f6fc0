import { AppError } from '../../../foundation/http/http.ts'

/** The file formats of records. */
export const formats = ['ndjson', 'json', 'csv'] as const

export type Format = (typeof formats)[number]

export const mediaTypes: Readonly<Record<Format, string>> = {
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
}

/** The longest record, in characters: several times the limit of a request with one entry. */
export const maxRecordCharacters = 16 * 1024 * 1024

/** The format that a file name suggests. */
export function formatOfName(name: string): Format | undefined {
  const extension = name.toLowerCase().split('.').at(-1)
  return extension === 'jsonl' ? 'ndjson' : formats.find((format) => format === extension)
}

/** The format for the media type of a request. */
export function formatOfType(contentType: string | undefined): Format | undefined {
  const sent = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  return formats.find((format) => mediaTypes[format] === sent)
}

export function tooLong(line: number): AppError {
  const message = `line ${line} is longer than ${maxRecordCharacters} characters`
  return new AppError('PAYLOAD_TOO_LARGE', message)
}
