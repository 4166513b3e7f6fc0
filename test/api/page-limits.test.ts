import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type TestService } from '../support/service.ts'
import { typeFile } from '../support/type-file.ts'
import { expectStatus } from './auth-callers.ts'

const name = { name: { type: 'string' } }

/** How many entries a page has: by the type, the settings and the request. */
describe('the page size of a type', () => {
  let service: TestService

  before(async () => {
    service = await startService({
      schemas: Object.fromEntries([
        typeFile('short', name, { pagination: { defaultLimit: 2 } }),
        typeFile('vast', name, { pagination: { defaultLimit: 1_000 } }),
        typeFile('plain', name),
      ]),
      files: { 'mortise.config.json': '{ "api": { "pagination": { "defaultLimit": 3, "maxLimit": 4 } } }' },
    })
    const entries = ['a', 'b', 'c', 'd', 'e'].map((each) => ({ name: each }))
    for (const type of ['short', 'vast', 'plain']) {
      expectStatus(await service.admin.post(`/api/content/${type}/bulk-create`, entries), 201)
    }
  })
  after(() => service.stop())

  const rest = async (path: string) => expectStatus(await service.admin.get(`/api/content/${path}`), 200).body

  it('is the one of its schema file, never more than the settings allow, else that of the settings', async () => {
    for (const [type, size] of [
      ['short', 2],
      ['vast', 4],
      ['plain', 3],
    ] as const) {
      const { data, pagination } = await rest(type)
      assert.deepEqual([data.length, pagination.limit], [size, size], type)
      const { name: names } = (await rest(`${type}/distinct?field=name`)).data
      assert.equal(names.values.length, size, type)
    }
  })

  it('gives way to the limit of a request', async () => {
    assert.equal((await rest('short?limit=4')).data.length, 4)
  })

  it('is the same over GraphQL', async () => {
    const query = '{ shorts { data { id } } vasts { data { id } } plains { data { id } } }'
    const { data } = expectStatus(await service.admin.post('/api/graphql', { query }), 200).body
    assert.deepEqual(
      [data.shorts, data.vasts, data.plains].map((list) => list.data.length),
      [2, 4, 3],
    )
  })
})
