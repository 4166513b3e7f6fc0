import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { insertMany } from '../../core-plugins/foundation/database/database.ts'
import { batches } from '../batches.ts'
import type { Cleanup } from '../cleanup.ts'
import { call } from '../client.ts'
import { createDatabase, openServiceDatabase } from '../database.ts'
import type { ServerProcess } from '../server-process.ts'
import { type ServiceOptions, signIn, startService } from '../service.ts'
import { createFolder } from '../workspace.ts'
import type { FloorContent } from './floor.ts'

const rowCount = 10_000

/** The maximum number of rows that a list of the panel keeps. */
export const keptRows = 1_000

/** Who signs in. */
export const editor = {
  username: 'editor',
  email: 'editor@example.com',
  password: 'a password of the benchmark',
}

const type = (name: string, attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish: true },
  attributes,
})

const fieldNames = Array.from({ length: 100 }, (_, index) => `field${index}`)

const types = [
  type('story', {
    title: { type: 'string', required: true },
    rank: { type: 'integer' },
    mood: { type: 'enum', enum: ['calm', 'wild'] },
    featured: { type: 'boolean' },
    place: { type: 'string' },
  }),
  type('wide', Object.fromEntries(fieldNames.map((name) => [name, { type: 'string' }]))),
]

const storyOf = (id: number) => ({
  title: `Story ${id}`,
  rank: id,
  mood: id % 2 === 0 ? 'calm' : 'wild',
  featured: id % 3 === 0,
  place: `Place ${id % 97}`,
})

function* stories() {
  for (let id = 1; id <= rowCount; id++) yield storyOf(id)
}

/** Inserts directly into the table: the API would take longer than the whole measurement. */
async function fillStories(url: string): Promise<void> {
  const database = await openServiceDatabase(url)
  const moment = '2026-01-31T08:00:00.000Z'
  const insert = insertMany<Record<string, unknown>>(database, {
    table: 'content_story',
    columns: {
      title: { column: 'title', kind: 'string' },
      rank: { column: 'rank', kind: 'integer' },
      mood: { column: 'mood', kind: 'string' },
      featured: { column: 'featured', kind: 'boolean' },
      place: { column: 'place', kind: 'string' },
      createdAt: { column: 'created_at', kind: 'datetime' },
      updatedAt: { column: 'updated_at', kind: 'datetime' },
    },
  })
  for (const batch of batches(stories(), 1_000)) {
    const rows = batch.map((story) => ({ ...story, createdAt: moment, updatedAt: moment }))
    await database.transaction((tx) => insert(rows, tx))
  }
  await database.close()
}

/** Starts a service with 10,000 stories, an entry of 100 fields and an admin user. */
export async function startFilled(cleanup: Cleanup): Promise<ServerProcess> {
  const folder = await createFolder(cleanup)
  const schemasFolder = join(folder, 'schemas')
  await mkdir(schemasFolder)
  for (const each of types) {
    await writeFile(join(schemasFolder, `${each.info.singularName}.json`), JSON.stringify(each))
  }
  const { url, drop } = await createDatabase('sqlite', folder)
  cleanup.add(drop)
  const options: ServiceOptions = { databaseUrl: url, schemasFolder, folder }
  const first = await startService(options)
  const target = { url: first.url, token: await signIn(first) }
  await call(target, '/api/admin/auth/register', { method: 'POST', body: { ...editor, role: 'super-admin' } })
  const wide = Object.fromEntries(fieldNames.map((name) => [name, `text of ${name}`]))
  await call(target, '/api/content/wide', { method: 'POST', body: wide })
  await first.stop()
  await fillStories(url)
  const service = await startService(options)
  cleanup.add(service.stop)
  return service
}

/** The rows of a full list of the panel, and the entry. */
export function floorContent(): FloorContent {
  const rows = Array.from({ length: keptRows }, (_, index) => storyOf(rowCount - index))
  return { rows, entry: Object.fromEntries(fieldNames.map((name) => [name, `text of ${name}`])) }
}
