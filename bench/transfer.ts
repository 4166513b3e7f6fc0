import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  comparedSections,
  comparisonBetween,
  openRemoteSide,
  planTransfer,
  type TransferSide,
  writePackage,
} from '../core-plugins/administration/transfer/transfer.ts'
import { type DialectName, dialectNames } from '../core-plugins/foundation/database/database.ts'
import { type Cleanup, createCleanup } from './cleanup.ts'
import { call } from './client.ts'
import { analyzeDatabase, createDatabase } from './database.ts'
import { fillTargets } from './fill.ts'
import { importFile } from './import/import-file.ts'
import { writeRecords } from './import/records.ts'
import { mb, ms, readPeakRssMb } from './observe.ts'
import { describeMachine, formatTable } from './report.ts'
import type { ServerProcess } from './server-process.ts'
import { createToken, type ServiceOptions, startService } from './service.ts'
import { createFolder, schemasFolder } from './workspace.ts'

const usage = `npm run bench -- transfer [options]
  --db sqlite|postgres|mysql   one database only
  --records N                  (20000)`

interface TransferBench {
  readonly database: DialectName
  readonly records: number
}

/** One of the two environments, which is restarted between measurements. */
interface Environment {
  readonly options: ServiceOptions
  readonly token: string
  service: ServerProcess
}

const selection = { types: ['author', 'category', 'article'] }
const changed = 10
/** Without overload protection, which would refuse requests during large imports on a busy machine. */
const unhindered = { SVC_PLUGINS_DISABLED: 'cache,overload' }

async function newEnvironment(database: DialectName, cleanup: Cleanup): Promise<Environment> {
  const folder = await createFolder(cleanup)
  const { url, drop } = await createDatabase(database, folder)
  cleanup.add(drop)
  const options = { databaseUrl: url, schemasFolder, folder, environment: unhindered }
  const service = await startService(options)
  const token = await createToken(service, ['admin:*'])
  const environment = { options, token, service }
  cleanup.add(() => environment.service.stop())
  return environment
}

/** Restarts both, so that the peak memory is that of the next measurement. */
async function restart(environments: readonly Environment[]): Promise<void> {
  for (const environment of environments) {
    await environment.service.stop()
    environment.service = await startService(environment.options)
  }
}

const sideOf = ({ service, token }: Environment): TransferSide => openRemoteSide({ url: service.url, token })

/** Compares both environments and applies the differences. */
async function push(source: Environment, target: Environment): Promise<void> {
  const comparison = await comparisonBetween(sideOf(source), sideOf(target))
  const plan = planTransfer(await comparedSections(comparison, selection), { isDeleting: false })
  const path = join(source.options.folder, 'package.ndjson')
  await comparison.target.apply(await writePackage(comparison, plan, { path, onMissing: 'refuse' }))
}

interface Measured {
  readonly title: string
  readonly ms: number
  /** Processor time of both services. */
  readonly cpuMs: number
  /** Peak memory of the larger one. */
  readonly peakRssMb: number | undefined
}

async function measured(
  title: string,
  environments: readonly Environment[],
  work: () => Promise<unknown>,
): Promise<Measured> {
  const cpu = async () => {
    let sum = 0
    for (const { service } of environments) sum += (await service.readCpuMs()) ?? Number.NaN
    return sum
  }
  const [startedAt, usedBefore] = [performance.now(), await cpu()]
  await work()
  const elapsed = performance.now() - startedAt
  const peaks = await Promise.all(environments.map(({ service }) => readPeakRssMb(service)))
  const peakRssMb = peaks.some((peak) => peak === undefined) ? undefined : Math.max(...peaks.map(Number))
  return { title, ms: elapsed, cpuMs: (await cpu()) - usedBefore, peakRssMb }
}

async function diff([source, target]: readonly [Environment, Environment], expected: number): Promise<void> {
  const comparison = await comparisonBetween(sideOf(source), sideOf(target))
  const { sections } = await comparedSections(comparison, selection)
  const found = sections.reduce((sum, { differences }) => sum + differences.length, 0)
  if (found !== expected) throw new Error(`${found} differences instead of ${expected}`)
}

async function change({ service: { url }, token }: Environment): Promise<void> {
  const { data } = await call<{ id: number }[]>({ url, token }, `/api/content/article?limit=${changed}`)
  for (const { id } of data) {
    const body = { title: `Changed ${id}` }
    await call({ url, token }, `/api/content/article/${id}`, { method: 'PUT', body })
  }
}

async function benchDatabase({ database, records }: TransferBench): Promise<void> {
  const cleanup = createCleanup()
  try {
    const source = await newEnvironment(database, cleanup)
    const target = await newEnvironment(database, cleanup)
    const both = [source, target] as const
    const client = { url: source.service.url, token: source.token }
    await fillTargets(client)
    const path = join(source.options.folder, 'articles.ndjson')
    await writeRecords(path, { records, words: 100, isPublished: true })
    await importFile(source.service, client, { path, records })
    const results = [await measured('push of everything', both, () => push(source, target))]
    for (const { options } of both) await analyzeDatabase(database, options.databaseUrl)
    for (const title of ['diff, nothing changed', 'diff, nothing changed, again']) {
      await restart(both)
      results.push(await measured(title, both, () => diff(both, 0)))
    }
    await change(source)
    await restart(both)
    results.push(await measured(`diff, ${changed} entries changed`, both, () => diff(both, changed)))
    console.log(`\n${database}: ${records} entries of a type\n`)
    console.log(
      formatTable([
        ['', 'time', 'CPU of both services', 'most resident'],
        ...results.map((each) => [each.title, ms(each.ms), ms(each.cpuMs), mb(each.peakRssMb)]),
      ]),
    )
  } finally {
    await cleanup.run()
  }
}

/** Measures comparing two environments, one of which was filled from the other. */
async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { db: { type: 'string' }, records: { type: 'string', default: '20000' } },
  })
  const chosen = dialectNames.filter((name) => values.db === undefined || name === values.db)
  const records = Number(values.records)
  if (chosen.length === 0 || !Number.isSafeInteger(records) || records < changed) throw new Error(usage)
  const { node, load } = describeMachine()
  console.log(`Node ${node}, load before ${load.toFixed(1)}`)
  for (const database of chosen) await benchDatabase({ database, records })
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
