import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'
import { createAll, dataOf } from './content-world.ts'

const relation = (kind: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target },
  ...more,
})
const localized = { pluginOptions: { i18n: { localized: true } } }
const typeFile = (name: string, attributes: object, options: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes,
  },
})

/** Everybody reads posts, authors and tags; some authors are drafts, and so is the German version of another. */
const schemas = {
  ...typeFile(
    'author',
    {
      name: { type: 'string', ...localized },
      age: { type: 'integer', ...localized },
      place: { type: 'point', ...localized },
      facts: { type: 'json', ...localized },
      card: { type: 'component', component: 'part.card', ...localized },
      posts: relation('oneToMany', 'post', { mappedBy: 'author' }),
    },
    { draftAndPublish: true, i18n: { enabled: true, locales: ['en', 'de'] } },
  ),
  ...typeFile('post', {
    title: { type: 'string' },
    author: relation('manyToOne', 'author', { inversedBy: 'posts' }),
    authors: relation('manyToMany', 'author'),
    part: { type: 'component', component: 'part.link' },
    parts: { type: 'component', component: 'part.link', repeatable: true },
    zone: { type: 'dynamicZone', components: ['part.link'] },
  }),
  ...typeFile('tag', { label: { type: 'string' }, author: relation('manyToOne', 'author') }),
  'components/part.card.json': {
    uid: 'part.card',
    category: 'part',
    info: { displayName: 'Card' },
    attributes: { text: { type: 'string' } },
  },
  'components/part.link.json': {
    uid: 'part.link',
    category: 'part',
    info: { displayName: 'Link' },
    attributes: { author: relation('manyToOne', 'author'), authors: relation('manyToMany', 'author') },
  },
}

/** What is hidden, as it is first, and what it becomes: whatever a question asks of it has another answer then. */
const states = [
  { name: 'Aaron', age: 1, place: { lat: 10, lng: 10 }, facts: { height: 1 }, card: { text: 'alpha' } },
  { name: 'Zoe', age: 90, place: { lat: -40, lng: 170 }, facts: { height: 9 }, card: { text: 'omega' } },
] as const

/** Conditions on an author that hold in one of the states only. */
const conditions = [
  '[name]=Aaron',
  '[name][$lt]=B',
  '[name][$containsi]=ZO',
  '[name][$ne]=Zoe',
  '[age][$between]=0,5',
  '[place][$near]=10,10,1000',
  '[place][$within]=9,9,11,11',
  '[facts][height][$gt]=5',
  '[facts][height][$ne]=1',
  '[card][text][$startsWith]=al',
]

const below = (field: string) => conditions.map((condition) => `filters${field}${condition}`)

/** Each has another answer for whoever sees the hidden author. */
const questions: readonly string[] = [
  ...[
    '[author]',
    '[authors]',
    '[part][author]',
    '[part][authors]',
    '[parts][author]',
    '[zone][part.link][authors]',
  ]
    .flatMap(below)
    .map((filter) => `post?fields=title&${filter}`),
  ...below('').map((filter) => `author?fields=id&${filter}`),
  'post?fields=title&filters[$not][author][name]=Aaron',
  'post?fields=title&sort=author.name',
  'post?fields=title&sort=author.age:desc,title',
  'author?fields=id&sort=age',
  'author?fields=id&sort=place:near:10:10',
  'author?fields=id&search=Aaron',
  ...['author', 'authors'].flatMap((field) =>
    ['[filters][age][$lt]=5', '[filters][place][$near]=10,10,1000', '[filters][card][text]=alpha'].map(
      (option) => `post?fields=title&populate[${field}][fields]=id&populate[${field}]${option}`,
    ),
  ),
  'post?fields=title&populate[authors][total]=true&populate[authors][limit]=0&populate[authors][filters][age][$lt]=5',
  'post?fields=title&populate[authors][sort]=age&populate[authors][limit]=1&populate[authors][fields]=id',
  'post?fields=title&populate[parts][populate][authors][filters][facts][height]=1',
  'post?fields=title&populate[zone][on][part.link][populate][author][filters][name]=Zoe',
  'author/distinct?field=name',
  'author/distinct?field=age&sort=value&limit=1',
  'post/distinct?field=title&filters[author][age][$lt]=5',
  'post/distinct?field=title,author&filters[authors][name]=Zoe&ownFilters=false',
  'post/distinct?field=author&populate[author][fields]=name',
  'post/distinct?field=author&populate[author][filters][age]=1',
  ...['facts.height', 'card.text'].map((field) => `author/distinct?field=${field}`),
  ...['author', 'authors', 'part.author', 'part.authors', 'parts.authors', 'zone.part.link.author'].flatMap(
    (field) =>
      ['name', 'age', 'facts.height', 'card.text'].map((name) => `post/distinct?field=${field}.${name}`),
  ),
  'author/aggregate?function=max&field=age',
  'author/aggregate?function=count&groupBy[]=name',
  'post/aggregate?function=count&filters[author][name]=Zoe',
]

