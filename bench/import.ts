import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type DialectName, dialectNames } from '../core-plugins/foundation/database/database.ts'
import { type Cleanup, createCleanup } from './cleanup.ts'
import { analyzeDatabase, createDatabase } from './database.ts'
import { fillTargets } from './fill.ts'
import { measureFloor, type Rate } from './import/floor.ts'
import { importFile } from './import/import-file.ts'
import { type ExportResult, measureExport } from './import/measure-export.ts'
import { type RecordOptions, writeRecords } from './import/records.ts'
import { mostOwnMbDuring } from './import/watch-memory.ts'
import { mb } from './observe.ts'
import { describeProfile, profilesFolder, profilingTo } from './profile.ts'
import { describeMachine, formatTable } from './report.ts'
import { createToken, type ServiceOptions, startService } from './service.ts'
import { createFolder, schemasFolder } from './workspace.ts'

const usage = `npm run bench -- import [options]
  --db sqlite|postgres|mysql   one database only
  --records N                  (100000)
  --words N                    in the text of each (100)
  --drafts                     they are not published
  --quick                      10,000 records
  --cpu-prof                   instead of measuring, writes a processor profile of the import`

interface ImportBench extends RecordOptions {
  readonly database: DialectName
  readonly isProfile: boolean
}

interface Imported {
  readonly rate: Rate
  /** Without memory-mapped files, which grow with the database. */
  readonly mostOwnMb: number | undefined
  readonly service: ServiceOptions
  readonly token: string
}

/** The fraction of records for a second run, which shows whether memory depends on their number. */
const smallPart = 10

const wantedShare = 0.6

async function newDatabase({ database }: ImportBench, cleanup: Cleanup): Promise<ServiceOptions> {
  const folder = await createFolder(cleanup)
  const { url, drop } = await createDatabase(database, folder)
  cleanup.add(drop)
  return { databaseUrl: url, schemasFolder, folder }
}

/** Creates authors and categories in a new database. */
async function prepare(bench: ImportBench, cleanup: Cleanup) {
  const options = await newDatabase(bench, cleanup)
  const service = await startService(options)
  const token = await createToken(service, ['admin:*'])
  await fillTargets({ url: service.url, token })
  await service.stop()
  return { service: options, token }
}

/** Imports into a new database, in a process of its own. */
async function measureImport(bench: ImportBench, cleanup: Cleanup): Promise<Imported> {
  const { service: options, token } = await prepare(bench, cleanup)
  await analyzeDatabase(bench.database, options.databaseUrl)
  const path = join(options.folder, 'articles.ndjson')
  await writeRecords(path, bench)
  const service = await startService({
    ...options,
    nodeOptions: bench.isProfile ? profilingTo(profileName(bench)) : [],
  })
  try {
    const target = { url: service.url, token }
    const importing = importFile(service, target, { path, records: bench.records })
    const { result: rate, mostOwnMb } = await mostOwnMbDuring(service, importing)
    return { rate, mostOwnMb, service: options, token }
  } finally {
    await service.stop()
  }
}

const profileName = ({ database }: ImportBench) => `${database}-import.cpuprofile`

/** Profiles an import instead of measuring it. */
async function profileImport(bench: ImportBench): Promise<void> {
  const cleanup = createCleanup()
  try {
    await mkdir(profilesFolder, { recursive: true })
    await measureImport(bench, cleanup)
    console.log(await describeProfile('import', join(profilesFolder, profileName(bench))))
  } finally {
    await cleanup.run()
  }
}

async function benchDatabase(bench: ImportBench): Promise<void> {
  const { database, records } = bench
  const cleanup = createCleanup()
  try {
    const part = await measureImport({ ...bench, records: Math.ceil(records / smallPart) }, cleanup)
    const whole = await measureImport(bench, cleanup)
    const floorOf = async (isWhole: boolean) => {
      const to = (await prepare(bench, cleanup)).service.databaseUrl
      await analyzeDatabase(database, to)
      return measureFloor({ database, from: whole.service.databaseUrl, to, records, isWhole })
    }
    const [least, written] = [await floorOf(false), await floorOf(true)]
    console.log(`\n${database}: ${records} records, ${bench.words} words each\n`)
    console.log(formatRates(whole.rate, least, written))
    console.log(
      `most memory: ${mb(whole.mostOwnMb)}, ${mb(part.mostOwnMb)} with ${Math.ceil(records / smallPart)} records`,
    )
    console.log(formatExport(await exportOf(whole)))
  } finally {
    await cleanup.run()
  }
}

async function exportOf({ service: options, token }: Imported): Promise<ExportResult> {
  const service = await startService(options)
  try {
    return await measureExport({ url: service.url, token })
  } finally {
    await service.stop()
  }
}

function formatRates(service: Rate, least: Rate, written: Rate): string {
  const row = (title: string, { perSecond, cpuUs }: Rate, floor?: Rate) => [
    ...[title, perSecond.toFixed(0), cpuUs === undefined ? '-' : cpuUs.toFixed(0)],
    floor === undefined ? '' : (service.perSecond / floor.perSecond).toFixed(2),
    floor?.cpuUs === undefined || service.cpuUs === undefined ? '' : (floor.cpuUs / service.cpuUs).toFixed(2),
  ]
  return formatTable([
    ['', 'records/s', 'cpu µs', `ratio (wanted ${wantedShare})`, 'ratio of cpu'],
    row('service', service),
    row('floor: entries, links, search, changes', least, least),
    row('floor: revisions and audit, too', written, written),
  ])
}

function formatExport({ mbPerSecond, recordsPerSecond, listedPerSecond }: ExportResult): string {
  const share = (recordsPerSecond / listedPerSecond).toFixed(2)
  return (
    `export: ${mbPerSecond.toFixed(0)} MB/s (wanted 50), ${recordsPerSecond.toFixed(0)} records/s, ` +
    `${share} of list reads (wanted 0.8)`
  )
}

/** Measures an import of many records against inserting the same rows by hand. */
async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      db: { type: 'string' },
      records: { type: 'string' },
      words: { type: 'string', default: '100' },
      drafts: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      'cpu-prof': { type: 'boolean', default: false },
    },
  })
  const chosen = dialectNames.filter((name) => values.db === undefined || name === values.db)
  const records = Number(values.records ?? (values.quick ? 10_000 : 100_000))
  const words = Number(values.words)
  const areCounts = [records, words].every((count) => Number.isSafeInteger(count) && count > 0)
  if (chosen.length === 0 || !areCounts) throw new Error(usage)
  const { node, load } = describeMachine()
  console.log(`Node ${node}, load before ${load.toFixed(1)}`)
  const isProfile = values['cpu-prof']
  const run = isProfile ? profileImport : benchDatabase
  for (const database of chosen) {
    await run({ database, records, words, isPublished: !values.drafts, isProfile })
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
