import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { onEachVersion, type Version } from '../support/versions.ts'

const schemasWith = (attributes: object) => ({
  'page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options: { draftAndPublish: true, draftOverlay: true },
    attributes: { title: { type: 'string' }, ...attributes },
  },
})

/** A field before and after a release, and a value in both forms. */
const conversions: Readonly<
  Record<string, readonly [from: object, to: object, before: unknown, after: unknown]>
> = {
  integerAsDecimal: [{ type: 'integer' }, { type: 'decimal' }, 5, 5],
  integerAsText: [{ type: 'integer' }, { type: 'string' }, 5, '5'],
  integerAsBigint: [{ type: 'integer' }, { type: 'bigint' }, 5, 5],
  decimalAsText: [{ type: 'decimal' }, { type: 'string' }, 1.5, '1.5'],
  bigAsText: [{ type: 'bigint' }, { type: 'string' }, '9007199254740993', '9007199254740993'],
  dayAsTime: [{ type: 'date' }, { type: 'datetime' }, '2026-01-31', '2026-01-31T00:00:00.000Z'],
  dayAsText: [{ type: 'date' }, { type: 'string' }, '2026-01-31', '2026-01-31'],
  stringAsText: [{ type: 'string' }, { type: 'text' }, 'a', 'a'],
  longDecimal: [{ type: 'decimal' }, { type: 'decimal' }, '9007199254740992', '9007199254740992'],
}

const attributesOf = (side: 0 | 1) =>
  Object.fromEntries(Object.entries(conversions).map(([name, sides]) => [name, sides[side]]))
const valuesOf = (side: 2 | 3) =>
  Object.fromEntries(Object.entries(conversions).map(([name, sides]) => [name, sides[side]]))

eachDatabase((database) => {
  const path = '/api/content/page'

  const withVersions = (...versions: readonly Version[]) => onEachVersion(database, versions)

  const add = async ({ admin }: TestService, data: object): Promise<number> =>
    expectStatus(await admin.post(path, data), 201).body.data.id
  const publish = ({ admin }: TestService, id: number) => admin.put(`${path}/${id}/publish`)
  const shown = (entry: Record<string, unknown>) =>
    Object.fromEntries(Object.keys(conversions).map((name) => [name, entry[name]]))

  describe('what was written before a release that changes types safely', () => {
    it('can be published and restored', slow, async () => {
      let [id, plain] = [0, 0]
      await withVersions(
        [
          schemasWith(attributesOf(0)),
          async (service) => {
            id = await add(service, { title: 'public' })
            expectStatus(await publish(service, id), 200)
            expectStatus(await service.admin.put(`${path}/${id}`, valuesOf(2)), 200)
            plain = await add(service, { title: 'plain', ...valuesOf(2) })
            const cleared = Object.fromEntries(Object.keys(conversions).map((name) => [name, null]))
            expectStatus(await service.admin.put(`${path}/${plain}`, cleared), 200)
          },
        ],
        [
          schemasWith(attributesOf(1)),
          async (service) => {
            const { admin } = service
            assert.deepEqual((await admin.get('/api/database/preview')).body.data, [])
            const draft = expectStatus(await admin.get(`${path}/${id}?draft=true`), 200).body.data
            assert.deepEqual(shown(draft), valuesOf(3))
            assert.deepEqual(shown(expectStatus(await publish(service, id), 200).body.data), valuesOf(3))
            const { body } = await admin.get(`${path}/${plain}/revisions`)
            const first = body.data.at(-1)
            const restored = await admin.post(`${path}/${plain}/revisions/${first.id}/restore`, {})
            expectStatus(restored, 200)
            assert.deepEqual(restored.body.data._leftOut ?? [], [])
            assert.deepEqual(
              shown(expectStatus(await admin.get(`${path}/${plain}`), 200).body.data),
              valuesOf(3),
            )
          },
        ],
      )
    })
  })

  describe('a draft with a value that its type does not accept any more', slow, () => {
    it('is not published, whether it is an entry or beside one', async () => {
      const withColours = (...colours: string[]) => schemasWith({ colour: { type: 'enum', enum: colours } })
      let [plain, beside, old] = [0, 0, 0]
      await withVersions(
        [
          withColours('red', 'green'),
          async (service) => {
            plain = await add(service, { colour: 'green' })
            beside = await add(service, { colour: 'red' })
            old = await add(service, { colour: 'green' })
            for (const id of [beside, old]) expectStatus(await publish(service, id), 200)
            expectStatus(await service.admin.put(`${path}/${beside}`, { colour: 'green' }), 200)
          },
        ],
        [
          withColours('red'),
          async (service) => {
            const { admin } = service
            for (const id of [plain, beside]) {
              const { status, body } = await publish(service, id)
              assert.equal(status, 400, JSON.stringify(body))
              const problems = body.error.details.map(
                ({ path, code }: Record<string, string>) => `${path} ${code}`,
              )
              assert.deepEqual(problems, ['colour enum'])
            }
            const together = await admin.post(`${path}/bulk-publish`, { ids: [plain] })
            assert.equal(together.status, 400)
            expectStatus(await admin.put(`${path}/${plain}`, { colour: 'red' }), 200)
            expectStatus(await publish(service, plain), 200)
            // What is public already may be older than the schema.
            expectStatus(await admin.put(`${path}/${old}`, { title: 'new' }), 200)
            expectStatus(await publish(service, old), 200)
          },
        ],
      )
    })
  })
})
