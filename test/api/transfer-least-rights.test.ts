import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import {
  differencesBetween,
  type Place,
  remoteOf,
  sendPackage,
  startPlace,
  tokenOf,
  transfer,
  transferSideOf,
} from '../contract/transfer-world.ts'
import { createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'

let here: Place
let there: Place
let key: string

const base = '/api/admin/transfer'
const peer = randomUUID()
const clientWith = async (...scopes: string[]) =>
  createClient(there.service.url, await tokenOf(there, scopes))
const header = async () => {
  const [own, theirs] = await Promise.all([transferSideOf(here).describe(), transferSideOf(there).describe()])
  return { format: 1, environment: own.environment, target: theirs.environment, missing: 'refuse' }
}

describe('a transfer with the least rights', () => {
  before(async () => {
    ;[here, there] = await Promise.all([startPlace('sqlite'), startPlace('sqlite')])
    const author = await there.create('author', { name: 'Secret author' })
    key = await there.uuidOf('author', author.id)
    await there.create('article', { title: 'Secret title', author: author.id })
  })
  after(() => Promise.all([here?.service.stop(), there?.service.stop()]))

  describe('whoever may transfer, and read nothing', () => {
    it('learns nothing, not even which sections there are', async () => {
      const client = await clientWith('admin:transfer:read', 'admin:transfer:write')
      const { body } = await client.get(base)
      assert.deepEqual(body.data.sections, [])
      const answersFor = async (section: string) => {
        const answers = await Promise.all([
          client.get(`${base}/items?section=${section}`),
          client.get(`${base}/items?section=${section}&beside=workflow`),
          client.post(`${base}/records`, { section, keys: [key] }),
          client.get(`${base}/agreements?section=${section}&peer=${peer}`),
          client.post(`${base}/agreements/find`, { section, peer, keys: [key] }),
          client.put(`${base}/agreements`, {
            ...{ peer, agreedAt: new Date().toISOString() },
            agreements: [{ section, key, own: null, theirs: null }],
          }),
          client.get(`${base}/file?section=${section}&key=${key}&offset=0`),
        ])
        return answers.map(({ status, body: { error } }) => [status, error.message.replaceAll(section, '…')])
      }
      const unknown = await answersFor('content:nothing')
      for (const [status] of unknown) assert.equal(status, 403)
      for (const section of ['content:author', 'content:article']) {
        const known = await answersFor(section)
        const readable = (text: unknown) => String(text).replace(/to read \S+ with/, 'to read … with')
        assert.deepEqual(
          known.map(([status, text]) => [status, readable(text)]),
          unknown.map(([status, text]) => [status, readable(text)]),
        )
      }
      for (const section of ['roles', 'webhooks', 'settings', 'schemas', 'media']) {
        for (const [status] of await answersFor(section)) assert.equal(status, 403, section)
      }
      assert.equal((await client.get(`${base}/releases/1`)).status, 404)
    })
  })

  describe('whoever may read one type', () => {
    it('is told of nothing else, and not of its authors without the right to see drafts', async () => {
      const client = await clientWith('admin:transfer:read', 'content:read:author')
      const { body } = await client.get(base)
      assert.deepEqual(
        body.data.sections.map(({ name }: { name: string }) => name),
        ['content:author'],
      )
      assert.equal((await client.get(`${base}/items?section=content:article`)).status, 403)
      const records = async (asking: typeof client) => {
        const answer = await asking.post(`${base}/records`, { section: 'content:author', keys: [key] })
        return answer.body.data.items[0]
      }
      assert.equal((await records(client)).value.data.name, 'Secret author')
      assert.equal((await records(client)).changedBy, undefined)
      const seeing = await clientWith('admin:transfer:read', 'content:read:author', 'content:drafts:author')
      assert.deepEqual((await records(seeing)).changedBy, { kind: 'admin', username: 'admin' })
    })

    it('cannot say what was agreed, which would decide what the next transfer overwrites', slow, async () => {
      await transfer(here, await remoteOf(there), transferSideOf(here))
      const [mine] = await here.list('author')
      await here.update('author', Number(mine?.id), { name: 'Mine' })
      const [theirs] = await there.list('author')
      await there.update('author', Number(theirs?.id), { name: 'Theirs' })
      const conflict = [`conflict content:author:${key}`]
      const differences = async () => differencesBetween(transferSideOf(here), await remoteOf(there))
      assert.deepEqual(await differences(), conflict)

      const scopes = ['admin:transfer:read', 'admin:transfer:write', 'content:read:author']
      const reading = await clientWith(...scopes)
      const [{ hash }] = (await reading.get(`${base}/items?section=content:author`)).body.data
      const { environment } = await transferSideOf(here).describe()
      const agreement = { section: 'content:author', key, own: hash, theirs: 'x'.repeat(43) }
      const told = { peer: environment, agreedAt: '2999-01-01T00:00:00.000Z', agreements: [agreement] }
      const refused = await reading.put(`${base}/agreements`, told)
      assert.deepEqual(
        [refused.status, refused.body.error.message],
        [403, 'not allowed: to agree on content:author takes the right to update'],
      )
      const line = { section: 'content:author', key, action: 'agree', before: hash, source: 'x'.repeat(43) }
      const { applied } = await sendPackage(there, await tokenOf(there, scopes), [await header(), line])
      assert.equal(applied.status, 200)
      assert.deepEqual(await differences(), conflict)

      const writing = await clientWith(...scopes, 'content:write:author')
      assert.equal((await writing.put(`${base}/agreements`, told)).status, 200)
      const found = await writing.post(`${base}/agreements/find`, {
        ...{ section: 'content:author', peer: environment, keys: [key] },
      })
      assert.ok(found.body.data[0].agreedAt <= new Date().toISOString(), 'no agreement is of the future')
    })
  })

  describe('roles', () => {
    it('that are built in stay, and none is removed without the right to', async () => {
      const remove = async (role: string, ...scopes: string[]) => {
        const [item] = await transferSideOf(there).find('roles', [role])
        const line = { section: 'roles', key: role, action: 'remove', before: item?.hash, source: null }
        const token = await tokenOf(there, ['admin:transfer:read', 'admin:transfer:write', ...scopes])
        return (await sendPackage(there, token, [await header(), line])).applied.status
      }
      await there.service.admin.post('/api/admin/roles', { name: 'custom', permissions: {} })
      assert.equal(await remove('custom', 'admin:roles:read'), 403)
      assert.equal(await remove('custom', 'admin:roles:write'), 403)
      for (const role of ['admin', 'editor', 'public']) {
        const status = await remove(role, 'admin:*')
        assert.ok(status === 403 || status === 409, `${role}: ${status}`)
      }
      assert.equal(await remove('custom', 'admin:roles:read', 'admin:roles:write'), 200)
    })
  })
})
