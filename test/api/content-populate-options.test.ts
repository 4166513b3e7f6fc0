import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { ask, countStatements } from '../graphql/graphql-world.ts'
import { eachDatabase } from '../support/databases.ts'
import {
  addMedia,
  allow,
  create,
  createAll,
  type Entry,
  entriesIn,
  entryIn,
  list,
  pathOf,
  problemsIn,
  read,
  signUp,
  useContent,
  withScopes,
} from './content-world.ts'

eachDatabase((database) => {
  const world = useContent(database.name)

  /** Two bosses with staff of ages 0 to 5, the odd ones drafts; a sample with all tags. */
  let bosses: Entry[]
  let tags: Entry[]
  let sample: Entry
  const names = (value: unknown) => entriesIn(value).map(({ name }) => name)
  const bossOf = (query: string) => read(world.admin, 'person', bosses[0]?.id as number, `?${query}`)
  const totalsOf = (entry: Entry | undefined) => entry?._totals

  before(async () => {
    bosses = await createAll(world.admin, 'person', [{ name: 'Ada' }, { name: 'Bob' }])
    for (const [index, boss] of bosses.entries()) {
      const staff = await createAll(
        world.admin,
        'person',
        [3, 1, 4, 2, 0, 5].map((age) => ({ name: `${'ab'[index]}${age}`, age, boss: boss.id })),
      )
      for (const { id, age } of [...staff, boss]) {
        if (Number(age ?? 0) % 2 === 0)
          assert.equal((await world.admin.put(pathOf('person', `${id}/publish`))).status, 200)
      }
    }
    tags = await createAll(
      world.admin,
      'tag',
      ['c', 'a', 'd', 'b', 'e'].map((name) => ({ name })),
    )
    const [image] = await addMedia(world, ['one.png'])
    const ids = tags.map(({ id }) => id)
    sample = await create(world.admin, 'sample', {
      title: 'first',
      owner: bosses[0]?.id,
      tags: ids,
      links: [{ label: 'x', person: bosses[1]?.id, tags: ids.slice(1) }],
      blocks: [
        { __component: 'test.menu', image, links: [{ label: 'y', tags: ids }] },
        { __component: 'test.link', label: 'z', person: bosses[1]?.id, tags: ids.slice(3) },
      ],
    })
    await create(world.admin, 'sample', { title: 'second', owner: bosses[0]?.id, tags: ids.slice(0, 2) })
  })

  describe('populate with options', () => {
    it('pages, sorts and narrows inverse sides for each entry by itself', async () => {
      const options = 'populate[staff][sort]=age:desc&populate[staff][limit]=2&populate[staff][offset]=1'
      const [ada, bob] = await list(world.admin, 'person', `?filters[boss][$null]=true&sort=id&${options}`)
      assert.deepEqual(
        [names(ada?.staff), names(bob?.staff)],
        [
          ['a4', 'a3'],
          ['b4', 'b3'],
        ],
      )
      assert.equal(totalsOf(ada), undefined)
      const some = await bossOf(
        'populate[staff][filters][age][$gte]=2&populate[staff][limit]=1&populate[staff][total]=true',
      )
      assert.deepEqual([names(some.staff), totalsOf(some)], [['a3'], { staff: 4 }])
    })

    it('pages, sorts and narrows the owning side in the same way, by default in its own order', async () => {
      const page = 'populate[tags][limit]=2&populate[tags][offset]=1&populate[tags][total]=true'
      const [first, second] = await list(world.admin, 'sample', `?sort=id&${page}`)
      assert.deepEqual([names(first?.tags), totalsOf(first)], [['a', 'd'], { tags: 5 }])
      assert.deepEqual([names(second?.tags), totalsOf(second)], [['a'], { tags: 2 }])
      const sorted = await list(
        world.admin,
        'sample',
        '?sort=id&populate[tags][sort]=name:desc&populate[tags][filters][name][$ne]=d&populate[tags][limit]=3',
      )
      assert.deepEqual(
        sorted.map(({ tags: shown }) => names(shown)),
        [
          ['e', 'c', 'b'],
          ['c', 'a'],
        ],
      )
    })

    it('shows the fields that are asked for', async () => {
      const { staff } = await bossOf('populate[staff][fields]=age&populate[staff][limit]=1')
      assert.deepEqual(Object.keys(entriesIn(staff)[0] ?? {}), ['id', 'age'])
      const { owner } = await read(world.admin, 'sample', sample.id, '?populate[owner][fields][]=name')
      assert.deepEqual(owner, { id: bosses[0]?.id, name: 'Ada' })
    })

    it('tells totals alone, of a page beyond the end, and of nothing', async () => {
      const none = await bossOf('populate[staff][limit]=0&populate[staff][total]=true')
      assert.deepEqual([none.staff, totalsOf(none)], [[], { staff: 6 }])
      const beyond = await bossOf('populate[staff][offset]=9&populate[staff][total]=true')
      assert.deepEqual([beyond.staff, totalsOf(beyond)], [[], { staff: 6 }])
      const nobody = 'populate[staff][filters][name]=nobody&populate[staff][total]=true'
      assert.deepEqual(totalsOf(await bossOf(nobody)), { staff: 0 })
      const owned = await read(
        world.admin,
        'sample',
        sample.id,
        '?populate[tags][limit]=0&populate[tags][total]=1',
      )
      assert.deepEqual([owned.tags, totalsOf(owned)], [[], { tags: 5 }])
      const both = 'populate[staff][total]=true&populate[friends][total]=true&populate[samples][total]=true'
      assert.deepEqual(totalsOf(await bossOf(both)), { staff: 6, friends: 0, samples: 2 })
    })

    it('goes on inside, with options or paths, beside relations without any', async () => {
      const inside = 'populate[owner][populate][staff][limit]=1&populate[owner][populate][staff][sort]=name'
      const entry = await read(world.admin, 'sample', sample.id, `?populate[tags]=true&${inside}`)
      assert.equal(entriesIn(entry.tags).length, 5)
      assert.deepEqual(names(entryIn(entry.owner).staff), ['a0'])
      const paths = await read(
        world.admin,
        'sample',
        sample.id,
        '?populate[owner][fields]=name&populate[owner][populate]=staff.boss,friends&populate[tags]=false',
      )
      const owner = entryIn(paths.owner)
      assert.deepEqual(Object.keys(owner).sort(), ['friends', 'id', 'name', 'staff'])
      assert.equal(entryIn(entriesIn(owner.staff)[0]?.boss).name, 'Ada')
      assert.equal(typeof (paths.tags as unknown[])[0], 'number')
    })

    it('reaches into components and zones', async () => {
      const links = 'populate[links][populate][tags]'
      const { links: shown } = await read(
        world.admin,
        'sample',
        sample.id,
        `?${links}[sort]=name&${links}[limit]=2&${links}[total]=true&${links}[fields]=name`,
      )
      const [link] = entriesIn(shown)
      assert.deepEqual([names(link?.tags), totalsOf(link)], [['a', 'b'], { tags: 4 }])
      const everywhere = await read(
        world.admin,
        'sample',
        sample.id,
        '?populate[blocks][populate][tags][limit]=1&populate[blocks][populate][links][populate]=tags',
      )
      const [menu, block] = entriesIn(everywhere.blocks)
      assert.deepEqual(names(entriesIn(menu?.links)[0]?.tags), ['c', 'a', 'd', 'b', 'e'])
      assert.deepEqual([names(block?.tags), block?.person], [['b'], bosses[1]?.id])
      const by = await read(
        world.admin,
        'sample',
        sample.id,
        '?populate[blocks][on][test.link][populate][person][fields]=name&populate[blocks][on][test.menu][populate]=image',
      )
      const [shownMenu, shownLink] = entriesIn(by.blocks)
      assert.deepEqual(shownLink?.person, { id: bosses[1]?.id, name: 'Bob' })
      assert.equal(entryIn(shownMenu?.image).filename, 'one.png')
    })

    it('hides what the caller may not see from pages and totals', async () => {
      const reader = await withScopes(world, 'content:read')
      const query = '?populate[staff][limit]=2&populate[staff][sort]=age:desc&populate[staff][total]=true'
      const ada = await read(reader, 'person', bosses[0]?.id as number, query)
      assert.deepEqual([names(ada.staff), totalsOf(ada)], [['a4', 'a2'], { staff: 3 }])
    })

    it('is refused without the permission to read the type, whatever is wrong with the rest', async () => {
      const user = await signUp(world, `options-${database.name}`)
      await allow(world, 'authenticated', { sample: { read: true }, tag: { read: true } })
      const queries = [
        'populate[owner]=true',
        'populate[owner][filters][nothing]=1',
        'populate[tags][populate][samples][populate][owner][fields]=name',
        'populate[links][populate][person][fields]=name',
      ]
      for (const query of queries)
        problemsIn(await user.get(`${pathOf('sample')}?${query}`), 403, 'FORBIDDEN')
      problemsIn(
        await user.get(`${pathOf('sample')}?populate[tags][filters][samples][owner][name]=Ada`),
        403,
        'FORBIDDEN',
      )
      problemsIn(
        await user.get(`${pathOf('sample')}?populate[tags][populate][samples][sort]=owner.name`),
        403,
        'FORBIDDEN',
      )
      const { tags: shown } = await read(user, 'sample', sample.id, '?populate[tags][limit]=1')
      assert.deepEqual(names(shown), ['c'])
    })

    it('names everything that is wrong, and where', async () => {
      const cases: [query: string, ...problems: string[]][] = [
        ['populate[nothing]=true', 'populate.nothing unknown'],
        ['populate[title][fields]=id', 'populate.title unknown'],
        ['populate[owner]=maybe', 'populate.owner type'],
        ['populate[owner][]=a', 'populate.owner type'],
        ['populate[0][owner]=true', 'populate type'],
        [
          'populate[owner][limit]=1&populate[owner][total]=true',
          'populate.owner.limit unknown',
          'populate.owner.total unknown',
        ],
        [
          'populate[tags][limit]=-1&populate[tags][offset]=x',
          'populate.tags.limit type',
          'populate.tags.offset type',
        ],
        ['populate[tags][total]=maybe', 'populate.tags.total type'],
        ['populate[tags][sort]=nothing', 'populate.tags.sort unknown'],
        ['populate[tags][fields]=nothing', 'populate.tags.fields unknown'],
        ['populate[tags][filters]=x', 'populate.tags.filters type'],
        ['populate[tags][filters][name][$gt][x]=1', 'populate.tags.filters.name.$gt type'],
        ['populate[tags][populate]=nothing', 'populate.tags.populate unknown'],
        ['populate[links][limit]=1', 'populate.links.limit unknown'],
        ['populate[blocks][populate][nothing]=true', 'populate.blocks.populate.nothing unknown'],
        ['populate[blocks][on][test.seo]=true&populate[blocks][populate]=tags', 'populate.blocks conflict'],
        ['populate[blocks][on][test.none]=true', 'populate.blocks.on.test.none unknown'],
        ['populate[blocks][on]=x', 'populate.blocks.on type'],
        ['populate[blocks][on][test.seo][fields]=x', 'populate.blocks.on.test.seo unknown'],
      ]
      for (const [query, ...expected] of cases) {
        assert.deepEqual(problemsIn(await world.admin.get(`${pathOf('sample')}?${query}`)), expected, query)
      }
      const deep = `populate[owner]${'[populate][boss]'.repeat(4)}[populate]=boss`
      problemsIn(await world.admin.get(`${pathOf('sample')}?${deep}`))
    })

    it('weighs the filters of all relations together', async () => {
      const words = Array.from(
        { length: 60 },
        (_, index) => `populate[tags][filters][$or][${index}][samples][body][$containsi]=x`,
      )
      problemsIn(await world.admin.get(`${pathOf('sample')}?${words.join('&')}`))
    })

    it('sends the same statements however many entries there are', async () => {
      const query =
        'populate[staff][limit]=2&populate[staff][total]=true&populate[samples][populate][tags][limit]=1'
      const statements = (filter: string) =>
        countStatements(world.service, () => list(world.admin, 'person', `?total=false&${filter}&${query}`))
      const one = await statements(`filters[id]=${bosses[0]?.id}`)
      assert.equal(await statements('limit=50'), one)
      // The list; ids, totals and rows of staff; ids and rows of samples, and what is hidden in them; ids and rows of tags.
      assert.ok(one <= 10, String(one))
    })

    it('answers GraphQL the same totals', async () => {
      const { personList } = await ask(
        world.admin,
        `{ personList(sort: "id", filters: { boss: { null: true } }) { data {
          staff_total
          grown: staff_total(filters: { age: { gte: 2 } })
          staff(limit: 1, sort: "age") { name staff_total }
          samples { tags_total links { tags_total } }
        } } }`,
      )
      const [ada, bob] = personList.data
      assert.deepEqual(ada, {
        staff_total: 6,
        grown: 4,
        staff: [{ name: 'a0', staff_total: 0 }],
        samples: [
          { tags_total: 5, links: [{ tags_total: 4 }] },
          { tags_total: 2, links: [] },
        ],
      })
      assert.deepEqual([bob.staff_total, bob.samples], [6, []])
    })
  })
})
