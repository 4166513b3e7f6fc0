import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'
import { startService } from '../support/service.ts'
import { until } from '../support/until.ts'

const schemasWith = (attributes: object, options: object = {}) => ({
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options,
    attributes,
  },
})

const string = { type: 'string' }

const versions = (options?: object) => [
  schemasWith({ a: string, b: string }, options),
  schemasWith({ a2: { ...string, renamedFrom: 'a' }, b: string }, options),
  schemasWith({ a3: { ...string, renamedFrom: 'a2' }, b: string, a: string }, options),
]

const localised = { i18n: { enabled: true, locales: ['en', 'de'], defaultLocale: 'en' } }

const note = '/api/content/note'

const entryOf = async (client: Client, id: number) => {
  const { status, body } = await client.get(`${note}/${id}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

eachDatabase((database) => {
  for (const [name, options] of Object.entries({ 'a type': {}, 'a localised type': localised })) {
    it(
      `an attribute of ${name} with the earlier name of a renamed one begins empty, and is written alone`,
      slow,
      async () => {
        const { url, drop } = await database.createUrl()
        const [first = {}, second = {}, third = {}] = versions(options)
        const inVersion = async (schemas: typeof first, work: (admin: Client) => Promise<void>) => {
          const service = await startService({ database: { url }, schemas })
          try {
            await work(service.admin)
          } finally {
            await service.stop()
          }
        }
        try {
          await inVersion(first, async (admin) => {
            assert.equal((await admin.post(note, { a: 'A', b: 'B' })).status, 201)
          })
          await inVersion(second, async (admin) => {
            assert.equal((await entryOf(admin, 1)).a2, 'A')
            assert.equal((await admin.put(`${note}/1`, { a2: 'A2' })).status, 200)
          })
          await inVersion(third, async (admin) => {
            const seen = await entryOf(admin, 1)
            assert.deepEqual([seen.a, seen.a3, seen.b], [null, 'A2', 'B'])
            assert.equal((await admin.put(`${note}/1`, { a: 'new' })).status, 200)
            const changed = await entryOf(admin, 1)
            assert.deepEqual([changed.a, changed.a3], ['new', 'A2'])
            const { body } = await admin.post(note, { a: 'only a' })
            const made = await entryOf(admin, body.data.id)
            assert.deepEqual([made.a, made.a3], ['only a', null])
          })
        } finally {
          await drop()
        }
      },
    )
  }

  it('processes of earlier versions go on, and one whose attribute lost its name answers 503', async () => {
    if (database.name === 'sqlite') return
    const [first = {}, second = {}, third = {}] = versions()
    await withProject({ database: database.name, schemas: first }, async (project) => {
      const url = project.env.DATABASE_URL ?? ''
      await withProject({ database: { url }, schemas: second }, (project2) =>
        withProject({ database: { url }, schemas: third }, async (project3) => {
          const processes = [startProcess({ project })]
          const oldest = await processes[0]?.signIn()
          assert.ok(oldest)
          assert.equal((await oldest.post(note, { a: 'A', b: 'B' })).status, 201)
          processes.push(startProcess({ project: project2 }))
          const middle = await processes[1]?.signIn()
          assert.ok(middle)
          assert.equal((await oldest.put(`${note}/1`, { a: 'by the oldest' })).status, 200)
          assert.equal((await entryOf(middle, 1)).a2, 'by the oldest')
          processes.push(startProcess({ project: project3 }))
          const newest = await processes[2]?.signIn()
          assert.ok(newest)

          const answer = await oldest.put(`${note}/1`, { a: 'wrong' })
          assert.equal(answer.status, 503, JSON.stringify(answer.body))
          assert.equal((await oldest.get(`${note}/1`)).status, 503)
          await until(async () => (await oldest.get('/api/readyz')).status === 503)
          assert.match(processes[0]?.output() ?? '', /a later version has given the name of a column/)

          assert.equal((await middle.put(`${note}/1`, { a2: 'by the middle' })).status, 200)
          const seen = await entryOf(newest, 1)
          assert.deepEqual([seen.a, seen.a3], [null, 'by the middle'])
          assert.equal((await newest.put(`${note}/1`, { a: 'new', a3: 'by the newest' })).status, 200)
          assert.equal((await entryOf(middle, 1)).a2, 'by the newest')
          assert.equal((await middle.post(note, { a2: 'made by the middle' })).status, 201)
          const made = await entryOf(newest, 2)
          assert.deepEqual([made.a, made.a3], [null, 'made by the middle'])
          for (const process of processes) await process.end('SIGTERM')
        }),
      )
    })
  })
})
