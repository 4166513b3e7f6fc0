import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import {
  contentReadMiddleware,
  type EntryPage,
  entryUpdated,
} from '../../core-plugins/entries/content/content.ts'
import { definePlugin } from '../../kernel/index.ts'
import {
  create,
  dataOf,
  type Entry,
  entriesIn,
  entryIn,
  list,
  pathOf,
  problemsIn,
  read,
  update,
  useContent,
} from '../api/content-world.ts'
import { ask, post } from '../graphql/graphql-world.ts'
import { eachDatabase } from '../support/databases.ts'

/** Hides people called Nobody, and what is called a secret of the others; knows how often it was asked. */
function masks() {
  const asked: string[] = []
  const told: unknown[] = []
  const friendsOf = ({ name, friends }: Entry) => {
    if (name === 'Shy') return []
    return name === 'Picky' && Array.isArray(friends) ? friends.slice(0, 1) : friends
  }
  const mask = (entry: Entry): Entry => Object.assign(entry, { age: null, friends: friendsOf(entry) })
  const plugin = definePlugin({
    name: 'masks',
    description: 'Hides people and their ages',
    register({ contribute, on }) {
      on(entryUpdated, ({ entry }) => void told.push(entry.age))
      contribute(contentReadMiddleware, {
        name: 'masks: people',
        matches: ({ type, operation }) => type.name === 'person' && operation === 'list',
        async run(_, next) {
          const { entries, pagination } = (await next()) as EntryPage
          asked.push(`list ${entries.length}`)
          return { entries: entries.filter(({ name }) => name !== 'Nobody').map(mask), pagination }
        },
      })
      contribute(contentReadMiddleware, {
        name: 'masks: a person',
        matches: ({ type, operation }) => type.name === 'person' && operation === 'find',
        async run(_, next) {
          const found = await next()
          if (found === undefined || !('entry' in found)) return found
          asked.push('find')
          return found.entry.name === 'Nobody' ? undefined : { ...found, entry: mask(found.entry) }
        },
      })
      contribute(contentReadMiddleware, {
        name: 'masks: forms',
        matches: ({ type }) => type.name === 'form',
        run: (_, next) => next(),
      })
      contribute(contentReadMiddleware, {
        name: 'masks: home',
        matches: ({ type, operation }) => type.name === 'home' && operation === 'find',
        async run(_, next) {
          const found = await next()
          if (found !== undefined && 'entry' in found) found.entry.headline = 'masked'
          return found
        },
      })
    },
  })
  return { plugin, asked, told }
}

