import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cleanup, createCleanup } from './cleanup.ts'
import { call } from './client.ts'
import { createDatabase } from './database.ts'
import type { LoadTarget } from './load.ts'
import { type BenchOptions, readCommand } from './options.ts'
import { createToken, startService } from './service.ts'
import { median } from './throughput.ts'
import { createFolder } from './workspace.ts'

const manyLocales = 35
const saves = 40

/** Locale names without a language, so that no stemmer is used. */
const locales = Array.from({ length: manyLocales - 1 }, (_, index) => {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  return `${index < letters.length ? 'q' : 'x'}${letters[index % letters.length]}`
})

const localized = { pluginOptions: { i18n: { localized: true } } }
const page = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  options: { draftAndPublish: true, i18n: { enabled: true, locales: ['en', ...locales] } },
  attributes: {
    title: { type: 'string', required: true, ...localized },
    body: { type: 'text', ...localized },
    sku: { type: 'string', unique: true },
    rank: { type: 'integer' },
    related: { type: 'relation', relation: 'manyToMany', target: 'page' },
  },
}

type Change = (round: number) => object

/** The kinds of saves: the text of one locale, alone or with the shared fields. */
const kinds: Readonly<Record<string, Change>> = {
  'text of one locale': (round) => ({
    title: `Title ${round}`,
    body: 'Some words that change. '.repeat(50) + round,
  }),
  'with what is shared': (round) => ({
    title: `Title ${round}`,
    sku: `sku-${round}-${Math.random()}`,
    rank: round,
  }),
}

async function createPage(target: LoadTarget, count: number): Promise<string> {
  const path = '/api/content/page'
  const body = { title: 'Title', body: 'Words. '.repeat(100), rank: 0 }
  const { data } = await call<{ id: number }>(target, path, { method: 'POST', body })
  for (const locale of locales.slice(0, count - 1)) {
    await call(target, `${path}/${data.id}/localizations`, { method: 'POST', body: { ...body, locale } })
  }
  return `${path}/${data.id}`
}

async function timeSaves(target: LoadTarget, path: string, change: Change): Promise<number> {
  const times: number[] = []
  for (let round = 1; round <= saves; round++) {
    const startedAt = performance.now()
    await call(target, path, { method: 'PUT', body: change(round) })
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

async function measure({ database: dialect }: BenchOptions, cleanup: Cleanup): Promise<void> {
  const folder = await createFolder(cleanup)
  const schemasFolder = join(folder, 'locale-schemas')
  await mkdir(schemasFolder)
  await writeFile(join(schemasFolder, 'page.json'), JSON.stringify(page))
  const database = await createDatabase(dialect, folder)
  cleanup.add(database.drop)
  const service = await startService({ databaseUrl: database.url, schemasFolder, folder })
  cleanup.add(() => service.stop())
  const target = { url: service.url, token: await createToken(service) }
  const startedAt = performance.now()
  const many = await createPage(target, manyLocales)
  const made = performance.now() - startedAt
  const one = await createPage(target, 1)
  console.log(
    `${dialect}: an entry in ${manyLocales} locales, made in ${made.toFixed(0)} ms; median of ${saves} saves`,
  )
  for (const [kind, change] of Object.entries(kinds)) {
    await timeSaves(target, one, change)
    const oneMs = await timeSaves(target, one, change)
    const manyMs = await timeSaves(target, many, change)
    console.log(
      `  ${kind.padEnd(20)} ${manyMs.toFixed(1)} ms in ${manyLocales} locales, ${oneMs.toFixed(1)} ms in one: ${(manyMs / oneMs).toFixed(1)} times`,
    )
  }
}

const { options } = readCommand(process.argv.slice(2))
const cleanup = createCleanup()
try {
  await measure(options, cleanup)
} finally {
  await cleanup.run()
}
