import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { seed } from '../api/content-seeds.ts'
import { addMedia, allow, dataOf, useContent, withScopes } from '../api/content-world.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { ask, codesIn, countStatements, post } from './graphql-world.ts'

eachDatabase(({ name }) => {
  describe('GraphQL and distinct values', () => {
    const world = useContent(name)
    before(async () => {
      await seed(world)
      await allow(world, 'public', { sample: { read: true }, person: { read: true } })
    })

    const rest = async (client: Client, query: string) =>
      dataOf(await client.get(`/api/content/sample/distinct?${query}`)) as object

    it('are those of REST, of the fields that are selected', slow, async () => {
      const values = '{ values { value count } hasMore }'
      for (const [args, query] of [
        ['', ''],
        ['(sort: "value:desc", limit: 2, offset: 1)', '&sort=value:desc&limit=2&offset=1'],
        ['(filters: { kind: { eq: red } }, ownFilters: false)', '&filters[kind]=red&ownFilters=false'],
        ['(filters: { kind: { eq: red } })', '&filters[kind]=red'],
        ['(limit: 0)', '&limit=0'],
      ] as const) {
        const document = `{ sampleListDistinct${args} { kind ${values} count ${values} owner ${values} tags ${values} day ${values} big ${values} price ${values} isOn ${values} } }`
        for (const client of [world.admin]) {
          const { sampleListDistinct } = await ask(client, document)
          const fields = 'kind,count,owner,tags,day,big,price,isOn'
          assert.deepEqual(sampleListDistinct, await rest(client, `field=${fields}${query}`), args)
        }
      }
      const own = await ask(world.anonymous, `{ sampleListDistinct { owner ${values} } }`)
      assert.deepEqual(own.sampleListDistinct, await rest(world.anonymous, 'field=owner'))
    })

    it('have the entries that they refer to, with one statement', async () => {
      const document =
        '{ sampleListDistinct { owner { values { value entry { ... on Person { id name } } } } } }'
      const { sampleListDistinct } = await ask(world.admin, document)
      const { values } = sampleListDistinct.owner
      assert.ok(values.length > 2)
      for (const { value, entry } of values) assert.equal(entry?.id ?? null, value)
      assert.equal(await countStatements(world.service, () => ask(world.admin, document)), 2)
    })

    it('are those of REST inside of components, zones, JSON and related entries', async () => {
      const paths = ['seo.title', 'links.label', 'links.person', 'blocks.test.menu.links.label', 'data.index']
      const more = ['owner.name', 'tags.name', 'owner.boss.age']
      for (const [args, query] of [
        ['', ''],
        [', sort: "value", limit: 2, offset: 1', '&sort=value&limit=2&offset=1'],
        [
          ', filters: { seo: { title: { ne: "SEO 0" } } }, ownFilters: false',
          '&filters[seo][title][$ne]=SEO 0&ownFilters=false',
        ],
      ] as const) {
        const all = [...paths, ...more]
        const document = `{ sampleListDistinct(inside: ${JSON.stringify(all)}${args}) { _inside { path values { value count } hasMore } } }`
        const { sampleListDistinct } = await ask(world.admin, document)
        const found = await rest(world.admin, `field=${all}${query}`)
        assert.deepEqual(
          sampleListDistinct._inside,
          all.map((path) => ({ path, ...(found as Record<string, object>)[path] })),
        )
      }
      const { sampleListDistinct } = await ask(
        world.admin,
        '{ sampleListDistinct(inside: ["links.person"]) { _inside { values { value entry { ... on Person { id } } } } kind { hasMore } } }',
      )
      const [{ values }] = sampleListDistinct._inside
      assert.ok(values.length > 2)
      for (const { value, entry } of values) assert.equal(entry?.id ?? null, value)
    })

    it('are refused as by REST', async () => {
      for (const args of [
        'sort: "size"',
        'limit: -1',
        'offset: -1',
        'filters: { title: { in: [] } }, limit: 1.5',
      ]) {
        const answer = await post(world.admin, `{ sampleListDistinct(${args}) { kind { hasMore } } }`)
        assert.deepEqual([answer.status, codesIn(answer)[0]], [400, 'VALIDATION_ERROR'], args)
      }
      const many = await ask(world.admin, '{ __type(name: "SampleDistinct") { fields { name } } }')
      const all = many.__type.fields.map((field: { name: string }) => `${field.name} { hasMore }`)
      assert.ok(all.length > 10)
      const tooMany = await post(world.admin, `{ sampleListDistinct { ${all.join(' ')} } }`)
      assert.deepEqual([tooMany.status, ...codesIn(tooMany)], [400, 'VALIDATION_ERROR'])
      const closed = await post(world.anonymous, '{ sampleListDistinct { tags { hasMore } } }')
      assert.deepEqual([closed.status, ...codesIn(closed)], [401, 'UNAUTHENTICATED'])
      for (const path of ['tags.name', 'tags.nothing', 'links.tags']) {
        const inside = `{ sampleListDistinct(inside: ["${path}"]) { _inside { hasMore } } }`
        const refused = await post(world.anonymous, inside)
        assert.deepEqual([refused.status, ...codesIn(refused)], [401, 'UNAUTHENTICATED'], path)
      }
      for (const path of ['seo', 'seo.nothing', 'data', 'owner.nothing', 'blocks.links.label']) {
        const inside = `{ sampleListDistinct(inside: ["${path}"]) { _inside { hasMore } } }`
        assert.deepEqual(codesIn(await post(world.anonymous, inside)), ['VALIDATION_ERROR'], path)
      }
      const drafts = await post(
        world.anonymous,
        '{ personListDistinct(published: false) { name { hasMore } } }',
      )
      assert.deepEqual([drafts.status, ...codesIn(drafts)], [403, 'FORBIDDEN'])
    })
  })
})

describe('GraphQL for tokens of the media library', () => {
  const world = useContent('sqlite')

  it('has the fields of media, and no others', async () => {
    await addMedia(world, ['a.png'])
    const reader = await withScopes(world, 'media:read')
    const { media } = await ask(reader, '{ media { data { filename } } }')
    assert.deepEqual(media.data, [{ filename: 'a.png' }])
    for (const document of [
      '{ personList { data { id } } }',
      '{ search(q: "x") { data { id } } }',
      '{ nope }',
      'mutation { deleteMedia(id: 1) { data { id } } }',
      'mutation { createPerson(data: { name: "x" }) { data { id } } }',
    ]) {
      const refused = await post(reader, document)
      assert.deepEqual([refused.status, ...codesIn(refused)], [403, 'FORBIDDEN'], document)
    }
    const { __schema } = await ask(
      reader,
      '{ __schema { queryType { fields { name } } mutationType { fields { name } } types { name } } }',
    )
    const names = __schema.queryType.fields.map((field: { name: string }) => field.name)
    assert.deepEqual(names.sort(), ['media', 'mediaFile', 'mediaFolders'])
    assert.equal(__schema.mutationType, null)
    assert.doesNotMatch(JSON.stringify(__schema.types), /Person|Sample|Tag/)
    const deleter = await withScopes(world, 'media:delete')
    const gone = await ask(deleter, 'mutation { deleteMedia(id: 1) { data { id } } }')
    assert.deepEqual(gone, { deleteMedia: { data: { id: 1 } } })
    const hidden = await post(deleter, '{ __schema { queryType { name } } }')
    assert.deepEqual(codesIn(hidden), ['FORBIDDEN'])
  })
})
