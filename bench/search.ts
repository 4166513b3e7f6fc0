import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type DialectName, dialectNames, insertMany } from '../core-plugins/foundation/database/database.ts'
import { createCleanup } from './cleanup.ts'
import { call } from './client.ts'
import { analyzeDatabase, createDatabase, openServiceDatabase } from './database.ts'
import type { LoadTarget } from './load.ts'
import { describeMachine, formatTable } from './report.ts'
import { createToken, type ServiceOptions, startService } from './service.ts'
import { createRandom, createText, wordOf } from './texts.ts'
import { createFolder } from './workspace.ts'

const usage = `npm run bench -- search [options]
  --db sqlite|postgres|mysql   one database only
  --entries N                  (100000)
  --quick                      10,000 entries, fewer queries`

const page = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  options: { draftAndPublish: true },
  attributes: { title: { type: 'string' }, body: { type: 'text' } },
}

const wordsInBody = 100

async function fill(database: DialectName, url: string, entries: number): Promise<void> {
  const driver = await openServiceDatabase(url)
  const moment = '2026-01-31T08:00:00.000Z'
  const insert = insertMany<Record<string, unknown>>(driver, {
    table: 'content_page',
    columns: {
      title: { column: 'title', kind: 'string' },
      body: { column: 'body', kind: 'text' },
      publishedAt: { column: 'published_at', kind: 'datetime' },
      createdAt: { column: 'created_at', kind: 'datetime' },
      updatedAt: { column: 'updated_at', kind: 'datetime' },
    },
  })
  const text = createText(createRandom())
  const row = (index: number) => ({
    title: `${text(4)} number${index}`,
    body: text(wordsInBody),
    ...{ publishedAt: index % 10 === 0 ? null : moment, createdAt: moment, updatedAt: moment },
  })
  for (let first = 0; first < entries; first += 1_000) {
    const size = Math.min(1_000, entries - first)
    const rows = Array.from({ length: size }, (_, index) => row(first + index))
    await driver.transaction((tx) => insert(rows, tx))
  }
  await driver.close()
  await analyzeDatabase(database, url)
}

/** The parameters of a search. */
type SearchQuery = Readonly<Record<string, string>>

/** Kinds of queries; frequent words occur in at least a third of all entries. */
const kinds: Readonly<Record<string, (random: () => number) => SearchQuery>> = {
  'rare word': (random) => ({ q: `${wordOf(2_000 + Math.floor(random() * 15_000))} ` }),
  'frequent word': (random) => ({ q: `${wordOf(Math.floor(random() * 10))} ` }),
  'two words': (random) => ({
    q: `${wordOf(Math.floor(random() * 50))} ${wordOf(100 + Math.floor(random() * 1_000))} `,
  }),
  phrase: (random) => ({ q: `"${wordOf(Math.floor(random() * 20))} ${wordOf(Math.floor(random() * 20))}"` }),
  beginning: (random) => ({ q: wordOf(Math.floor(random() * 5_000)).slice(0, 5) }),
  exclusion: (random) => ({
    q: `${wordOf(200 + Math.floor(random() * 500))} -${wordOf(Math.floor(random() * 5))}`,
  }),
  'two beginnings': (random) => ({ q: `${rareWord(random).slice(0, 4)}* ${rareWord(random).slice(0, 5)}*` }),
  'rare word in title': (random) => ({ q: `${rareWord(random)} `, fields: 'title' }),
  'frequent word in body': (random) => ({ q: `${wordOf(Math.floor(random() * 10))} `, fields: 'body' }),
  'mistyped word': (random) => ({ q: `${mistyped(rareWord(random))} `, typos: 'true' }),
  'three mistyped words': (random) => ({
    q: [rareWord, rareWord, rareWord].map((word) => mistyped(word(random))).join(' '),
    typos: 'true',
  }),
}

function rareWord(random: () => number): string {
  return wordOf(2_000 + Math.floor(random() * 15_000))
}

/** The word with one wrong letter. */
function mistyped(word: string): string {
  return `${word.slice(0, 3)}x${word.slice(4)}`
}

async function measure(target: LoadTarget, kind: string, queries: number) {
  const random = createRandom()
  const times: number[] = []
  for (let index = 0; index < queries + 10; index += 1) {
    const query = new URLSearchParams(kinds[kind]?.(random))
    const startedAt = performance.now()
    await call(target, `/api/search?${query}`)
    // The first queries warm up.
    if (index >= 10) times.push(performance.now() - startedAt)
  }
  times.sort((left, right) => left - right)
  const at = (part: number) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(1)
  return [at(0.5), at(0.99)]
}

async function untilIndexed(target: LoadTarget, entries: number): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const last = await call<unknown[]>(target, `/api/search?q=number${entries - 1}%20`)
    if (last.data.length > 0) return performance.now() - startedAt
    await sleep(200)
  }
}

async function benchDatabase(
  database: DialectName,
  { entries, queries }: { entries: number; queries: number },
) {
  const cleanup = createCleanup()
  try {
    const folder = await createFolder(cleanup)
    const schemasFolder = join(folder, 'schemas')
    await mkdir(schemasFolder)
    await writeFile(join(schemasFolder, 'page.json'), JSON.stringify(page))
    const { url, drop } = await createDatabase(database, folder)
    cleanup.add(drop)
    const options: ServiceOptions = { databaseUrl: url, schemasFolder, folder }
    const first = await startService(options)
    const token = await createToken(first)
    await first.stop()
    console.log(`filling ${database} with ${entries} entries`)
    await fill(database, url, entries)
    const service = await startService(options)
    cleanup.add(service.stop)
    const target = { url: service.url, token }
    const indexMs = await untilIndexed(target, entries)
    const rows: string[][] = []
    for (const kind of Object.keys(kinds)) rows.push([kind, ...(await measure(target, kind, queries))])
    console.log(`\n${database}: ${entries} entries, indexed in ${(indexMs / 1_000).toFixed(1)} s\n`)
    console.log(formatTable([['query', 'p50 ms', 'p99 ms'], ...rows]))
  } finally {
    await cleanup.run()
  }
}

/** Searches many entries, one query after the other. */
async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      db: { type: 'string' },
      entries: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  })
  const { db, quick } = values
  const chosen = dialectNames.filter((name) => db === undefined || name === db)
  const entries = Number(values.entries ?? (quick ? 10_000 : 100_000))
  if (chosen.length === 0 || !(Number.isSafeInteger(entries) && entries > 0)) throw new Error(usage)
  const { node, load } = describeMachine()
  console.log(`Node ${node}, load before ${load.toFixed(1)}`)
  for (const database of chosen) await benchDatabase(database, { entries, queries: quick ? 50 : 200 })
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
