import { AppError } from '../../../foundation/http/http.ts'

/** How a file separates its cells and rows, which its first lines show. */
export interface CsvDialect {
  readonly separator: string
  /** The ends of rows, the longer one first: files that were put together have several. */
  readonly rowEnds: readonly string[]
  /** Characters before the names of the columns, which are a line. */
  readonly preamble: number
}

/** A file from the names of its columns on. */
export interface OpenedCsv extends CsvDialect {
  readonly texts: AsyncIterable<string>
}

/** Commas; semicolons, which spreadsheets write where numbers have decimal commas; tabs, as copied from a table. */
const separators = [',', ';', '\t'] as const

/** Names of columns are short, and there are 2,000 at most. */
const maxHeadCharacters = 1024 * 1024

/** Reads as much of a file as shows its dialect. @throws AppError 400 */
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

/** A line feed may belong to the carriage return before it, and the first line may not be the names of columns: so two lines. */
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

/** No name of an attribute contains one, so the most frequent one is meant. */
function separatorOf(names: string): string {
  const bare = names.replaceAll(/"(?:[^"]|"")*"/g, '')
  const frequency = (separator: string) => bare.split(separator).length
  return separators.toSorted((one, other) => frequency(other) - frequency(one))[0] ?? ','
}

/** By a first line such as `sep=;`, which spreadsheets understand. @throws AppError 400 */
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
