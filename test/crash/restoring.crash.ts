import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import type { Answer, Client } from '../support/client.ts'
import { type CrashWorld, crashTest, type Running, type Scenario } from './crash-test.ts'
import { eventually } from './eventually.ts'
import { breathe, type LoadClient } from './load.ts'
import { type SampleFile, sampleFiles } from './media-files.ts'
import { checkNothingRuns, expectNoJobs, storedJobs } from './remains.ts'
import { allMedia, createUploadFolder, uploadForm } from './upload-folder.ts'

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: {
      text: { type: 'text' },
      version: { type: 'integer', required: true },
      tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
    },
  },
  'tag.json': {
    kind: 'collectionType',
    info: { singularName: 'tag', pluralName: 'tags', displayName: 'Tag' },
    attributes: { name: { type: 'string' } },
  },
}

const notes = 60
const textLength = 3_000

/** Everything that a restore brings back, told in a few words. */
interface State {
  /** Of all notes, which are changed together with their tags. */
  readonly version: number
  /** Of all notes. */
  readonly tag: number
  /** Original names. */
  readonly media: readonly string[]
  /** As the setting is stored. */
  readonly siteName: string | null
}

/** The one who writes: what is there is known but for the last request, if that had no answer. */
interface Knowledge {
  state: State
  asked: State | undefined
}

async function createScenario(world: CrashWorld, { client }: Running): Promise<Scenario> {
  const sample = (await sampleFiles()).find(({ width }) => width === null)
  assert.ok(sample)
  const tags = [await makeTag(client, 'odd'), await makeTag(client, 'even')]
  const ids = await makeNotes(client, tags[0] ?? 0)
  for (const name of ['kept.txt', 'deleted.txt']) expectStatus(await upload(client, name, sample), 201)
  expectStatus(await client.put('/api/admin/config', { 'site.name': 'as it was' }), 200)
  const { body } = await client.post('/api/admin/backups', { name: 'of all' })
  const backup: number = body.data.id
  const restored = await world.look(storedState)
  const known: Knowledge = { state: restored, asked: undefined }
  const files = createUploadFolder(world)
  let count = 0
  let restores = 0
  let interrupted = 0

  async function change(asked: Partial<State>, send: () => Promise<Answer>) {
    known.asked = { ...known.state, ...asked }
    const { status, body: answer } = await send()
    assert.ok(status === 200 || status === 201, JSON.stringify(answer))
    known.state = known.asked
    known.asked = undefined
  }

  /** Changes everything, then restores it. */
  async function changeAndRestore(load: LoadClient): Promise<void> {
    const version = ++count
    const tag = tags[version % 2] ?? 0
    const { client: own } = load
    await change({ version, tag }, () =>
      own.patch('/api/content/note/bulk-update', { ids, data: { version, tags: [tag] } }),
    )
    const siteName = `name ${version}`
    await change({ siteName }, () => own.put('/api/admin/config', { 'site.name': siteName }))
    await changeMedia(load, `new ${version}.txt`)
    // Here, so that most kills meet the restore.
    load.acknowledge()
    await change(restored, () => own.post(`/api/admin/backups/${backup}/restore`))
    restores++
  }

  async function changeMedia(load: LoadClient, name: string): Promise<void> {
    const { media } = known.state
    await change({ media: [...media, name].sort() }, () => upload(load.client, name, sample as SampleFile))
    const [gone] = (await allMedia(load.client)).filter(({ originalName }) => originalName === 'deleted.txt')
    if (gone === undefined) return
    const rest = known.state.media.filter((each) => each !== 'deleted.txt')
    await change({ media: rest }, () => load.client.delete(`/api/media/${gone.id}`))
  }

  /** Finds out what has become of the last request: what was before it or what it asked for, and nothing between. */
  function settle(found: State): void {
    if (known.asked !== undefined && isDeepStrictEqual(known.asked, restored)) interrupted++
    if (known.asked !== undefined && isDeepStrictEqual(found, known.asked)) known.state = known.asked
    known.asked = undefined
    assert.deepEqual(found, known.state)
  }

  /** An accepted restore is carried out by whoever comes next: it counts when that has been done. */
  async function settleWith(own: Client): Promise<void> {
    await eventually(() => expectNoJobs(own))
    settle(await world.look(storedState))
  }

  return {
    clients: 2,
    async work(load) {
      if (load.index !== 0) return readWhole(load)
      if (known.asked !== undefined) await settleWith(load.client)
      while (!load.isOver()) await changeAndRestore(load)
    },
    async beforeRestart() {
      await eventually(async () => {
        const found = await world.look(storedState)
        if (known.asked === undefined || !isDeepStrictEqual(found, known.asked)) {
          assert.deepEqual(found, known.state)
        }
      })
      await files.age()
    },
    async check([first]) {
      const running = first as Running
      await settleWith(running.client)
      await eventually(async () => files.check(await allMedia(running.client)))
      await checkSiteName(running.client)
      await world.look(async (database) => {
        assert.equal(await activeRestores(database), 0, 'restores that say they are under way')
        checkNothingRuns(await storedJobs(database))
      })
    },
    async finish([first]) {
      assert.ok(restores + interrupted > 0, 'nothing was restored')
      await (first as Running).service.end('SIGKILL')
      await files.age()
      const last = await world.start()
      await eventually(async () => {
        await expectNoJobs(last.client)
        await files.check(await allMedia(last.client))
        await files.checkSwept()
      })
    },
  }

  async function checkSiteName(own: Client): Promise<void> {
    await eventually(async () => {
      const { body: answer } = await own.get('/api/admin/config/export')
      assert.equal(answer.data['site.name'], known.state.siteName)
    })
  }
}

