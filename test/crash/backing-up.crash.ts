import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { sql } from 'drizzle-orm'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import type { Client } from '../support/client.ts'
import { type CrashWorld, crashTest, type Running, type Scenario } from './crash-test.ts'
import { eventually } from './eventually.ts'
import { breathe, type LoadClient } from './load.ts'
import { sampleFiles } from './media-files.ts'
import { checkNothingRuns, expectNoJobs, storedJobs } from './remains.ts'
import { uploadForm } from './upload-folder.ts'

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { text: { type: 'text' }, version: { type: 'integer', required: true } },
  },
}

const notes = 50
const textLength = 5_000
/** Of the last backups before a check: those that were cut off are among them. */
const dryRuns = 3

/** A row of `svc_backups`. */
interface StoredBackup {
  readonly id: number
  readonly name: string
  readonly status: string
  readonly size: number
  readonly checksum: string
  readonly fileName: string | null
}

async function createScenario(world: CrashWorld, { client }: Running): Promise<Scenario> {
  const directory = join(world.project.workingDirectory, 'data/backups')
  const ids = await makeNotes(client)
  await uploadAll(client)
  /** Ids of backups whose request was accepted. */
  const accepted = new Set<number>()
  const verified = new Set<number>()
  let version = 0

  /** Asks for backups, one after the other, and does not always wait for them. */
  async function backUp(load: LoadClient): Promise<void> {
    while (!load.isOver()) {
      const isAsync = load.random.chance(0.5)
      const { status, body } = await load.client.post('/api/admin/backups', { name: 'mine', async: isAsync })
      assert.equal(status, isAsync ? 202 : 201, JSON.stringify(body))
      accepted.add(body.data.id)
      load.acknowledge()
      await ended(load, body.data.id)
    }
  }

  /** Changes all notes in one transaction, so that a snapshot of one moment has them all alike. */
  async function write(load: LoadClient): Promise<void> {
    while (!load.isOver()) {
      const data = { version: ++version }
      const { status, body } = await load.client.patch('/api/content/note/bulk-update', { ids, data })
      assert.equal(status, 200, JSON.stringify(body))
      load.acknowledge()
      await breathe()
    }
  }

  async function checkBackups({ client: own }: Running): Promise<void> {
    const backups = await world.look(storedBackups)
    const there = new Set(backups.map(({ id }) => id))
    assert.deepEqual(
      [...accepted].filter((id) => !there.has(id)),
      [],
      'accepted and lost',
    )
    assert.deepEqual(
      backups.filter(({ status }) => status !== 'completed'),
      [],
      'backups that are not completed',
    )
    const fresh = backups.filter(({ id }) => !verified.has(id))
    for (const backup of fresh) await verifyChecksum(directory, backup)
    for (const { id } of fresh.slice(-dryRuns)) await verifyByDryRun(own, id)
    for (const { id } of fresh) verified.add(id)
    const named = backups.map(({ fileName }) => fileName)
    const archives = filesIn(directory).filter((name) => name.endsWith('.tar'))
    assert.deepEqual(archives.sort(), named.sort(), 'each backup has its file, and each file its backup')
  }

  /** Lets what was left behind look as if it had been there for long. */
  async function age(): Promise<void> {
    const longAgo = new Date(Date.now() - 24 * 60 * 60_000)
    for (const name of filesIn(directory)) utimesSync(join(directory, name), longAgo, longAgo)
  }

  return {
    clients: 2,
    work: (load) => (load.index === 0 ? backUp(load) : write(load)),
    async check([first]) {
      const running = first as Running
      await eventually(() => expectNoJobs(running.client))
      await checkBackups(running)
      await world.look(async (database) => checkNothingRuns(await storedJobs(database)))
    },
    async finish([first]) {
      await age()
      const { client: own } = first as Running
      await runCleanup(own)
      await eventually(() => expectNoJobs(own))
      const rest = filesIn(directory).filter((name) => !name.endsWith('.tar'))
      assert.deepEqual(rest, [], 'files of backups that have died')
      await restoreOne(own, world.random.pick([...verified]))
    },
  }
}

const filesIn = (directory: string) => (existsSync(directory) ? readdirSync(directory) : [])

async function ended({ client, isOver }: LoadClient, id: number): Promise<void> {
  while (!isOver()) {
    const { body } = await client.get(`/api/admin/backups/${id}`)
    if (body.data.status === 'completed') return
    await breathe()
  }
}

async function verifyChecksum(directory: string, { id, fileName, checksum }: StoredBackup): Promise<void> {
  assert.ok(fileName)
  const hash = createHash('sha256')
  await pipeline(createReadStream(join(directory, fileName)), hash)
  assert.equal(hash.digest('hex'), checksum, `backup ${id}`)
}

/** It reads all that the file says of itself, and holds it against the service. */
async function verifyByDryRun(client: Client, id: number): Promise<void> {
  const { status, body } = await client.post(`/api/admin/backups/${id}/restore`, { dryRun: true })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([body.data.success, body.data.problems], [true, []])
}

async function restoreOne(client: Client, id: number): Promise<void> {
  const { status, body } = await client.post(`/api/admin/backups/${id}/restore`)
  assert.equal(status, 200, JSON.stringify(body))
  const list = (await client.get('/api/content/note?limit=100&fields=version')).body.data
  assert.equal(list.length, notes)
  assert.equal(new Set(list.map((note: { version: number }) => note.version)).size, 1, 'of one moment')
}

async function runCleanup(client: Client): Promise<void> {
  const { body } = await client.get('/api/admin/scheduled-jobs')
  const { id } = body.data.find(({ name }: { name: string }) => name === 'backup.cleanup')
  const { status } = await client.post(`/api/admin/scheduled-jobs/${id}/run`)
  assert.equal(status, 202)
}

async function storedBackups(database: Driver): Promise<StoredBackup[]> {
  const as = (column: string, name: string) => sql`${sql.identifier(column)} as ${sql.identifier(name)}`
  const statement = database.prepare<StoredBackup>(
    sql`select id, name, status, size, checksum, ${as('file_name', 'fileName')} from svc_backups order by id`,
    { id: 'id', size: 'integer' },
  )
  return database.all(statement)
}

async function makeNotes(client: Client): Promise<number[]> {
  const text = 'x'.repeat(textLength)
  const make = async () => {
    const { status, body } = await client.post('/api/content/note', { text, version: 0 })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data.id
  }
  return Promise.all(Array.from({ length: notes }, make))
}

async function uploadAll(client: Client): Promise<void> {
  for (const { bytes, extension } of await sampleFiles()) {
    const files = [{ bytes, name: `file.${extension}` }]
    const { status } = await client.request('POST', '/api/upload', await uploadForm('file', files))
    assert.equal(status, 201)
  }
}

crashTest('backing up', { project: { schemas }, create: createScenario })
