import { parseArgs } from 'node:util'
import type { DialectName } from '../core-plugins/foundation/database/database.ts'
import { readDatabase } from './database.ts'
import { pickScenarios, type Scenario } from './scenarios.ts'

/** The HTTP servers of the service, by their names in `server.adapter`. */
export const adapters = ['hyper-express', 'node-http'] as const

export type Adapter = (typeof adapters)[number]

export interface BenchOptions {
  readonly database: DialectName
  /** The HTTP server of the service; the floor uses the same one, bare. */
  readonly adapter: Adapter
  /** The number of articles. */
  readonly rows: number
  /** How often service and floor are measured in turn, per scenario. */
  readonly rounds: number
  /** The duration of one measurement. */
  readonly seconds: number
  /** The duration of load before the first measurement of a scenario, so that the code is compiled. */
  readonly warmUpSeconds: number
  readonly connections: number
  /** The number of starts; their median is the boot time. */
  readonly boots: number
  /** The number of updates and publications of an entry with a dynamic zone. */
  readonly zoneWrites: number
  /** Whether the floor also sends the service's headers, including the ETag. */
  readonly withHeaders: boolean
}

/** What the command line requests: a measurement, or profiles of the service's processor time. */
export interface BenchCommand {
  readonly options: BenchOptions
  readonly isProfile: boolean
  readonly scenarios: readonly Scenario[]
}

const thorough = { rounds: 5, seconds: 5, warmUpSeconds: 5, boots: 5, zoneWrites: 200 }
const quick = { rounds: 3, seconds: 2, warmUpSeconds: 4, boots: 3, zoneWrites: 100 }

const usage = `npm run bench -- [options]
  --db sqlite|postgres|mysql   the database (sqlite)
  --adapter hyper-express|node-http   the server of service and floor (hyper-express)
  --quick                      shorter and fewer rounds
  --rows N                     articles (10000); above 20000 they are written straight into the tables
  --connections N              concurrent clients (32)
  --headers                    the floor sends the service's headers too, with an ETag of each answer
  --only entry,list            only these scenarios, of those in docs/benchmarks.md
  --cpu-prof                   instead of measuring, writes a processor profile of the service per scenario`

function readCount(name: string, text: string): number {
  const count = Number(text)
  if (Number.isSafeInteger(count) && count > 0) return count
  throw new Error(`--${name} is "${text}"; it must be a positive whole number`)
}

/** @throws Error that lists the valid names */
export function readAdapter(name: string): Adapter {
  const adapter = adapters.find((candidate) => candidate === name)
  if (adapter !== undefined) return adapter
  throw new Error(`--adapter is "${name}"; it must be one of ${adapters.join(', ')}`)
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      db: { type: 'string', default: 'sqlite' },
      adapter: { type: 'string', default: 'hyper-express' },
      quick: { type: 'boolean', default: false },
      rows: { type: 'string', default: '10000' },
      connections: { type: 'string', default: '32' },
      headers: { type: 'boolean', default: false },
      only: { type: 'string' },
      'cpu-prof': { type: 'boolean', default: false },
    },
  }).values
}

function toCommand(values: ReturnType<typeof parse>): BenchCommand {
  return {
    options: {
      ...(values.quick ? quick : thorough),
      database: readDatabase(values.db),
      adapter: readAdapter(values.adapter),
      rows: readCount('rows', values.rows),
      connections: readCount('connections', values.connections),
      withHeaders: values.headers,
    },
    isProfile: values['cpu-prof'],
    scenarios: pickScenarios(values.only?.split(',')),
  }
}

/** @throws Error that names the wrong argument and the valid ones */
export function readCommand(args: readonly string[]): BenchCommand {
  try {
    return toCommand(parse(args))
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${usage}`, { cause: error })
  }
}
