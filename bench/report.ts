import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BootResult } from './boot.ts'
import type { CursorResult } from './cursor.ts'
import type { BenchOptions } from './options.ts'
import type { ScenarioResult } from './throughput.ts'
import type { ZoneResult } from './zones.ts'

export interface Machine {
  readonly node: string
  readonly processor: string
  readonly cores: number
  /** The load average of the minute before the run; 0 on an idle machine. */
  readonly load: number
}

export interface BenchResult {
  readonly startedAt: string
  readonly machine: Machine
  readonly loader: string
  readonly options: BenchOptions
  readonly scenarios: readonly ScenarioResult[]
  readonly boot: BootResult
  /** The maximum resident memory at the end of a measurement; undefined without /proc. */
  readonly loadedRssMb: number | undefined
  readonly zones: readonly ZoneResult[]
  readonly cursors: readonly CursorResult[]
}

export const describeMachine = (): Machine => ({
  node: process.version,
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  load: loadavg()[0] ?? 0,
})

const resultsFolder = fileURLToPath(new URL('./results/', import.meta.url))

const decimals = (value: number | undefined, digits: number): string =>
  value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits)

/** Columns as wide as their widest cell; all but the first are right-aligned. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const formatRow = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
  return rows.map(formatRow).join('\n')
}

const scenarioHeader = [
  ...['', 'req/s', 'p50 ms', 'p99 ms', 'cpu µs'],
  ...['floor req/s', 'p50 ms', 'p99 ms', 'cpu µs', 'ratio', 'wanted'],
]

const scenarioRow = ({ title, service, floor, ratio, wantedRatio }: ScenarioResult): string[] => [
  title,
  ...[service, floor].flatMap((side) => [
    decimals(side.requestsPerSecond, 0),
    decimals(side.p50Ms, 1),
    decimals(side.p99Ms, 1),
    decimals(side.cpuUs, 0),
  ]),
  decimals(ratio, 2),
  `${decimals(wantedRatio, 2)} ${ratio >= wantedRatio ? 'met' : 'missed'}`,
]

const formatScenarios = (results: readonly ScenarioResult[]): string =>
  formatTable([scenarioHeader, ...results.map(scenarioRow)])

const formatCursor = ({ sort, firstMs, deepMs, ratio }: CursorResult): string =>
  `cursor page by ${sort}: first ${decimals(firstMs, 2)} ms, at 90 % ${decimals(deepMs, 2)} ms, ` +
  `ratio ${decimals(ratio, 2)}`

const formatZone = ({ operation, fewMs, manyMs, ratio }: ZoneResult): string =>
  `${operation} with a zone of 2 types ${decimals(fewMs, 2)} ms, of 60 types ${decimals(manyMs, 2)} ms, ` +
  `ratio ${decimals(ratio, 2)}`

const formatBusyness = ({ load, cores }: Machine): string[] =>
  load < cores / 2
    ? []
    : [`the machine was busy (load ${decimals(load, 1)} on ${cores} cores): compare ratios and cpu µs only`]

/** The text that a run prints at its end. */
export function formatResult({ options, loader, ...result }: BenchResult): string {
  const { database, adapter, rows, connections, rounds, seconds } = options
  return [
    `${database}, ${adapter}, ${rows} articles, ${loader} with ${connections} connections, ` +
      `median of ${rounds} rounds of ${seconds} s, Node ${result.machine.node}`,
    ...formatBusyness(result.machine),
    ...(result.scenarios.length > 0 ? ['', formatScenarios(result.scenarios)] : []),
    '',
    `boot to the first 200 on an unchanged database: ${decimals(result.boot.bootMs, 0)} ms`,
    `memory: idle ${decimals(result.boot.idleRssMb, 0)} MB, loaded ${decimals(result.loadedRssMb, 0)} MB`,
    ...result.zones.map(formatZone),
    ...result.cursors.map(formatCursor),
  ].join('\n')
}

/** Saves a result as JSON in `bench/results/`, which is not committed; returns the file. */
export async function saveResult(result: BenchResult): Promise<string> {
  await mkdir(resultsFolder, { recursive: true })
  const name = `${result.startedAt.replaceAll(':', '-')}-${result.options.database}.json`
  const file = join(resultsFolder, name)
  await writeFile(file, `${JSON.stringify(result, undefined, 2)}\n`)
  return file
}
