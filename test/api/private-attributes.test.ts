import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { allow, createAll, dataOf, signUp } from './content-world.ts'

const owner = { type: 'relation', relation: 'manyToOne', target: 'user' }

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'note' },
    attributes: {
      title: { type: 'string' },
      owner,
      owners: { ...owner, relation: 'manyToMany' },
      other: { ...owner, target: 'note' },
      part: { type: 'component', component: 'test.part' },
      parts: { type: 'component', component: 'test.part', repeatable: true },
      zone: { type: 'dynamicZone', components: ['test.part'] },
    },
  },
  'user.extension.json': {
    attributes: { remark: { type: 'string', private: true }, motto: { type: 'string' } },
  },
  'components/test.part.json': {
    uid: 'test.part',
    category: 'test',
    info: { displayName: 'part' },
    attributes: { text: { type: 'string' }, owner },
  },
}

const secrets = ['remark', 'email', 'passwordHash', 'password_hash', 'role', 'blocked', 'tokenVersion']

/** What leads to users, in the brackets of filters. */
const leads = [
  '[owner]',
  '[owners]',
  '[other][owner]',
  '[part][owner]',
  '[parts][owner]',
  '[zone][test.part][owner]',
]
const dotted = (lead: string) => lead.slice(1, -1).replaceAll('][', '.')

describe('private attributes of what relations lead to', () => {
  let service: TestService

  before(async () => {
    service = await startService({ schemas })
    const { admin } = service
    const world = { admin, anonymous: service, service, stop: async () => {} }
    const client = await signUp(world, 'ada')
    const { id } = dataOf(await client.get('/api/auth/me'))
    const part = { text: 'x', owner: id }
    await createAll(admin, 'note', [
      {
        title: 'x',
        owner: id,
        owners: [id],
        part,
        parts: [part],
        zone: [{ __component: 'test.part', ...part }],
      },
    ])
    await allow(world, 'public', { note: { read: true } })
  })
  after(() => service?.stop())

  const problemOf = async (query: string) => {
    const { status, body } = await service.get(`/api/content/note${query}`)
    return `${status} ${body.error?.details?.[0]?.code ?? ''}`
  }

  it('cannot be filtered, sorted or grouped by, and are as unknown as what is not there', slow, async () => {
    for (const lead of leads) {
      assert.equal(await problemOf(`?filters${lead}[username]=ada`), '200 ', lead)
      assert.equal(await problemOf(`/distinct?field=${dotted(lead)}.username`), '200 ', lead)
      for (const name of [...secrets, 'nothing']) {
        for (const path of ['?', '/aggregate?function=count&', '/distinct?field=title&ownFilters=false&']) {
          for (const condition of ['=x', '[$startsWith]=a', '[$null]=true', '[$not][$eq]=x']) {
            const query = `${path}filters${lead}[${name}]${condition}`
            assert.equal(await problemOf(query), '400 unknown', query)
          }
        }
        assert.equal(
          await problemOf(`/distinct?field=${dotted(lead)}.${name}`),
          '400 unknown',
          `${lead} ${name}`,
        )
      }
    }
    for (const name of [...secrets, 'nothing']) {
      for (const query of [
        `?sort=owner.${name}`,
        `?populate[owner][fields]=${name}`,
        `?populate[owner][filters][${name}][$startsWith]=a`,
        `?populate[owners][sort]=${name}`,
        `?populate[owners][filters][${name}]=x&populate[owners][total]=true&populate[owners][limit]=0`,
        `?populate[parts][populate][owner][filters][${name}]=x`,
      ]) {
        assert.equal(await problemOf(query), '400 unknown', query)
      }
    }
  })

  it('of accounts are for those who manage accounts', async () => {
    const world = { admin: service.admin, anonymous: service, service, stop: async () => {} }
    const owner = await signUp(world, 'eve')
    const own = dataOf(await owner.get('/api/auth/me'))
    assert.deepEqual([own.motto, 'remark' in own], [null, false])
    const path = `/api/admin/content-users/${own.id}`
    const changes = { remark: 'difficult', motto: 'Go on' }
    const changed = dataOf(await service.admin.put(path, changes))
    assert.deepEqual([changed.remark, changed.motto], ['difficult', 'Go on'])
    assert.equal(dataOf(await service.admin.get(path)).remark, 'difficult')
    assert.ok(!JSON.stringify((await owner.get('/api/auth/me')).body).includes('difficult'))
    const shown = await service.get('/api/content/note?populate=*')
    assert.ok(shown.status === 200 && !JSON.stringify(shown.body).includes('remark'))
  })

  it('have no name in GraphQL', async () => {
    const codeOf = async (query: string) =>
      (await service.post('/api/graphql', { query })).body.errors?.[0]?.extensions.code
    for (const name of secrets) {
      for (const inside of ['owner', 'owners', 'part.owner', 'zone.test.part.owner']) {
        const distinct = `{ notesDistinct(inside: ["${inside}.${name}"]) { _inside { hasMore } } }`
        assert.equal(await codeOf(distinct), 'VALIDATION_ERROR', distinct)
      }
      for (const query of [
        `{ notes(filters: { owner: { ${name}: { eq: "x" } } }) { data { id } } }`,
        `{ notes(filters: { parts: { owner: { ${name}: { eq: "x" } } } }) { data { id } } }`,
        `{ notes { data { owner { ${name} } } } }`,
        `{ notes(sort: "owner.${name}") { data { id } } }`,
      ]) {
        assert.notEqual(await codeOf(query), undefined, query)
      }
    }
  })
})
