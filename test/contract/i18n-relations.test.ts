import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus, problemsOf } from '../api/auth-callers.ts'
import { ask } from '../graphql/graphql-world.ts'
import type { Client } from '../support/client.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { dataOf, type Entry, i18nEnv, speak, typeFile } from './i18n-world.ts'

const localized = { pluginOptions: { i18n: { localized: true } } }
const relation = (kind: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target },
  ...more,
})

/** Topics and posts have locales; shops have none, but lead to topics. */
const schemas = {
  ...typeFile(
    'topic',
    { draftAndPublish: true, i18n: { enabled: true, locales: ['en', 'de', 'fr', 'it'] } },
    {
      name: { type: 'string', ...localized },
      parent: relation('manyToOne', 'topic'),
      posts: relation('oneToMany', 'post', { mappedBy: 'topic' }),
      tagged: relation('manyToMany', 'post', { mappedBy: 'topics' }),
    },
  ),
  ...typeFile(
    'post',
    { draftAndPublish: true, i18n: { enabled: true, locales: ['en', 'de', 'fr'] } },
    {
      title: { type: 'string', ...localized },
      rank: { type: 'integer' },
      topic: relation('manyToOne', 'topic', { inversedBy: 'posts' }),
      topics: relation('manyToMany', 'topic', { inversedBy: 'tagged' }),
      own: relation('manyToMany', 'topic', localized),
      hint: { type: 'component', component: 'part.link' },
      body: { type: 'dynamicZone', components: ['part.link'] },
    },
  ),
  ...typeFile(
    'shop',
    {},
    { topic: relation('manyToOne', 'topic'), hint: { type: 'component', component: 'part.link' } },
  ),
  ...typeFile('plain', {}, { name: { type: 'string' } }),
  'components/part.link.json': {
    uid: 'part.link',
    category: 'part',
    info: { displayName: 'Link' },
    attributes: { topic: relation('manyToOne', 'topic'), topics: relation('manyToMany', 'topic') },
  },
}

const namesOf = (entries: readonly Entry[]) => entries.map(({ name, title }) => name ?? title)

