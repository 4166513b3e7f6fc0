import { relative } from 'node:path'
import { dialectNames } from '../../core-plugins/foundation/database/dialect-name.ts'

/** What one would otherwise have to look for in all that a run has written. */
export interface Digest {
  /** How many tests ran, by database. */
  readonly ran: Readonly<Record<string, number>>
  /** How many tests, or whole blocks of them, were left out, by the reason. */
  readonly leftOut: Readonly<Record<string, number>>
  readonly slow: readonly EndedTest[]
  readonly failed: readonly EndedTest[]
}

interface EndedTest {
  /** Where it is declared, from the project's root. */
  readonly file: string
  /** With those of the blocks around it. */
  readonly name: string
  readonly durationMs: number
}

/** What Node's test runner reports, as far as it is looked at here. */
interface TestEvent {
  readonly type: string
  readonly data: TestData
}

interface TestData {
  readonly name: string
  readonly nesting: number
  readonly file?: string
  readonly skip?: string | boolean
  readonly details?: {
    /** `suite` for a block of tests. */
    readonly type?: string
    readonly duration_ms: number
    readonly error?: TestError
  }
}

interface TestError {
  readonly failureType?: string
  /** These two of a process. */
  readonly exitCode?: number | null
  readonly signal?: string | null
}

/** A test that takes longer where nothing else runs is marked as slow. */
const slowMs = 2_000

/** A reporter for Node's test runner, which writes a digest as JSON when all tests have ended. */
export default async function* reportDigest(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const run = new Run()
  for await (const event of source) run.add(event)
  yield JSON.stringify(run.digest)
}

class Run {
  readonly digest = {
    ran: {} as Record<string, number>,
    leftOut: {} as Record<string, number>,
    slow: [] as EndedTest[],
    failed: [] as EndedTest[],
  } satisfies Digest
  /** The names of the blocks around what runs, and its own. */
  readonly #path: string[] = []

  add({ type, data }: TestEvent): void {
    if (type === 'test:start') this.#path.splice(data.nesting, Number.POSITIVE_INFINITY, data.name)
    if (type === 'test:pass' || type === 'test:fail') this.#end(type, data)
  }

  #end(type: string, { nesting, skip, details, file = '' }: TestData) {
    const path = this.#path.slice(0, nesting + 1)
    const ended = {
      file: relative(process.cwd(), file),
      name: path.join(' › ') + howEnded(details?.error),
      durationMs: details?.duration_ms ?? 0,
    }
    // A block fails with any of its tests; by itself it does only if one of its hooks has.
    const isBlock = details?.type === 'suite'
    const isOwnFailure = !isBlock || details.error?.failureType === 'hookFailed'
    if (type === 'test:fail' && isOwnFailure) this.digest.failed.push(ended)
    if (skip !== undefined && skip !== false) return increment(this.digest.leftOut, String(skip))
    if (isBlock) return
    const database = dialectNames.find((name) => path.includes(name))
    increment(this.digest.ran, database === undefined ? 'without a database of their own' : `on ${database}`)
    if (ended.durationMs >= slowMs) this.digest.slow.push(ended)
  }
}

/** Of a process, which ends by itself when its tests have. */
function howEnded({ exitCode, signal }: TestError = {}): string {
  if (typeof signal === 'string') return ` (ended by ${signal})`
  return typeof exitCode === 'number' ? ` (exit code ${exitCode})` : ''
}

function increment(counts: Record<string, number>, key: string) {
  counts[key] = (counts[key] ?? 0) + 1
}

/** A digest as it is printed at the end of a run. */
export function digestText({ ran, leftOut, slow, failed }: Digest): string {
  const slowest = slow.toSorted((one, other) => other.durationMs - one.durationMs)
  const count = Object.values(ran).reduce((sum, each) => sum + each, 0)
  return [
    ...listed(`Slow, which is ${slowMs / 1_000} s and more`, slowest.map(slowLine)),
    ...listed('Left out (tests, or whole blocks of them)', counts(leftOut)),
    ...listed('Failed', failed.map(lineOf)),
    `${count} tests ran (${counts(ran).join(', ')}), ${failed.length} failed`,
  ].join('\n')
}

const lineOf = ({ file, name }: EndedTest) => `${file}: ${name}`

const slowLine = (test: EndedTest) => `${(test.durationMs / 1_000).toFixed(1)} s  ${lineOf(test)}`

const counts = (counted: Readonly<Record<string, number>>) =>
  Object.entries(counted).map(([key, count]) => `${count} ${key}`)

const listed = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`), '']
