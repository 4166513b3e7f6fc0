import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call } from './client.ts'
import { createDatabase } from './database.ts'
import type { LoadTarget } from './load.ts'
import type { BenchOptions } from './options.ts'
import { createToken, startService } from './service.ts'
import { median } from './throughput.ts'

const fewComponents = 2
const manyComponents = 60

/** Milliseconds of one write, median, of entries whose zones hold the same blocks. */
export interface ZoneResult {
  readonly operation: 'update' | 'publish'
  readonly fewMs: number
  readonly manyMs: number
  /** The ratio of many to few: 1 if the cost does not depend on how many component types a zone declares. */
  readonly ratio: number
}

const uid = (index: number): string => `block.part${index + 1}`
const uids = (count: number): string[] => Array.from({ length: count }, (_, index) => uid(index))

const component = (index: number): object => ({
  uid: uid(index),
  category: 'block',
  info: { displayName: `Part ${index + 1}` },
  attributes: {
    heading: { type: 'string', required: true, maxLength: 200 },
    text: { type: 'text' },
    weight: { type: 'integer', min: 0 },
  },
})

const pageType = (name: string, componentCount: number): object => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: true },
  attributes: {
    title: { type: 'string', required: true },
    blocks: { type: 'dynamicZone', components: uids(componentCount) },
  },
})

const writeJson = (path: string, value: object): Promise<void> => writeFile(path, JSON.stringify(value))

async function writeSchemas(folder: string): Promise<void> {
  await mkdir(join(folder, 'components'), { recursive: true })
  for (let index = 0; index < manyComponents; index++) {
    await writeJson(join(folder, 'components', `${uid(index)}.json`), component(index))
  }
  await writeJson(join(folder, 'fewpage.json'), pageType('fewpage', fewComponents))
  await writeJson(join(folder, 'manypage.json'), pageType('manypage', manyComponents))
}

/** The same blocks for both types, of the two components that both declare. */
const page = (write: number): object => ({
  title: `Page ${write}`,
  blocks: Array.from({ length: 6 }, (_, index) => ({
    __component: uid(index % fewComponents),
    heading: `Heading ${index} of ${write}`,
    text: 'Some text that is changed by every write. '.repeat(5),
    weight: write + index,
  })),
})

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** One entry whose writes are timed. */
class Page {
  readonly updates: number[] = []
  readonly publications: number[] = []
  readonly #target: LoadTarget
  readonly #path: string

  private constructor(target: LoadTarget, path: string) {
    this.#target = target
    this.#path = path
  }

  static async create(target: LoadTarget, type: string): Promise<Page> {
    const path = `/api/content/${type}`
    const { data } = await call<{ id: number }>(target, path, { method: 'POST', body: page(0) })
    return new Page(target, `${path}/${data.id}`)
  }

  async write(number: number): Promise<void> {
    this.updates.push(await time(() => this.#put('', page(number))))
    this.publications.push(await time(() => this.#put('/publish', {})))
    await this.#put('/unpublish', {})
  }

  #put(suffix: string, body: object): Promise<unknown> {
    return call(this.#target, `${this.#path}${suffix}`, { method: 'PUT', body })
  }
}

const compare = (operation: ZoneResult['operation'], few: number[], many: number[]): ZoneResult => ({
  operation,
  fewMs: median(few),
  manyMs: median(many),
  ratio: median(many) / median(few),
})

async function timeWrites(target: LoadTarget, count: number): Promise<ZoneResult[]> {
  const few = await Page.create(target, 'fewpage')
  const many = await Page.create(target, 'manypage')
  for (let number = 1; number <= count; number++) {
    await few.write(number)
    await many.write(number)
  }
  return [
    compare('update', few.updates, many.updates),
    compare('publish', few.publications, many.publications),
  ]
}

/** Updates and publishes entries whose zones declare 2 and 60 component types, on a service of its own. */
export async function measureZones(options: BenchOptions, folder: string): Promise<ZoneResult[]> {
  const schemasFolder = join(folder, 'zone-schemas')
  await writeSchemas(schemasFolder)
  const database = await createDatabase(options.database, folder)
  try {
    const service = await startService({ databaseUrl: database.url, schemasFolder, folder })
    try {
      return await timeWrites({ url: service.url, token: await createToken(service) }, options.zoneWrites)
    } finally {
      await service.stop()
    }
  } finally {
    await database.drop()
  }
}
