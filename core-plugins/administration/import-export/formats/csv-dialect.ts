import { AppError } from '../../../foundation/http/http.ts'

/** The separators of cells and rows, found in the first lines of a file. */
export interface CsvDialect {
  readonly separator: string
  /** The line breaks of the file, longer ones first: concatenated files have several kinds. */
  readonly rowEnds: readonly string[]
  /** The length of the line before the column names, such as `sep=;`, in characters. */
  readonly preamble: number
}

/** A file, beginning with its column names. */
export interface OpenedCsv extends CsvDialect {
  readonly texts: AsyncIterable<string>
}

/** Commas; semicolons, which spreadsheets write where numbers have decimal commas; tabs, as copied from a table. */
const separators = [',', ';', '\t'] as const

/** More than 2,000 column names of usual length. */
const maxHeadCharacters = 1024 * 1024

/** Reads the beginning of a file to find its dialect. @throws AppError 400 */
export async function openCsv(texts: AsyncIterable<string>): Promise<OpenedCsv> {
  const source = texts[Symbol.asyncIterator]()
  try {
    const head = await readHead(source)
    const dialect = dialectOf(head)
    return { ...dialect, texts: continued(head.slice(dialect.preamble), source) }
  } catch (error) {
    await source.return?.()
    throw error
  }
}

/** Reads two lines, because a line feed may belong to the carriage return before it, and the column names may follow a `sep=` line. */
async function readHead(source: AsyncIterator<string>): Promise<string> {
  let head = ''
  while (!/[\r\n][^\r\n]+[\r\n]/.test(head) && head.length < maxHeadCharacters) {
    const { value, done } = await source.next()
    if (done === true) break
    head += value
  }
  return head
}

function dialectOf(head: string): CsvDialect {
  const told = /^"?sep=([^\r\n]?)"?(?:\r\n|\n|\r|$)/i.exec(head)
  const preamble = told?.[0].length ?? 0
  const [names = '', end] = /^[^\r\n]*(\r\n|\n|\r|$)/.exec(head.slice(preamble).trimStart()) ?? []
  return {
    separator: told === null ? separatorOf(names) : separatorTold(told[1] ?? ''),
    rowEnds: end === '\r' ? ['\r\n', '\n', '\r'] : ['\r\n', '\n'],
    preamble,
  }
}

/** Chooses the most frequent separator, since attribute names contain none. */
function separatorOf(names: string): string {
  const bare = names.replaceAll(/"(?:[^"]|"")*"/g, '')
  const frequency = (separator: string) => bare.split(separator).length
  return separators.toSorted((one, other) => frequency(other) - frequency(one))[0] ?? ','
}

/** Checks the separator of a first line such as `sep=;`, which spreadsheets write. @throws AppError 400 */
function separatorTold(separator: string): string {
  if (/^[^\w"'\s.-]$|^\t$/.test(separator)) return separator
  const message = 'the first line begins with sep= and names no separator: a comma, a semicolon or a tab'
  throw AppError.invalid([{ path: 'body', code: 'csv', message }])
}

async function* continued(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    if (head !== '') yield head
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
