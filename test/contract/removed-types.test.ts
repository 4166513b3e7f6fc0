import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus, newAdmin } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { typeFile } from '../support/type-file.ts'

const relation = (kind: string, target: string) => ({
  type: 'relation',
  relation: kind,
  target,
  required: true,
  onDelete: 'RESTRICT',
})

const text = { name: { type: 'string' } }
const kept = [
  typeFile('keep', text),
  typeFile('part', { keep: { ...relation('manyToOne', 'keep'), onDelete: 'CASCADE' } }),
  typeFile('bin', text, { softDelete: true }),
]
const before = Object.fromEntries([
  ...kept,
  typeFile('order', { keep: relation('manyToOne', 'keep'), bins: relation('manyToMany', 'bin') }),
  typeFile('client', { account: relation('manyToOne', 'user') }),
])
const after = Object.fromEntries(kept)

eachDatabase((database) => {
  const add = async ({ admin }: TestService, name: string, data: object): Promise<number> =>
    expectStatus(await admin.post(`/api/content/${name}`, data), 201).body.data.id

  const addPerson = async ({ admin }: TestService, username: string): Promise<number> => {
    const person = { email: `${username}@example.com`, username, password: 'correct horse battery staple' }
    return expectStatus(await admin.post('/api/admin/content-users', person), 201).body.data.id
  }
  const deletionOf = async (client: Client, entry: string) => {
    const { deletion } = expectStatus(await client.get(`/api/content/${entry}/usage`), 200).body.data
    return [deletion.isRefused, deletion.heldBy ?? []]
  }

  describe('what a type that was taken out of the schemas refers to', slow, () => {
    it('is kept with its reason, until the table is dropped', async () => {
      const { url, drop } = await database.createUrl()
      try {
        const first = await startService({ database: { url }, schemas: before })
        const [keep, free] = [await add(first, 'keep', {}), await add(first, 'keep', {})]
        const bins = [await add(first, 'bin', {}), await add(first, 'bin', {})]
        await add(first, 'order', { keep, bins: bins.slice(0, 1) })
        const person = await addPerson(first, 'held')
        await add(first, 'client', { account: person })
        assert.equal((await first.admin.delete(`/api/content/keep/${keep}`)).status, 409)
        await first.stop()

        const service = await startService({ database: { url }, schemas: after })
        const { admin } = service
        try {
          const refused = await admin.delete(`/api/content/keep/${keep}`)
          assert.equal(refused.status, 409)
          assert.equal(refused.body.error.code, 'RESTRICTED')
          assert.match(refused.body.error.message, /content_order.*database sync/)
          assert.deepEqual(
            refused.body.error.details.map(({ path, code }: Record<string, string>) => `${path} ${code}`),
            ['content_order undeclared'],
          )
          const together = await admin.delete('/api/content/keep/bulk-delete', { ids: [keep] })
          assert.equal(together.status, 409)
          assert.match(JSON.stringify(together.body), /content_order/)

          assert.deepEqual(await deletionOf(admin, `keep/${keep}`), [true, ['content_order']])
          assert.deepEqual(await deletionOf(admin, `keep/${free}`), [false, []])
          assert.deepEqual(await deletionOf(admin, `bin/${bins[0]}`), [false, ['link_order_bins']])
          const parent = await add(service, 'part', { keep: free })
          expectStatus(await admin.delete(`/api/content/keep/${free}`), 200)
          assert.equal((await admin.get(`/api/content/part/${parent}`)).status, 404)
          const account = await admin.delete(`/api/admin/content-users/${person}`)
          assert.equal(account.status, 409)
          assert.match(account.body.error.message, /content user.*content_client.*database sync/)

          const role = {
            name: 'remover',
            type: 'custom',
            permissions: { content: { keep: { read: true, delete: true } }, media: {} },
          }
          expectStatus(await admin.post('/api/admin/roles', role), 201)
          const { client } = await newAdmin(service, 'remover')
          const untold = await client.delete(`/api/content/keep/${keep}`)
          assert.equal(untold.status, 409)
          assert.doesNotMatch(JSON.stringify(untold.body), /order/)
          assert.match(untold.body.error.message, /administrator/)
          assert.deepEqual(await deletionOf(client, `keep/${keep}`), [false, []])

          // What is held keeps nothing else in the trash.
          for (const id of bins) expectStatus(await admin.delete(`/api/content/bin/${id}`), 200)
          const emptied = expectStatus(await admin.delete('/api/content/bin/trash'), 200)
          assert.deepEqual(emptied.body.data.ids, bins.slice(1))
          const purged = await admin.delete(`/api/content/bin/${bins[0]}?permanent=true`)
          assert.equal(purged.status, 409)
          assert.match(purged.body.error.message, /kept by rows of/)

          expectStatus(await admin.post('/api/database/safe-sync', { allowDestructive: true }), 200)
          expectStatus(await admin.delete(`/api/content/keep/${keep}`), 200)
          expectStatus(await admin.delete(`/api/admin/content-users/${person}`), 200)
          expectStatus(await admin.delete('/api/content/bin/trash'), 200)
          assert.deepEqual((await admin.get('/api/content/bin?deleted=true')).body.data, [])
        } finally {
          await service.stop()
        }
      } finally {
        await drop()
      }
    })
  })
})
