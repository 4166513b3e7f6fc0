import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { contentReadMiddleware, type EntryPage } from '../../core-plugins/entries/content/content.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { allow, signUp, withScopes } from '../api/content-world.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { add, finishJobs, found, search, startSearch } from './search-world.ts'

const publish = async (client: Client, id: number, publishedAt?: string) =>
  expectStatus(
    await client.put(`/api/content/story/${id}/publish`, publishedAt === undefined ? {} : { publishedAt }),
    200,
  )

eachDatabase(({ name: database }) => {
  describe('search', () => {
    let service: TestService
    let admin: Client

    before(async () => {
      service = await startSearch({ database })
      // Indexing at the start takes documents out and puts them in again; InnoDB shows the instant in between.
      await finishJobs(service)
      admin = service.admin
    })
    after(() => service?.stop())

    it('finds words wherever they stand, those in the title first', async () => {
      const inBody = await add(admin, 'story', { title: 'Nothing', body: '<p>A <b>zebra</b> crossing</p>' })
      const inTitle = await add(admin, 'story', { title: 'Zebra', body: 'stripes' })
      const inComponent = await add(admin, 'story', { title: 'x', quote: { text: 'no zebra', by: 'me' } })
      const inZone = await add(admin, 'story', {
        title: 'y',
        blocks: [{ __component: 'test.list', quotes: [{ text: 'one' }, { text: 'ZEBRAS & <co>' }] }],
      })
      const teller = await add(admin, 'teller', { name: 'Zébra Smith' })
      const { hits, total } = await search(admin, 'zebra')
      assert.equal(total, 5)
      assert.deepEqual(
        hits.map(({ type, id }) => `${type} ${id}`).sort(),
        [
          `story ${inBody}`,
          `story ${inTitle}`,
          `story ${inComponent}`,
          `story ${inZone}`,
          `teller ${teller}`,
        ].sort(),
      )
      assert.deepEqual(
        hits
          .slice(0, 2)
          .map(({ title }) => title)
          .sort(),
        ['Zebra', 'Zébra Smith'],
      )
      const highlights = new Map(hits.map((hit) => [`${hit.type} ${hit.id}`, hit.highlights]))
      assert.deepEqual(highlights.get(`story ${inBody}`), { body: ' A <mark>zebra</mark> crossing ' })
      assert.deepEqual(highlights.get(`teller ${teller}`), { name: '<mark>Zébra</mark> Smith' })
      assert.deepEqual(highlights.get(`story ${inComponent}`), { 'quote.text': 'no <mark>zebra</mark>' })
      assert.deepEqual(highlights.get(`story ${inZone}`), {
        'blocks.0.quotes.1.text': '<mark>ZEBRAS</mark> &amp; &lt;co&gt;',
      })
      const read = await admin.get(`/api/content/story/${inZone}`)
      assert.deepEqual(hits.find(({ id, type }) => type === 'story' && id === inZone)?.entry, read.body.data)
    })

    it('takes phrases, exclusions and beginnings of the last word', async () => {
      const one = `scrap ${await add(admin, 'scrap', { text: 'the quick brown fox jumped' })}`
      const two = `scrap ${await add(admin, 'scrap', { text: 'the brown quick fox jumps' })}`
      const three = `scrap ${await add(admin, 'scrap', { text: 'foxes: quick-brown things of the 日本語テスト kind' })}`
      const cases: [string, string[]][] = [
        ['quick fox', [one, two, three]],
        ['"quick brown"', [one, three]],
        ['quick-brown', [one, three]],
        ['"brown quick" fox', [two]],
        ['fox -jumping', [one, two, three]],
        ['fox -jumps', [one, three]],
        ['quick -"quick brown"', [two]],
        ['-jumps fox', [one, three]],
        ['jumping', [one, two]],
        ['bro', [one, two, three]],
        ['bro ', []],
        ['"bro"', []],
        ['bro fox', []],
        ['本語', [three]],
        ['語本', []],
        ['the', [one, two, three]],
        ['of the', [three]],
        ['o', [three]],
        ['the -the', []],
        ['-fox', []],
        ['QUICK fOx', [one, two, three]],
      ]
      for (const [query, expected] of cases) {
        assert.deepEqual(await found(admin, query, '&types=scrap'), expected, query)
      }
    })

    it('takes beginnings anywhere, as far as it is told', async () => {
      const one = `scrap ${await add(admin, 'scrap', { text: 'battery charger of wolverines' })}`
      const two = `scrap ${await add(admin, 'scrap', { text: 'batteries charged by лисица 日本語' })}`
      const cases: [string, string, string[]][] = [
        ['batt* wolv*', '', [one]],
        ['batt* charg* ', '', [one, two]],
        ['batt charg', '', []],
        ['batt charg', 'all', [one, two]],
        ['batt wolv ', 'all', [one]],
        ['"batt" wolv', 'all', []],
        ['"batt*" wolv', '', []],
        ['batt*', 'none', [one, two]],
        ['batt', 'none', []],
        ['charg* -wolv*', '', [two]],
        ['charg* -wolv', 'all', [one, two]],
        // Too short to be the beginnings of several words.
        ['ba charger', 'all', []],
        ['charger ba', 'all', [one]],
        ['ba* wolv*', '', [one]],
        ['лис* batt*', '', [two]],
        ['日* 本* 語* batt*', '', [two]],
        ['charger-wolv*', '', []],
        ['batt * wolv*', '', []],
      ]
      for (const [query, prefix, expected] of cases) {
        const more = `&types=scrap${prefix === '' ? '' : `&prefix=${prefix}`}`
        assert.deepEqual(await found(admin, query, more), expected, `${query} ${prefix}`)
      }
      const many = Array.from({ length: 32 }, (_, index) => `bat${index % 10}*`).join(' ')
      assert.deepEqual(await found(admin, many), [])
      for (const query of ['q=a*+b*+c*', 'q=a&prefix=some', 'q=a&prefix=']) {
        assert.equal((await admin.get(`/api/search?${query}`)).status, 400, query)
      }
      const { hits } = await search(admin, 'wolv* charg* ')
      assert.deepEqual(hits[0]?.highlights, {
        text: 'battery <mark>charger</mark> of <mark>wolverines</mark>',
      })
    })

    it('looks in certain fields only', async () => {
      const zone = [{ __component: 'test.list', quotes: [{ text: 'a red lynx', by: 'the caracal' }] }]
      const one = `story ${await add(admin, 'story', { title: 'Lynx running', lead: 'a caracal', blocks: zone })}`
      const two = `story ${await add(admin, 'story', { title: 'A caracal', body: '<p>lynx red</p>' })}`
      const three = `story ${await add(admin, 'story', { title: 'serval', quote: { text: 'lynx', by: 'caracal' } })}`
      const four = `teller ${await add(admin, 'teller', { name: 'Lynx' })}`
      const cases: [string, string, string[]][] = [
        ['lynx', 'title', [one]],
        ['lynx', 'name', [four]],
        ['lynx', 'title,name', [one, four]],
        ['lynx caracal', 'title,lead', [one]],
        ['lynx caracal', 'title', []],
        ['run ', 'title', [one]],
        ['run', 'lead', []],
        ['"lynx running"', 'title', [one]],
        ['"lynx red"', 'body', [two]],
        ['"red lynx"', 'body', []],
        ['"red lynx"', 'blocks.quotes.text', [one]],
        ['lynx', 'blocks.quotes.by', []],
        ['lynx', 'blocks', [one]],
        ['lynx', 'blocks.text', []],
        ['caracal', 'quote', [three]],
        ['caracal', 'quote.text', []],
        ['lynx', 'quote, body', [two, three]],
        ['lyn', 'title', [one]],
        ['lyn* runn*', 'title', [one]],
        ['caracal -lynx', 'title,body', []],
        ['caracal -lynx', 'title', [two]],
      ]
      for (const [query, fields, expected] of cases) {
        assert.deepEqual(
          await found(admin, query, `&fields=${fields}`),
          expected.sort(),
          `${query} in ${fields}`,
        )
      }
      const { hits } = await search(admin, 'caracal', '&fields=lead')
      assert.deepEqual(hits[0]?.highlights, { lead: 'a <mark>caracal</mark>' })
    })

    it('takes whatever comes', async () => {
      const queries = [
        ...[
          '"',
          '""',
          '-',
          '*',
          '(',
          ')',
          '+',
          '~',
          '@',
          '<',
          '>',
          '\\',
          "'",
          '%',
          '_',
          '&',
          '|',
          '!',
          ':*',
          '<->',
        ],
        ...[
          'a AND',
          'NEAR(a b)',
          'title: x',
          'a OR b',
          '{a b}',
          '^a',
          '+a -b >c <d ~e *f @g',
          "a'::tsquery",
          '" or 1=1 --',
        ],
        ...['the', 'a', 'i', 'und', 'zzz', 'zqfox', '🎈', '\u0301', '\ufffd', 'x'.repeat(1_000)],
        ...['"'.repeat(999), '-'.repeat(999), `"${'a '.repeat(99)}"`, '日'.repeat(100), 'é'.repeat(500)],
      ]
      for (const query of queries) {
        const { status } = await admin.get(`/api/search?q=${encodeURIComponent(query)}`)
        assert.equal(status, 200, query)
      }
      const refused = [
        '',
        `q=`,
        `q=${'x'.repeat(10_000)}`,
        'q=a&limit=-1',
        'q=a&offset=x',
        'q=a&nonsense=1',
        'q=a%00b',
      ]
      for (const query of [
        ...refused,
        `q="${'a+'.repeat(101)}"`,
        `q=${encodeURIComponent('日'.repeat(101))}`,
        `q=${'ab%20'.repeat(40)}`,
        'q=a&types=nothing',
        'q[a]=1',
        'q=a&fields=',
        `q=a&fields=${'title,'.repeat(200)}`,
      ]) {
        assert.equal((await admin.get(`/api/search?${query}`)).status, 400, query)
      }
      assert.deepEqual(await search(admin, 'and', '&types=number'), { hits: [], total: 0, hasMore: false })
    })

    it('follows every write, and nothing that is rolled back', async () => {
      const id = await add(admin, 'scrap', { text: 'alpha walrus' })
      const other = await add(admin, 'scrap', { text: 'beta walrus' })
      const path = `/api/content/scrap/${id}`
      assert.equal((await search(admin, 'walrus')).total, 2)
      expectStatus(await admin.put(path, { text: 'alpha seal' }), 200)
      assert.deepEqual(await found(admin, 'walrus'), [`scrap ${other}`])
      assert.deepEqual(await found(admin, 'seal'), [`scrap ${id}`])
      expectStatus(await admin.delete(path), 200)
      assert.deepEqual(await found(admin, 'seal'), [])
      expectStatus(await admin.post(`${path}/restore`), 200)
      assert.deepEqual(await found(admin, 'seal'), [`scrap ${id}`])
      const bulk = { ids: [id, other, 999_999], data: { text: 'gamma walrus' } }
      expectStatus(await admin.patch('/api/content/scrap/bulk-update', bulk), 404)
      assert.deepEqual(await found(admin, 'gamma'), [])
      expectStatus(await admin.patch('/api/content/scrap/bulk-update', { ...bulk, ids: [id, other] }), 200)
      assert.equal((await search(admin, 'gamma walrus')).total, 2)
      expectStatus(await admin.delete('/api/content/scrap/bulk-delete', { ids: [id, other] }), 200)
      assert.deepEqual(await found(admin, 'walrus'), [])
    })

    it('shows nobody what they may not read, not even in totals', async () => {
      const world = { service, admin, anonymous: service, stop: async () => undefined }
      assert.equal((await service.get('/api/search?q=x')).status, 401)
      const reader = await signUp(world, `reader-${database}`)
      assert.equal((await reader.get('/api/search?q=x')).status, 403)
      await allow(world, 'authenticated', { story: { read: true }, scrap: { read: true } })
      const draft = await add(admin, 'story', { title: 'Okapi one' })
      const published = await add(admin, 'story', { title: 'Okapi two' })
      const scheduled = await add(admin, 'story', { title: 'Okapi three' })
      const teller = await add(admin, 'teller', { name: 'Okapi four' })
      await publish(admin, published)
      await publish(admin, scheduled, '2999-01-01T00:00:00Z')
      const all = [`story ${draft}`, `story ${published}`, `story ${scheduled}`, `teller ${teller}`].sort()
      assert.deepEqual(await found(admin, 'okapi'), all)
      assert.deepEqual(await found(reader, 'okapi'), [`story ${published}`])
      assert.deepEqual(await found(await withScopes(world, 'content:read'), 'okapi'), [
        `story ${published}`,
        `teller ${teller}`,
      ])
      assert.deepEqual(await found(await withScopes(world, 'content:read', 'content:write'), 'okapi'), all)
      assert.equal((await (await withScopes(world, 'media:read')).get('/api/search?q=okapi')).status, 403)
      assert.equal((await reader.get('/api/search?q=okapi&types=teller')).status, 403)
      assert.deepEqual(await found(reader, 'okapi', '&types=story,scrap'), [`story ${published}`])
      expectStatus(await admin.put(`/api/content/story/${published}/unpublish`, {}), 200)
      assert.deepEqual(await found(reader, 'okapi'), [])
      await publish(admin, draft, '2020-01-01T00:00:00Z')
      assert.deepEqual(await found(reader, 'okapi'), [`story ${draft}`])
    })

    it('says which fields nobody has, and nothing of those that are hidden', async () => {
      const refused = async (client: Client, query: string) => {
        const { body } = expectStatus(await client.get(`/api/search?${query}`), 400)
        return body.error.details.map(({ path, message }: Record<string, string>) => `${path}: ${message}`)
      }
      const none = (name: string) => `fields: none of the searched types has a text field ${name}`
      assert.deepEqual(await refused(admin, 'q=x&fields=title,nothing,age,id,secret,quote.nothing'), [
        ...['nothing', 'age', 'id', 'secret', 'quote.nothing'].map(none),
      ])
      assert.deepEqual(await refused(admin, 'q=x&fields=title&types=teller'), [none('title')])
      assert.deepEqual(await refused(admin, `q=x&fields=${'%25'},*`), [none('%'), none('*')])
      const world = { service, admin, anonymous: service, stop: async () => undefined }
      const reader = await signUp(world, `field-reader-${database}`)
      await allow(world, 'authenticated', { scrap: { read: true } })
      assert.deepEqual(await refused(reader, 'q=x&fields=text,name'), [none('name')])
      const words = Array.from({ length: 32 }, (_, index) => `word${index}`).join('+')
      assert.match(
        (await refused(admin, `q=${words}&fields=title,lead,body,blocks,quote,name,text`)).join(),
        /at most 256/,
      )
    })

    it('goes page by page', async () => {
      for (let index = 0; index < 7; index += 1) await add(admin, 'scrap', { text: `gnu ${index}` })
      const pages = await Promise.all(
        [0, 3, 6, 9].map((offset) => search(admin, 'gnu', `&limit=3&offset=${offset}`)),
      )
      assert.deepEqual(
        pages.map(({ hits, total, hasMore }) => [hits.length, total, hasMore]),
        [
          [3, 7, true],
          [3, 7, true],
          [1, 7, false],
          [0, 7, false],
        ],
      )
      assert.equal(new Set(pages.flatMap(({ hits }) => hits.map(({ id }) => id))).size, 7)
    })

    it('keeps very long texts', async () => {
      const words = Array.from({ length: 30_000 }, (_, index) => `word${index}`).join(' ')
      const id = await add(admin, 'scrap', { text: `${words} ${'long'.repeat(10_000)}` })
      // InnoDB writes what is new of large texts to its index in the background, and shows it a moment later.
      await until(async () => (await search(admin, '"word0 word1 word2"')).total === 1)
      assert.deepEqual(await found(admin, 'word15000 '), [`scrap ${id}`])
    })
  })
})

describe('search and read middleware', slow, () => {
  it('show what the middleware makes of entries, and leave out what it hides', async () => {
    const name = 'keeps-secrets'
    const secretive = definePlugin({
      name,
      description: 'Hides what is called a secret',
      register({ contribute }) {
        contribute(contentReadMiddleware, {
          name,
          matches: ({ type, operation }) => type.name === 'scrap' && operation === 'list',
          async run(_context, next) {
            const page = (await next()) as EntryPage
            const shown = page.entries.filter(({ text }) => !String(text).startsWith('secret'))
            return { ...page, entries: shown.map((entry) => ({ ...entry, seen: true })) }
          },
        })
      },
    })
    const service = await startSearch({ plugins: [secretive] })
    for (const text of ['secret ibis', 'open ibis']) await add(service.admin, 'scrap', { text })
    const { hits } = await search(service.admin, 'ibis')
    await service.stop()
    assert.deepEqual(
      hits.map(({ entry }) => [entry.text, entry.seen]),
      [['open ibis', true]],
    )
  })
})
