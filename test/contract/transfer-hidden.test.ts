import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expectStatus, newUser } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { type Place, remoteOf, sendPackage, startPlace, tokenOf, type } from './transfer-world.ts'

const relation = (target: string) => ({ type: 'relation', relation: 'manyToOne', target })

const moreSchemas = {
  'vault.json': type('vault', { name: { type: 'string' } }),
  'news.json': type('news', { name: { type: 'string' } }, { draftAndPublish: true }),
  'note.json': type('note', {
    title: { type: 'string' },
    vault: relation('vault'),
    news: relation('news'),
    owner: relation('user'),
    parts: { type: 'component', component: 'test.part', repeatable: true },
  }),
  'components/test.part.json': {
    ...{ uid: 'test.part', category: 'test', info: { displayName: 'Part' } },
    attributes: { vault: relation('vault') },
  },
}

const scopes = [
  ...['admin:transfer:read', 'admin:transfer:write', 'content:read:note', 'content:write:note'],
  'content:read:news',
]

eachDatabase(({ name }) => {
  describe('what a caller may not see', () => {
    let place: Place
    let vault: string
    let username: string
    let header: object
    let token: string
    before(async () => {
      place = await startPlace(name, {}, moreSchemas)
      vault = await place.uuidOf('vault', (await place.create('vault', { name: 'Hidden' })).id)
      username = (await newUser(place.service)).username
      const { environment: target } = await place.side.describe()
      header = { format: 1, environment: randomUUID(), target }
      token = await tokenOf(place, scopes)
    })
    after(() => place.service.stop())

    const put = (data: object, by: string, missing: string, more = {}) => {
      const key = randomUUID()
      const line = { section: 'content:note', key, action: 'put', before: null, source: 'x'.repeat(43) }
      return sendPackage(place, by, [
        { ...header, missing },
        { ...line, value: { data }, ...more },
      ])
    }
    const notes = async () =>
      (await place.list('note')).map(
        ({ id: _, uuid: __, created_at: ___, updated_at: ____, ...note }) => note,
      )

    it('is not here for a package that refers to it, whether it exists or not', async () => {
      const draft = await place.uuidOf('news', (await place.create('news', { name: 'Draft' })).id)
      const guesses: [(key: string) => object, string, string][] = [
        [(key) => ({ vault: key }), vault, randomUUID()],
        [(key) => ({ news: key }), draft, randomUUID()],
        [(key) => ({ owner: key }), username, 'nobody'],
        [(key) => ({ parts: [{ id: 'a', vault: key }] }), vault, randomUUID()],
      ]
      for (const [dataOf, there, missing] of guesses) {
        const told: unknown[] = []
        for (const key of [there, missing]) {
          const refused = (await put({ title: 'x', ...dataOf(key) }, token, 'refuse')).applied
          const { message, details } = expectStatus(refused, 409).body.error
          told.push(
            JSON.stringify([message, details])
              .replaceAll(key, 'KEY')
              .replace(/note:[^ "]+/g, 'note'),
          )
          expectStatus((await put({ title: 'x', ...dataOf(key) }, token, 'drop')).applied, 200)
        }
        assert.equal(told[0], told[1])
        const [one, other] = (await notes()).slice(-2)
        assert.deepEqual(one, other)
      }
      const all = await tokenOf(place)
      expectStatus(
        (await put({ title: 'All', vault, news: draft, owner: username }, all, 'refuse')).applied,
        200,
      )
      const last = (await notes()).at(-1)
      assert.ok(last?.vault !== null && last?.news !== null && last?.owner !== null, JSON.stringify(last))
    })

    it('stays where an entry refers to it, and what is public is here', async () => {
      const hidden = await place.create('vault', { name: 'Stays' })
      const news = await place.create('news', { name: 'Public' })
      await place.publish('news', news.id)
      const note = await place.create('note', {
        title: 'Old',
        vault: hidden.id,
        parts: [{ vault: hidden.id }],
      })
      const key = await place.uuidOf('note', note.id)
      const side = await remoteOf(place, scopes)
      const [item] = await side.find('content:note', [key])
      assert.ok(item !== undefined)
      const { data } = item.value as { data: object }
      const changed = { ...data, title: 'New', news: await place.uuidOf('news', news.id) }
      const line = { key, before: item.hash }
      expectStatus((await put(changed, token, 'refuse', line)).applied, 200)
      const [now] = await place.list('note', `&filters[id]=${note.id}`)
      assert.deepEqual([now?.title, now?.vault, now?.news], ['New', hidden.id, news.id])
      assert.match(JSON.stringify(now?.parts), new RegExp(`"vault":${hidden.id}\\b`))
    })
  })
})