eachDatabase((database) => {
  const { plugin, asked, told } = masks()
  const world = useContent(database.name, [plugin])
  const named = (value: unknown) => entriesIn(value).map(({ name }) => name)

  let ada: Entry
  let nobody: Entry
  let shy: Entry
  let sample: Entry

  before(async () => {
    const ids = new Map<string, number>()
    const person = async (name: string, more: object = {}) => {
      const entry = await create(world.admin, 'person', { name, age: 36, ...more })
      ids.set(name, entry.id)
      dataOf(await world.admin.put(pathOf('person', `${entry.id}/publish`)))
      return entry
    }
    nobody = await person('Nobody')
    ada = await person('Ada', { boss: nobody.id })
    const friends = [ada.id, nobody.id]
    shy = await person('Shy', { friends, boss: ada.id })
    await person('Eve', { friends: [...friends, shy.id], boss: ada.id })
    const links = [
      { label: 'a', person: ada.id },
      { label: 'b', person: nobody.id },
    ]
    const blocks = [{ __component: 'test.menu', links }]
    sample = await create(world.admin, 'sample', { title: 'one', owner: ada.id, links, blocks })
  })
  beforeEach(() => asked.splice(0))

  describe('read middleware', () => {
    it('is asked about populated entries, once for each type and level', async () => {
      const [eve] = await list(
        world.admin,
        'person',
        '?filters[name]=Eve&populate=friends.boss,boss.staff.boss',
      )
      assert.deepEqual(named(eve?.friends), ['Ada', 'Shy'])
      const [friend, shyFriend] = entriesIn(eve?.friends)
      assert.deepEqual([friend?.age, friend?.boss], [null, null])
      assert.deepEqual(shyFriend?.friends, [])
      const boss = entryIn(eve?.boss)
      assert.deepEqual(named(boss.staff), ['Shy', 'Eve'])
      assert.ok(entriesIn(boss.staff).every(({ age, boss }) => age === null && entryIn(boss).age === null))
      assert.equal(asked.length, 6)
    })

    it('sees entries whole, whatever is asked for of them', async () => {
      const entries = await list(world.admin, 'person', '?fields=age&sort=id')
      assert.ok(
        entries.every((entry) => JSON.stringify(Object.keys(entry)) === '["id","age"]' && entry.age === null),
      )
      assert.ok(entries.every(({ id }) => id !== nobody.id))
      assert.equal((await world.admin.get(`${pathOf('person', nobody.id)}?fields=id`)).status, 404)
      const query = '{ personList(sort: "id") { data { id boss { id } } } }'
      const { personList } = await ask(world.admin, query)
      assert.deepEqual(personList.data[0], { id: ada.id, boss: null })
    })

    it('sees populated entries whole, too, and no total tells of what it hides', async () => {
      const options =
        'populate[friends][fields]=name&populate[friends][limit]=2&populate[friends][total]=true'
      const [shyOne, eve] = await list(
        world.admin,
        'person',
        `?filters[name][$in]=Shy,Eve&sort=id&${options}`,
      )
      assert.deepEqual([shyOne?.friends, shyOne?._totals], [[], {}])
      assert.deepEqual([eve?.friends, eve?._totals], [[{ id: ada.id, name: 'Ada' }], { friends: 3 }])
      const query = `{ person(id: ${shy.id}) { data { friends_total friends { name } } } }`
      assert.deepEqual((await ask(world.admin, query)).person.data, { friends_total: null, friends: [] })
    })

    it('is asked about entries in components and zones', async () => {
      const { owner, links, blocks } = await read(
        world.admin,
        'sample',
        sample.id,
        '?populate=owner.samples.owner,links.person,blocks.links.person',
      )
      assert.equal(entryIn(owner).age, null)
      assert.equal(entryIn(entriesIn(entryIn(owner).samples)[0]?.owner).age, null)
      for (const list of [links, entriesIn(blocks)[0]?.links]) {
        const [first, second] = entriesIn(list)
        assert.equal(entryIn(first?.person).age, null)
        assert.equal(second?.person, null)
      }
    })

    it('is asked as it is for one entry where a type has one only', async () => {
      const { status } = await world.admin.put(pathOf('home'), { headline: 'the truth', lead: ada.id })
      assert.equal(status, 201)
      const home = dataOf(await world.admin.get(`${pathOf('home')}?populate=lead`))
      assert.deepEqual([home.headline, entryIn(home.lead).age], ['masked', null])
    })

    it('is asked about the relations of GraphQL, under each of their names', async () => {
      const fields = '{ name age boss { name age } friends { name age } }'
      const { personList } = await ask(
        world.admin,
        `{ personList(filters: { name: { eq: "Eve" } }) { data { name age
          friends ${fields} } } }`,
      )
      const [eve] = personList.data
      assert.deepEqual(eve.friends, [
        { name: 'Ada', age: null, boss: null, friends: [] },
        { name: 'Shy', age: null, boss: { name: 'Ada', age: null }, friends: [] },
      ])
      const twice = `friends(limit: 1) { name } others: friends(offset: 2) { name
        friends { name } more: friends(limit: 1) { name } }`
      const found = await ask(world.admin, `{ person(id: ${eve.id ?? shy.id + 1}) { data { ${twice} } } }`)
      assert.deepEqual(found.person.data, {
        friends: [{ name: 'Ada' }],
        others: [{ name: 'Shy', friends: [], more: [] }],
      })
    })

    it('that changes a relation keeps it from being asked for in several ways', async () => {
      const picky = await create(world.admin, 'person', { name: 'Picky', friends: [ada.id, shy.id] })
      const items = [{ label: 'one', person: ada.id }]
      const form = await create(world.admin, 'form', { title: 'form', url: 'x', items })
      const once = await ask(world.admin, `{ person(id: ${picky.id}) { data { friends { name } } } }`)
      assert.deepEqual(once.person.data.friends, [{ name: 'Ada' }])
      for (const query of [
        `{ person(id: ${picky.id}) { data { friends { name } more: friends(limit: 2) { name } } } }`,
        `{ form(id: ${form.id}) { data { items { person { name } other: person { age } } } } }`,
      ]) {
        const { status, body } = await post(world.admin, query)
        assert.equal(status, 400, JSON.stringify(body))
        assert.equal(body.errors[0].extensions.details[0].code, 'conflict')
      }
      const sampled = `{ sample(id: ${sample.id}) { data { links { person { name } other: person { age } } } } }`
      assert.equal((await post(world.admin, sampled)).status, 200)
    })

    it('is asked about what writes answer', async () => {
      const made = await create(world.admin, 'person', { name: 'New', age: 7 })
      assert.deepEqual([made.name, made.age], ['New', null])
      assert.equal((await update(world.admin, 'person', made.id, { age: 8 })).age, null)
      assert.equal(told.at(-1), 8, 'what hooks are told is whole')
      assert.deepEqual(await update(world.admin, 'person', made.id, { name: 'Nobody' }), { id: made.id })
      assert.equal((await world.admin.get(pathOf('person', made.id))).status, 404)
      assert.equal((await update(world.admin, 'person', made.id, { name: 'New' })).age, null)
      const linked = await world.admin.post(pathOf('person', `${made.id}/link/friends`), { id: ada.id })
      assert.equal(dataOf(linked).age, null)
      const staff = await world.admin.post(pathOf('person', `${ada.id}/link/staff`), { id: made.id })
      assert.deepEqual([dataOf(staff).id, dataOf(staff).age], [ada.id, null])
      const unlinked = await world.admin.delete(pathOf('person', `${ada.id}/unlink/staff`), { id: made.id })
      assert.equal(dataOf(unlinked).age, null)
      assert.equal(dataOf(await world.admin.put(pathOf('person', `${made.id}/publish`))).age, null)
      const mutation = `mutation { updatePerson(id: ${made.id}, data: { age: 9 }) { data { age boss { age } } } }`
      assert.deepEqual(await ask(world.admin, mutation), {
        updatePerson: { data: { age: null, boss: null } },
      })
      assert.equal(dataOf(await world.admin.delete(pathOf('person', made.id))).age, null)
    })

    it('is asked about what a search finds', async () => {
      const { body } = await world.admin.get('/api/search?q=ada&types=person')
      assert.deepEqual(
        body.data.map(({ entry }: { entry: Entry }) => [entry.name, entry.age]),
        [['Ada', null]],
      )
      assert.deepEqual((await world.admin.get('/api/search?q=nobody&types=person')).body.data, [])
    })

    it('is not asked about types in which it has no say', async () => {
      dataOf(await world.admin.get(`${pathOf('sample')}?populate=tags`))
      assert.deepEqual(asked, [])
      assert.deepEqual(problemsIn(await world.admin.get(`${pathOf('sample')}?populate=nope`)), [
        'populate unknown',
      ])
    })
  })
})