/** The same for the German version of an author whose original is public. */
const questionsInGerman: readonly string[] = [
  'tag?locale=de&populate=author',
  'tag?locale=de&populate[author][filters][age][$lt]=5',
  'tag?locale=de&populate[author][fields]=name&populate[author][filters][name][$ne]=Zoe',
  'author/distinct?field=card.text&locale=de',
  'tag/distinct?field=author&locale=de&populate[author][fields]=name',
  'author?locale=de&fallback=true&fields=name',
  'author?locale=de&filters[age][$lt]=5',
]

eachDatabase(({ name: database }) => {
  describe('what a caller may not see', () => {
    let service: TestService
    let hidden: readonly number[]

    before(async () => {
      service = await startService({ database, schemas, env: { SVC_LOCALIZATION_LOCALES: '["en","de"]' } })
      const { admin } = service
      const roles = dataOf(await admin.get('/api/admin/roles')) as unknown as { id: number; name: string }[]
      const read = { read: true }
      const permissions = { content: { post: read, author: read, tag: read }, media: {} }
      const publicId = roles.find(({ name }) => name === 'public')?.id
      dataOf(await admin.put(`/api/admin/roles/${publicId}`, { permissions }))
      const visible = {
        name: 'Mia',
        age: 40,
        place: { lat: 0, lng: 60 },
        facts: { height: 5 },
        card: { text: 'mu' },
      }
      const [shown, draft] = await createAll(admin, 'author', [visible, states[0]])
      dataOf(await admin.put(`/api/content/author/${shown?.id}/publish`))
      const { body } = await admin.post(`/api/content/author/${shown?.id}/localizations`, {
        locale: 'de',
        ...states[0],
      })
      hidden = [Number(draft?.id), body.data.id]
      const posts = [[draft?.id], [shown?.id], [shown?.id, draft?.id]].map((authors, at) => {
        const part = { author: authors[0], authors }
        return {
          title: `post ${at}`,
          ...part,
          part,
          parts: [part],
          zone: [{ __component: 'part.link', ...part }],
        }
      })
      await createAll(admin, 'post', posts)
      await createAll(admin, 'tag', [{ label: 'x', author: shown?.id }])
    })
    after(() => service?.stop())

    const become = async (state: object) => {
      for (const id of hidden) dataOf(await service.admin.put(`/api/content/author/${id}`, state))
    }
    /** Without what every write changes. */
    const answerOf = async (client: Client, question: string) => {
      const { status, body } = await client.get(`/api/content/${question}`)
      return `${status} ${JSON.stringify([body.data, body.pagination]).replaceAll(/"updated_at":"[^"]*"/g, '')}`
    }
    async function answers(client: Client): Promise<ReadonlyMap<string, string>> {
      const asked = [...questions, ...questionsInGerman]
      const found = new Map<string, string>()
      for (const question of asked) found.set(question, await answerOf(client, question))
      return found
    }

    it('changes no answer to any question of a list that they may ask', slow, async () => {
      const seen: {
        readonly anonymous: ReadonlyMap<string, string>
        readonly admin: ReadonlyMap<string, string>
      }[] = []
      for (const state of states) {
        await become(state)
        seen.push({ anonymous: await answers(service), admin: await answers(service.admin) })
      }
      const [first, second] = seen
      for (const question of [...questions, ...questionsInGerman]) {
        const answer = first?.anonymous.get(question) ?? ''
        assert.match(answer, /^200 /, question)
        assert.equal(answer, second?.anonymous.get(question), question)
      }
      // Whoever may see it is told, so each is a question that would give it away.
      const asked = [...questions, ...questionsInGerman]
      assert.deepEqual(
        asked.filter((question) => first?.admin.get(question) === second?.admin.get(question)),
        [],
      )
    })

    it('is not named by any answer', slow, async () => {
      for (const [question, answer] of await answers(service)) {
        assert.ok(!/Aaron|Zoe|alpha|omega/.test(answer.replace(question, '')), `${question}: ${answer}`)
      }
    })
  })
})
