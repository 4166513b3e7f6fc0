import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adapters } from '../support/adapters.ts'
import { type Client, createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'
import type { Project } from '../support/project.ts'
import { slow } from '../support/scope.ts'

const writersAtOnce = 8
const writesBeforeTheEnd = 200

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: {
      text: { type: 'string', required: true, unique: true },
      tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
    },
  },
  'tag.json': {
    kind: 'collectionType',
    info: { singularName: 'tag', pluralName: 'tags', displayName: 'Tag' },
    attributes: { name: { type: 'string' } },
  },
}

/** Creates notes until the service is gone; calls back with each text that was acknowledged. */
async function writeUntilTheEnd(
  client: Client,
  writer: number,
  tag: number,
  onWrite: (text: string) => void,
) {
  for (let count = 0; ; count++) {
    const text = `note ${writer}-${count}`
    try {
      const { status } = await client.post('/api/content/note', { text, tags: [tag] })
      assert.equal(status, 201)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return
    }
    onWrite(text)
  }
}

/** Every note by its text, with its tags. */
async function readNotes(client: Client): Promise<Map<string, number[]>> {
  const notes = new Map<string, number[]>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body }: { body: NotePage } = await client.get(`/api/content/note?limit=100&cursor=${cursor}`)
    for (const { text, tags } of body.data) notes.set(text, tags)
    cursor = body.pagination.nextCursor
  }
  return notes
}

interface NotePage {
  readonly data: { readonly text: string; readonly tags: number[] }[]
  readonly pagination: { readonly nextCursor: string | null }
}

/** Kills the service in the midst of writes; answers the texts that it had acknowledged, and the tag of all. */
async function writeAndKill(project: Project) {
  const service = startProcess({ project })
  const admin = await service.signIn()
  const tag: number = (await admin.post('/api/content/tag', { name: 'a tag' })).body.data.id
  const acknowledged: string[] = []
  const noteWrite = (text: string) => {
    acknowledged.push(text)
    if (acknowledged.length === writesBeforeTheEnd) service.process.kill('SIGKILL')
  }
  const writers = Array.from({ length: writersAtOnce }, (_, writer) =>
    writeUntilTheEnd(admin, writer, tag, noteWrite),
  )
  await Promise.all(writers)
  assert.deepEqual(await service.exited, { code: null, signal: 'SIGKILL' })
  return { acknowledged, tag }
}

eachDatabase((database) => {
  it(
    'loses no acknowledged write, and keeps no half one, when it is killed in the midst of writes',
    slow,
    () =>
      withProject({ database: database.name, schemas }, async (project) => {
        const { acknowledged, tag } = await writeAndKill(project)
        const service = startProcess({ project })
        const notes = await readNotes(await service.signIn())
        assert.ok(acknowledged.length >= writesBeforeTheEnd)
        assert.deepEqual(
          acknowledged.filter((text) => !notes.has(text)),
          [],
          'acknowledged and lost',
        )
        for (const [text, tags] of notes) assert.deepEqual(tags, [tag], `${text} is whole`)
        assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
      }),
  )

  it('starts in several processes at the same time without harm', slow, () =>
    withProject({ database: database.name, schemas }, async (project) => {
      const services = [1, 2, 3].map(() => startProcess({ project }))
      const admins = await Promise.all(services.map((service) => service.signIn()))
      const [first, second, third] = admins as [Client, Client, Client]
      assert.equal((await first.get('/api/admin/users')).body.data.length, 1)
      const { id } = (await second.post('/api/content/note', { text: 'shared' })).body.data
      assert.equal((await third.get(`/api/content/note/${id}`)).body.data.text, 'shared')
      const pending = await first.get('/api/database/preview')
      assert.deepEqual(pending.body.data, [])
      for (const service of services) {
        assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null })
        assert.doesNotMatch(service.output(), /ERROR/)
      }
    }),
  )
})

/** Its route answers when the test says so, by a file. */
const slowPlugin = `
import { existsSync } from 'node:fs'
import { definePlugin, defineRoute, routes } from 'mortise/plugin'
export default definePlugin({
  name: 'slow',
  description: 'Answers when a file is there.',
  register: ({ contribute, log }) => contribute(routes, defineRoute({
    name: 'slow:answer.read', method: 'GET', path: '/answer', summary: 'Waits', access: 'open',
    async handler() {
      log.info({}, 'a request waits')
      while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 5))
      return 'late'
    },
  })),
})
`

describe('a service that is told to stop', slow, () => {
  for (const adapter of adapters) {
    it(`finishes what it has begun and takes nothing new (${adapter})`, () =>
      withProject({ schemas, adapter, files: { 'plugins/slow/plugin.ts': slowPlugin } }, async (project) => {
        const service = startProcess({ project })
        const client = createClient(await service.ready())
        const answer = client.get('/api/x/slow/answer')
        await service.writes('a request waits')
        service.process.kill('SIGTERM')
        await service.writes('stopping')
        await untilRefused(client)
        project.write('go', '')
        const { status, body } = await answer
        assert.deepEqual([status, body.data], [200, 'late'])
        assert.deepEqual(await service.exited, { code: 0, signal: null })
      }))
  }
})

/** Until a new request gets no answer, or is told that the service is not there for it. */
async function untilRefused(client: Client) {
  for (;;) {
    const status = await client.get('/api/livez').then(
      (answer) => answer.status,
      () => undefined,
    )
    if (status === undefined || status === 503) return
    await new Promise(setImmediate)
  }
}