eachDatabase(({ name: database }) => {
  let service: TestService
  let say: ReturnType<typeof speak>

  before(async () => {
    service = await startService({ database, schemas, env: i18nEnv })
    say = speak(service.admin)
    const roles: { id: number; name: string }[] = dataOf(await service.admin.get('/api/admin/roles'))
    const permissions = {
      content: { topic: { read: true }, post: { read: true }, shop: { read: true } },
      media: {},
    }
    const publicId = roles.find(({ name }) => name === 'public')?.id
    expectStatus(await service.admin.put(`/api/admin/roles/${publicId}`, { permissions }), 200)
  })
  after(() => service?.stop())

  /** A topic in the locales that are named, those with a star as drafts: `en de* fr`. */
  async function topic(name: string, locales: string, more: object = {}): Promise<Record<string, number>> {
    return versions('topic', { name, ...more }, 'name', locales)
  }
  async function versions(type: string, data: Record<string, unknown>, field: string, locales: string) {
    const ids: Record<string, number> = {}
    for (const each of locales.split(' ')) {
      const locale = each.replace('*', '')
      const first = Object.values(ids)[0]
      const own = { locale, [field]: `${data[field]} ${locale}` }
      const { id } =
        first === undefined
          ? await say.create(type, { ...data, ...own })
          : await say.localize(type, first, own)
      if (!each.endsWith('*')) await say.publish(type, id)
      ids[locale] = id
    }
    return ids
  }
  const post = (title: string, locales: string, more: object = {}) =>
    versions('post', { title, ...more }, 'title', locales)

  const get = async (path: string, client: Client = service) =>
    dataOf(await client.get(`/api/content/${path}`))

  describe('a populated relation', () => {
    it('shows the version in the locale, else in the default locale, else the oldest', async () => {
      const all = await topic('All', 'en de fr')
      const noGerman = await topic('NoGerman', 'fr en')
      const neither = await topic('Neither', 'it fr')
      const ids = [all.en, noGerman.fr, neither.fr, all.fr]
      const { de } = await post('Post', 'en de', {
        topic: all.en,
        topics: ids,
        hint: { topic: all.en, topics: ids },
        body: [{ __component: 'part.link', topics: ids }],
      })
      const shown = await get(`post/${de}?locale=de&populate=topic,topics,hint.topic,hint.topics,body.topics`)
      const expected = ['All de', 'NoGerman en', 'Neither it']
      assert.equal(shown.topic.name, 'All de')
      assert.equal(shown.topic.locale, 'de')
      assert.deepEqual(namesOf(shown.topics), expected)
      assert.deepEqual(namesOf(shown.hint.topics), expected)
      assert.equal(shown.hint.topic.id, all.de)
      assert.deepEqual(namesOf(shown.body[0].topics), expected)
      const [listed] = await get(`post?filters[id]=${de}&locale=de&populate=topics`)
      assert.deepEqual(namesOf(listed.topics), expected)
    })

    it('shows what is stored without a locale, and ids are always those that are stored', async () => {
      const all = await topic('Stored', 'en de')
      const { de } = await post('Post', 'en de', { topic: all.en, topics: [all.en], hint: { topic: all.en } })
      assert.equal((await get(`post/${de}?populate=topic`)).topic.id, all.en)
      const shown = await get(`post/${de}?locale=de`)
      assert.deepEqual([shown.topic, shown.topics, shown.hint.topic], [all.en, [all.en], all.en])
      // What was read can be sent back.
      await say.update('post', Number(de), shown)
      assert.equal((await get(`post/${de}`)).topic, all.en)
    })

    it('depends on what the caller may see', async () => {
      const draft = await topic('Draft', 'en de*')
      const hiddenOriginal = await topic('Original', 'en* de')
      const hidden = await topic('Hidden', 'en* de*')
      const topics = [draft.en, hiddenOriginal.en, hidden.en]
      const { de } = await post('Post', 'en de', { topic: hiddenOriginal.en, topics, own: topics })
      const path = `post/${de}?locale=de&populate=topic,topics`
      const toPublic = await get(path)
      assert.deepEqual(namesOf(toPublic.topics), ['Draft en', 'Original de'])
      assert.equal(toPublic.topic.name, 'Original de')
      assert.deepEqual(namesOf((await get(path, service.admin)).topics), [
        'Draft de',
        'Original de',
        'Hidden de',
      ])
      // Of what is not populated, nobody learns of hidden entries.
      const plain = await get(`post/${de}?locale=de`)
      assert.deepEqual([plain.topic, plain.topics], [null, [draft.en]])
      const without = await get(`post/${de}?populate=topic,topics`)
      assert.deepEqual([without.topic, namesOf(without.topics)], [null, ['Draft en']])
    })

    it('applies filters, sort, pages and totals to what it shows', async () => {
      const made = []
      for (const name of ['b', 'c', 'a', 'd']) made.push(await topic(name, name === 'd' ? 'en' : 'en de'))
      const topics = [...made.map(({ en }) => en), made[0]?.de]
      const { de } = await post('Post', 'en de', { topics })
      const read = (query: string) => get(`post/${de}?locale=de&populate[topics]${query}`)
      const sorted = await read('[sort]=name&populate[topics][limit]=2&populate[topics][total]=true')
      assert.deepEqual([namesOf(sorted.topics), sorted._totals], [['a de', 'b de'], { topics: 4 }])
      assert.deepEqual(namesOf((await read('[filters][name][$endsWith]= de')).topics), [
        'b de',
        'c de',
        'a de',
      ])
      assert.deepEqual(namesOf((await read('[filters][name]=b en')).topics), [])
      assert.deepEqual((await read('[fields]=name')).topics[3], { id: made[3]?.en, name: 'd en' })
    })

    it('goes on inside, and in types without locales that lead to some', async () => {
      const parent = await topic('Parent', 'en de')
      const child = await topic('Child', 'en fr', { parent: parent.fr ?? parent.en })
      const { id } = await say.create('shop', { topic: child.en, hint: { topic: parent.en } })
      const shown = await get(`shop/${id}?locale=de&populate=topic.parent,hint.topic`)
      assert.deepEqual(
        [shown.topic.name, shown.topic.parent.name, shown.hint.topic.name],
        ['Child en', 'Parent de', 'Parent de'],
      )
      assert.equal((await get(`shop?locale=it&populate=topic`))[0].topic.name.endsWith('en'), true)
      for (const [path, code] of [
        ['shop?locale=xx', 'enum'],
        ['shop?locale[a]=1', 'type'],
        ['post?locale=it', 'enum'],
        ['plain?locale=de', 'unknown'],
        ['shop?locale=de&fallback=true', 'unknown'],
        ['shop/aggregate?function=count&locale=de', 'unknown'],
      ]) {
        const answer = await service.admin.get(`/api/content/${path}`)
        assert.deepEqual(Object.values(problemsOf(expectStatus(answer, 400))), [code], path)
      }
    })
  })

  describe('the inverse side of a relation', () => {
    it('shows what refers to any version, each entry once, in the locale', async () => {
      const { en, de, fr } = await topic('Home', 'en de fr')
      await post('Both', 'en de', { rank: 2, topic: en, topics: [en, de] })
      await post('English', 'en', { rank: 1, topic: de, topics: [de] })
      await post('French', 'fr', { rank: 3, topic: fr, topics: [fr] })
      await post('Draft', 'en de*', { rank: 4, topic: en, topics: [en] })
      await post('Hidden', 'en* de*', { rank: 5, topic: en, topics: [en] })
      for (const field of ['posts', 'tagged']) {
        const read = async (options: string, client: Client = service) =>
          get(`topic/${de}?locale=de&populate[${field}]${options}`, client)
        const all = await read('=true')
        assert.deepEqual(namesOf(all[field]), ['Both de', 'English en', 'French fr', 'Draft en'], field)
        const page = await read(
          `[sort]=rank:desc&populate[${field}][limit]=2&populate[${field}][offset]=1&populate[${field}][total]=true`,
        )
        assert.deepEqual(
          [namesOf(page[field]), page._totals],
          [['French fr', 'Both de'], { [field]: 4 }],
          field,
        )
        const forAdmin = await read('[sort]=rank', service.admin)
        assert.deepEqual(namesOf(forAdmin[field]), [
          'English en',
          'Both de',
          'French fr',
          'Draft de',
          'Hidden de',
        ])
        assert.deepEqual(namesOf((await read('[filters][title]=Both en'))[field]), [])
        // Without a locale, those that name this very version.
        assert.deepEqual(
          namesOf((await get(`topic/${de}?populate=${field}&fields=name`))[field]).sort(),
          field === 'posts' ? ['English en'] : ['Both de', 'Both en', 'English en'],
        )
      }
    })
  })

  it('takes one more statement a level, however many entries there are', async () => {
    const made = []
    for (const name of ['x', 'y', 'z']) made.push(await topic(name, 'en de'))
    const ids: number[] = []
    for (const { en } of made) {
      const { de } = await post(`Many ${en}`, 'en de', { topic: en, topics: made.map((each) => each.en) })
      ids.push(Number(de))
    }
    const statements = async (few: number, locale: string) => {
      const query = `post?filters[id][$in]=${ids.slice(0, few)}&populate=topic,topics&total=false${locale}`
      const read = () => get(query, service.admin)
      await read()
      const counts: number[] = []
      // The service does something beside it now and then.
      for (let time = 0; time < 3; time++) {
        const again = () => get(`${query}&limit=${20 + time}`, service.admin)
        counts.push(await countStatements(service.kernel.get(databaseService), again, 'content_'))
      }
      return Math.min(...counts)
    }
    const [one, many] = [await statements(1, '&locale=de'), await statements(3, '&locale=de')]
    assert.equal(many, one)
    assert.equal(many, (await statements(3, '')) + 2)
  })

  it('is populated beside distinct values, which stay those that are stored', async () => {
    const all = await topic('Facet', 'en de')
    await post('Facet', 'en de', { topic: all.en, rank: 77 })
    const facets = await get(
      'post/distinct?field=topic&filters[rank]=77&locale=de&populate[topic][fields]=name',
    )
    assert.deepEqual(facets.topic.values, [
      { value: all.en, count: 1, entry: { id: all.de, name: 'Facet de' } },
    ])
    const { id } = await say.create('shop', { topic: all.en })
    const shops = await get(`shop/distinct?field=topic&filters[id]=${id}&locale=de&populate=topic`)
    assert.equal(shops.topic.values[0].entry.name, 'Facet de')
  })

  it('is what GraphQL shows with the argument locale', async () => {
    const all = await topic('Graph', 'en de')
    const { de } = await post('Graph', 'en de', { topic: all.en, topics: [all.en] })
    const data = await ask(
      service.admin,
      `{ post(id: ${de}, locale: "de") { data { topic { id name posts { title } } other: topics(limit: 1) { name } } } }`,
    )
    assert.deepEqual(data.post.data, {
      topic: { id: all.de, name: 'Graph de', posts: [{ title: 'Graph de' }] },
      other: [{ name: 'Graph de' }],
    })
    const { id } = await say.create('shop', { topic: all.en })
    const shops = await ask(service.admin, `{ shop(id: ${id}, locale: "de") { data { topic { name } } } }`)
    assert.deepEqual(shops.shop.data, { topic: { name: 'Graph de' } })
  })

  it('is read anew when an entry refers to another version of its owner', async () => {
    const { en, de } = await topic('Owner', 'en de')
    const { de: moving } = await post('Moving', 'en de')
    const readOften = async () => {
      const read = () => get(`topic/${de}?locale=de&populate=posts`, service.admin)
      const counts = new Set<number>()
      for (let time = 0; time < 3; time++) counts.add((await read()).posts.length)
      return [...counts].join()
    }
    assert.equal(await readOften(), '0')
    await say.update('post', Number(moving), { topic: en })
    assert.equal(await readOften(), '1')
  })

  it('is read anew when a version comes, goes, or becomes public', async () => {
    const { en } = await topic('Kept', 'en')
    const { id } = await say.create('shop', { topic: en, hint: { topic: en } })
    const readOften = async (client: Client = service) => {
      const names = new Set<string>()
      for (let time = 0; time < 3; time++) {
        const shown = await get(`shop/${id}?locale=de&populate=topic,hint.topic`, client)
        assert.equal(shown.topic.id, shown.hint.topic.id)
        names.add(shown.topic.name)
      }
      return [...names].join()
    }
    assert.equal(await readOften(service.admin), 'Kept en')
    assert.equal(await readOften(), 'Kept en')
    const de = await say.localize('topic', Number(en), { locale: 'de', name: 'Kept de' })
    assert.equal(await readOften(service.admin), 'Kept de')
    assert.equal(await readOften(), 'Kept en')
    await say.publish('topic', de.id)
    assert.equal(await readOften(), 'Kept de')
    expectStatus(await service.admin.put(`/api/content/topic/${de.id}/unpublish`), 200)
    assert.equal(await readOften(), 'Kept en')
    await say.publish('topic', de.id)
    assert.equal(await readOften(), 'Kept de')
    expectStatus(await service.admin.delete(`/api/content/topic/${de.id}`), 200)
    assert.equal(await readOften(), 'Kept en')
  })
})
