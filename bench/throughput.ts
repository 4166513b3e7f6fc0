import type { Load, LoadRequest, LoadResult, LoadTarget } from './load.ts'
import type { BenchOptions } from './options.ts'
import type { Scenario } from './scenarios.ts'
import type { ServerProcess } from './server-process.ts'

export interface Throughput extends LoadResult {
  /** Processor time of the server's process, in microseconds per request. */
  readonly cpuUs: number | undefined
  /** Resident memory at the end of a measurement. */
  readonly rssMb: number | undefined
}

export interface ScenarioResult {
  readonly name: string
  readonly title: string
  readonly wantedRatio: number
  readonly service: Throughput
  readonly floor: Throughput
  /** The median of the ratios of neighbouring measurements, so that a slow moment of the machine affects both sides. */
  readonly ratio: number
}

/** A server under test. */
export interface Contender extends LoadTarget {
  readonly process: ServerProcess
}

export interface Contest {
  readonly service: Contender
  readonly floor: Contender
  readonly load: Load
  readonly options: BenchOptions
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

async function measureOnce(
  contest: Contest,
  contender: Contender,
  requests: readonly LoadRequest[],
): Promise<Throughput> {
  const { connections, seconds } = contest.options
  const cpuBefore = await contender.process.readCpuMs()
  const result = await contest.load(contender, { requests, connections, seconds })
  const cpuAfter = await contender.process.readCpuMs()
  const hasCpu = cpuBefore !== undefined && cpuAfter !== undefined
  return {
    ...result,
    cpuUs: hasCpu ? ((cpuAfter - cpuBefore) * 1000) / result.requests : undefined,
    rssMb: await contender.process.readRssMb(),
  }
}

function medianOf(results: readonly Throughput[], field: keyof Throughput): number {
  return median(results.map((result) => result[field] ?? Number.NaN))
}

const summarize = (results: readonly Throughput[]): Throughput => ({
  requests: results.reduce((sum, { requests }) => sum + requests, 0),
  requestsPerSecond: medianOf(results, 'requestsPerSecond'),
  p50Ms: medianOf(results, 'p50Ms'),
  p99Ms: medianOf(results, 'p99Ms'),
  cpuUs: medianOf(results, 'cpuUs'),
  rssMb: medianOf(results, 'rssMb'),
})

async function warmUp(contest: Contest, scenario: Scenario): Promise<void> {
  const { rows, connections, warmUpSeconds } = contest.options
  for (const contender of [contest.service, contest.floor]) {
    const requests = scenario.requests(rows, 'warm-up')
    await contest.load(contender, { requests, connections, seconds: warmUpSeconds })
  }
}

/** Measures service and floor in turn, in alternating order. */
export async function measureScenario(contest: Contest, scenario: Scenario): Promise<ScenarioResult> {
  const measured: Record<'service' | 'floor', Throughput[]> = { service: [], floor: [] }
  const ratios: number[] = []
  await warmUp(contest, scenario)
  for (let round = 1; round <= contest.options.rounds; round++) {
    const requests = scenario.requests(contest.options.rows, `${round}`)
    const sides = { service: contest.service, floor: contest.floor }
    const order = round % 2 === 1 ? (['service', 'floor'] as const) : (['floor', 'service'] as const)
    for (const side of order) measured[side].push(await measureOnce(contest, sides[side], requests))
    ratios.push(ratioOf(measured.service.at(-1), measured.floor.at(-1)))
  }
  const { name, title, wantedRatio } = scenario
  return {
    ...{ name, title, wantedRatio, ratio: median(ratios) },
    ...{ service: summarize(measured.service), floor: summarize(measured.floor) },
  }
}

function ratioOf(service: Throughput | undefined, floor: Throughput | undefined): number {
  return (service?.requestsPerSecond ?? Number.NaN) / (floor?.requestsPerSecond ?? Number.NaN)
}
