import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus, newAdmin } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { typeFile } from '../support/type-file.ts'

const schemas = Object.fromEntries([
  typeFile(
    'box',
    {
      parts: { type: 'relation', relation: 'oneToMany', target: 'part' },
      spares: { type: 'relation', relation: 'oneToMany', target: 'part' },
    },
    { softDelete: true },
  ),
  typeFile('part', { name: { type: 'string' } }),
])

eachDatabase(({ name }) => {
  let service: TestService
  let editor: Client

  before(async () => {
    service = await startService({ database: name, schemas })
    const role = {
      name: 'packer',
      type: 'custom',
      permissions: {
        content: { box: { read: true, create: true, update: true }, part: { read: true } },
        media: {},
      },
    }
    expectStatus(await service.admin.post('/api/admin/roles', role), 201)
    editor = (await newAdmin(service, 'packer')).client
  })
  after(() => service.stop())

  const add = async (of: string, data: object): Promise<number> =>
    expectStatus(await service.admin.post(`/api/content/${of}`, data), 201).body.data.id
  const refused = async (answer: ReturnType<Client['get']>, wanted: readonly string[], words: RegExp) => {
    const { body } = expectStatus(await answer, 409)
    assert.equal(body.error.code, 'CONFLICT')
    const problems = body.error.details.map(({ path, code }: Record<string, string>) => `${path} ${code}`)
    assert.deepEqual(problems, wanted)
    assert.match(body.error.message, words)
    assert.doesNotMatch(JSON.stringify(body), /target_id/)
  }

  describe('an entry that belongs to another one by a oneToMany relation', () => {
    it('is refused under its path, and whether its owner is in the trash is told to administrators', async () => {
      const [free, live, lost] = [await add('part', {}), await add('part', {}), await add('part', {})]
      const gone = await add('box', { spares: [lost] })
      await add('box', { spares: [live] })
      expectStatus(await service.admin.delete(`/api/content/box/${gone}`), 200)
      const inTrash = new RegExp(`box ${gone} in the trash`)
      const box = await add('box', {})
      const path = '/api/content/box'
      await refused(service.admin.post(path, { spares: [free, lost] }), ['spares.1 unique'], inTrash)
      await refused(
        service.admin.put(`${path}/${box}`, { spares: [lost, free] }),
        ['spares.0 unique'],
        inTrash,
      )
      await refused(
        service.admin.put(`${path}/${box}`, { spares: [free, live] }),
        ['spares.1 unique'],
        /another box/,
      )
      await refused(editor.post(path, { spares: [lost] }), ['spares.0 unique'], /another box/)
      const bulk = service.admin.post(`${path}/bulk-create`, [{ parts: [free] }, { spares: [lost] }])
      await refused(bulk, ['1.spares.0 unique'], inTrash)
      await refused(
        service.admin.post(`${path}/${box}/link/spares`, { id: lost }),
        ['spares.0 unique'],
        inTrash,
      )
      expectStatus(await service.admin.put(`${path}/${box}`, { parts: [lost], spares: [free] }), 200)
    })
  })
})