/** Reads all notes with one query again and again: never are some of them restored and others not. */
async function readWhole({ client, isOver }: LoadClient): Promise<void> {
  while (!isOver()) {
    await breathe()
    const { status, body } = await client.get('/api/content/note?limit=100&fields=version,tags')
    expectStatus({ status, body }, 200)
    assert.equal(body.data.length, notes)
    const found = body.data.map(
      ({ version, tags }: { version: number; tags: number[] }) => `${version} ${tags}`,
    )
    assert.equal(new Set(found).size, 1, `a mixture: ${[...new Set(found)]}`)
  }
}

async function storedState(database: Driver): Promise<State> {
  const rows = async <R>(text: ReturnType<typeof sql>, kinds = {}) =>
    database.all(database.prepare<R>(text, kinds))
  const versions = await rows<{ version: number; count: number }>(
    sql`select version, count(*) as count from content_note group by version`,
    { version: 'integer', count: 'integer' },
  )
  const tags = await rows<{ tag: number; count: number }>(
    sql`select target_id as tag, count(*) as count from link_note_tags group by target_id`,
    { tag: 'integer', count: 'integer' },
  )
  assert.deepEqual([versions.length, versions[0]?.count], [1, notes], 'notes of several versions')
  assert.deepEqual([tags.length, tags[0]?.count], [1, notes], 'notes with several tags')
  const media = await rows<{ name: string }>(sql`select original_name as name from svc_media`)
  const value = database.dialect.select(sql`value`, 'json')
  const key = sql.identifier('key')
  const [site] = await rows<{ name: string }>(
    sql`select ${value} as name from svc_config where ${key} = 'site.name'`,
    { name: 'json' },
  )
  return {
    version: versions[0]?.version ?? 0,
    tag: tags[0]?.tag ?? 0,
    media: media.map(({ name }) => name).sort(),
    siteName: site?.name ?? null,
  }
}

async function activeRestores(database: Driver): Promise<number> {
  const statement = database.prepare<{ count: number }>(
    sql`select count(*) as count from svc_backup_restores where active is not null`,
    { count: 'integer' },
  )
  return (await database.get(statement))?.count ?? 0
}

async function makeTag(client: Client, name: string): Promise<number> {
  return expectStatus(await client.post('/api/content/tag', { name }), 201).id
}

async function makeNotes(client: Client, tag: number): Promise<number[]> {
  const text = 'x'.repeat(textLength)
  const make = async () =>
    expectStatus(await client.post('/api/content/note', { text, version: 0, tags: [tag] }), 201).id
  return Promise.all(Array.from({ length: notes }, make))
}

async function upload(client: Client, name: string, { bytes }: SampleFile): Promise<Answer> {
  return client.request('POST', '/api/upload', await uploadForm('file', [{ name, bytes }]))
}

function expectStatus({ status, body }: Pick<Answer, 'status' | 'body'>, expected: number) {
  assert.equal(status, expected, JSON.stringify(body))
  return body.data
}

crashTest('restoring', { project: { schemas }, create: createScenario })
