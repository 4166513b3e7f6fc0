import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import {
  cardAttributes,
  createComponentWorld,
  createPage,
  decide,
  type PageVersion,
  pageAttributes,
  pendingIn,
  putPage,
  readPage,
} from './component-world.ts'

const text = { type: 'string' }
const { note: _note, ...withoutNote } = cardAttributes

const filled = {
  title: 'Page',
  hero: { title: 'hero', note: 'hero note' },
  cards: [
    { title: 'one', note: 'first' },
    { title: 'two', note: 'second' },
  ],
  body: [
    { __component: 'shared.card', title: 'in the zone', note: 'zone note' },
    { __component: 'shared.quote', words: 'Well', by: 'Ada' },
  ],
}

eachDatabase((database) => {
  describe('an attribute taken out of a component', slow, () => {
    const world = createComponentWorld(database)

    it('is not shown, waits for a decision, and comes back if it is declared again', async () => {
      const id = await createPage(await world.start({}), filled)
      const without = await world.start({ card: withoutNote })
      const shown = await readPage(without, id)
      assert.deepEqual(
        [shown.hero, shown.cards, shown.body],
        [
          { title: 'hero' },
          [{ title: 'one' }, { title: 'two' }],
          [{ __component: 'shared.card', title: 'in the zone' }, filled.body[1]],
        ],
      )
      assert.deepEqual(await pendingIn(without), [
        'drop-attribute hero.note: its values would be lost',
        'drop-attribute cards.note: its values would be lost',
        'drop-attribute body.shared.card.note: its values would be lost',
      ])
      expectStatus(await putPage(without, id, shown), 200)
      const [one, two] = shown.cards as object[]
      expectStatus(
        await putPage(without, id, { cards: [two, { title: 'new' }, { ...one, title: 'uno' }] }),
        200,
      )
      const again = await readPage(await world.start({}), id)
      assert.deepEqual([again.hero, again.body], [filled.hero, filled.body])
      assert.deepEqual((again.cards as object[])[0], filled.cards[1])
      assert.deepEqual((again.cards as object[])[1], { title: 'new', note: null })
    })

    it('stays with the component that it was in, and does not go over to another one', async () => {
      const id = await createPage(await world.start({}), {
        hero: { ...filled.hero, id: 'first' },
        cards: [{ ...filled.cards[0], id: 1 }],
      })
      const without = await world.start({ card: withoutNote })
      const other = { hero: { title: 'hero', id: 'second' }, cards: [{ title: 'one', id: 2 }] }
      expectStatus(await putPage(without, id, other), 200)
      const again = await readPage(await world.start({}), id)
      assert.deepEqual(
        [again.hero, again.cards],
        [{ ...other.hero, note: null }, [{ ...other.cards[0], note: null }]],
      )
    })

    it('is gone once it was decided, and a copy is kept', async () => {
      const id = await createPage(await world.start({}), filled)
      const without = await world.start({ card: withoutNote })
      await decide(without)
      assert.deepEqual(await pendingIn(without), [])
      const again = await readPage(await world.start({}), id)
      assert.deepEqual(
        [again.hero, again.cards],
        [
          { title: 'hero', note: null },
          [
            { title: 'one', note: null },
            { title: 'two', note: null },
          ],
        ],
      )
    })

    it('is in no answer of GraphQL, no filter and no export, and what was exported can be imported', async () => {
      const id = await createPage(await world.start({}), filled)
      const { admin } = await world.start({ card: withoutNote })
      const query = `{ page(id: ${id}) { data { hero { title } cards { title } } } }`
      const { data } = expectStatus(await admin.post('/api/graphql', { query }), 200).body
      assert.deepEqual(data.page.data, {
        hero: { title: 'hero' },
        cards: [{ title: 'one' }, { title: 'two' }],
      })
      expectStatus(await admin.get('/api/content/page?filters[hero][note]=hero note'), 400)
      const exported = expectStatus(await admin.get('/api/content/page/export?format=json'), 200).body
      assert.ok(!JSON.stringify(exported).includes('hero note'), JSON.stringify(exported))
      const imported = await admin.request('POST', '/api/content/page/import?match=title', {
        body: JSON.stringify(exported),
        headers: { 'content-type': 'application/json' },
      })
      assert.equal(expectStatus(imported, 200).body.data.unchanged, 1, JSON.stringify(imported.body))
      assert.deepEqual((await readPage(await world.start({}), id)).hero, filled.hero)
    })
  })

  describe('a component taken out of a zone', slow, () => {
    const world = createComponentWorld(database)
    const page = { ...pageAttributes, body: { type: 'dynamicZone', components: ['shared.card'] } }

    it('is not shown, stays between the others when they are written back, and waits for a decision', async () => {
      const id = await createPage(await world.start({}), {
        body: [filled.body[1], filled.body[0], filled.body[1], { ...filled.body[0], title: 'last' }],
      })
      const without = await world.start({ page })
      const shown = await readPage(without, id)
      const [first, last] = shown.body as object[]
      assert.deepEqual(shown.body, [filled.body[0], { ...filled.body[0], title: 'last' }])
      assert.deepEqual(await pendingIn(without), [
        'drop-component body.shared.quote: its blocks would be lost',
      ])
      expectStatus(await putPage(without, id, shown), 200)
      expectStatus(await putPage(without, id, { body: [first, { ...first, title: 'more' }, last] }), 200)
      const again = await readPage(await world.start({}), id)
      const kinds = (again.body as { __component: string; title?: string }[]).map(
        (each) => each.title ?? 'quote',
      )
      assert.deepEqual(kinds, ['quote', 'in the zone', 'quote', 'more', 'last'])
      const decided = await world.start({ page })
      await decide(decided)
      assert.deepEqual(await pendingIn(decided), [])
      const left = (await readPage(await world.start({}), id)).body as object[]
      assert.equal(left.length, 3)
    })
  })

  describe('an attribute of a component that becomes another type', slow, () => {
    const world = createComponentWorld(database)
    const card = (note: object) => ({ card: { ...cardAttributes, note } })

    it('has the values that fit; the others wait for a decision, and come back with the type', async () => {
      const id = await createPage(await world.start({}), {
        hero: { title: 'a', note: '5' },
        cards: [{ title: 'b', note: 'abc' }, { title: 'c', note: '7' }, { title: 'd' }],
      })
      const numbers = await world.start(card({ type: 'integer' }))
      const shown = await readPage(numbers, id)
      assert.deepEqual(shown.hero, { title: 'a', note: 5 })
      assert.deepEqual(
        (shown.cards as { note: unknown }[]).map(({ note }) => note),
        [null, 7, null],
      )
      assert.deepEqual(await pendingIn(numbers), [
        'convert-attribute cards.note: values of string may not fit into integer',
      ])
      expectStatus(await putPage(numbers, id, shown), 200)
      const { body } = await numbers.admin.get('/api/content/page?filters[hero][note][$gt]=4')
      assert.equal(body.data.length, 1)
      const again = await readPage(await world.start({}), id)
      assert.deepEqual(
        [again.hero, ...(again.cards as object[])].map((item) => (item as { note: unknown }).note),
        ['5', 'abc', '7', null],
      )
      await decide(await world.start(card({ type: 'integer' })))
      const lost = await readPage(await world.start({}), id)
      assert.deepEqual((lost.cards as object[])[0], { title: 'b', note: null })
    })

    it('is a number wherever a text was one', async () => {
      const cards = ['1002', '1.50', '12345678901234567890.5'].map((note) => ({ title: note, note }))
      const id = await createPage(await world.start({}), { hero: { title: 'a', note: '1002' }, cards })
      const numbers = await world.start(card({ type: 'decimal' }))
      const shown = await readPage(numbers, id)
      const notes = [shown.hero, ...(shown.cards as object[])].map((item) => (item as { note: unknown }).note)
      assert.deepEqual(notes, [1002, 1002, null, '12345678901234567890.5'])
      expectStatus(await putPage(numbers, id, shown), 200)
      const again = await readPage(await world.start({}), id)
      assert.deepEqual(
        (again.cards as { note: unknown }[]).map(({ note }) => note),
        ['1002', '1.50', '12345678901234567890.5'],
      )
    })

    it('is converted without a question where nothing can be lost', async () => {
      const id = await createPage(await world.start(card({ type: 'integer' })), {
        hero: { title: 'a', note: 5 },
      })
      const texts = await world.start({})
      assert.deepEqual((await readPage(texts, id)).hero, { title: 'a', note: '5' })
      assert.deepEqual(await pendingIn(texts), [])
      const found = await texts.admin.get('/api/content/page?filters[hero][note]=5')
      assert.equal(found.body.data.length, 1)
    })

    it('has values in the form of its type, whatever the types', async () => {
      const types = {
        text: [{ type: 'text' }, '2026-01-31'],
        integer: [{ type: 'integer' }, 1],
        bigint: [{ type: 'bigint' }, '9007199254740993'],
        decimal: [{ type: 'decimal' }, 1.5],
        boolean: [{ type: 'boolean' }, true],
        date: [{ type: 'date' }, '2026-01-31'],
        datetime: [{ type: 'datetime' }, '2026-01-31T08:00:00.000Z'],
        json: [{ type: 'json' }, { a: [1] }],
        point: [{ type: 'point' }, { lat: 1, lng: 2 }],
        relation: [{ type: 'relation', relation: 'manyToOne', target: 'page' }, 1],
        author: [{ type: 'relation', relation: 'manyToMany', target: 'author' }, [1]],
        quote: [
          { type: 'component', component: 'shared.quote' },
          { words: 'w', by: 'b' },
        ],
        quotes: [
          { type: 'component', component: 'shared.quote', repeatable: true },
          [{ words: 'w', by: 'b' }],
        ],
      } as const
      const names = Object.keys(types) as (keyof typeof types)[]
      // Each attribute takes the next type of the list from start to start, and has what all of them had at first.
      const version = (shift: number) => ({
        card: Object.fromEntries(
          names.map((name, index) => [
            `as_${name}`,
            types[names[(index + shift) % names.length] ?? 'text'][0],
          ]),
        ),
      })
      const first = await world.start(version(0))
      const author = expectStatus(await first.admin.post('/api/content/author', { name: 'Ada' }), 201)
      assert.equal(author.body.data.id, 1)
      assert.equal(await createPage(first, {}), 1)
      const data = Object.fromEntries(names.map((name) => [`as_${name}`, types[name][1]]))
      const id = await createPage(first, { hero: data, cards: [data] })
      const before = await readPage(first, id)
      for (const shift of [1, 5, 11]) {
        const service = await world.start(version(shift))
        const shown = await readPage(service, id)
        const written = await putPage(service, id, shown)
        assert.equal(written.status, 200, `${shift} ${JSON.stringify(written.body)}`)
        const { updated_at: _updated, ...now } = await readPage(service, id)
        const { updated_at: _before, ...asRead } = shown
        assert.deepEqual(now, asRead)
        expectStatus(await service.admin.get('/api/content/page?filters[hero][as_text][$notNull]=true'), 200)
      }
      const { updated_at: _now, ...after } = await readPage(await world.start(version(0)), id)
      const { updated_at: _then, ...asBefore } = before
      assert.deepEqual(after, asBefore)
    })
  })

  describe('one and several', slow, () => {
    const world = createComponentWorld(database)
    const authors = (relation: string) => ({
      ...cardAttributes,
      authors: { type: 'relation', relation, target: 'author' },
    })
    const several = {
      page: { ...pageAttributes, hero: { type: 'component', component: 'shared.card', repeatable: true } },
      card: authors('manyToMany'),
    }
    const one = {
      page: { ...pageAttributes, cards: { type: 'component', component: 'shared.card' } },
      card: authors('manyToOne'),
    }

    it('are empty, null or not, where there was none', async () => {
      const id = await createPage(await world.start({}), { title: 'Page' })
      const none = async (version: PageVersion) => {
        const { hero, cards } = await readPage(await world.start(version), id)
        return [hero, cards]
      }
      assert.deepEqual(await none({}), [null, []])
      assert.deepEqual(await none(several), [[], []])
      assert.deepEqual(await none(one), [null, null])
      const zone = { ...pageAttributes, hero: { type: 'dynamicZone', components: ['shared.card'] } }
      assert.deepEqual(await none({ page: zone }), [[], []])
    })

    it('become each other without a loss', async () => {
      const first = await world.start({ card: authors('manyToOne') })
      for (const name of ['Ada', 'Bob', 'Cy']) {
        expectStatus(await first.admin.post('/api/content/author', { name }), 201)
      }
      const id = await createPage(first, { ...filled, hero: { title: 'hero', authors: 1 } })
      const many = await world.start(several)
      const wide = await readPage(many, id)
      assert.deepEqual(wide.hero, [{ title: 'hero', note: null, authors: [1] }])
      assert.deepEqual(await pendingIn(many), [])
      const hero = [{ title: 'hero', note: null, authors: [3, 1, 2] }, { title: 'second' }]
      expectStatus(await putPage(many, id, { hero }), 200)
      const single = await world.start(one)
      const narrow = await readPage(single, id)
      assert.deepEqual(narrow.hero, { title: 'hero', note: null, authors: 3 })
      assert.deepEqual(narrow.cards, { title: 'one', note: 'first', authors: null })
      assert.deepEqual((await pendingIn(single)).toSorted(), [
        'convert-attribute cards: values of several shared.card may not fit into one shared.card',
        'convert-attribute hero.authors: values of references to content_author may not fit into a reference to content_author',
        'convert-attribute hero: values of several shared.card may not fit into one shared.card',
      ])
      expectStatus(await putPage(single, id, narrow), 200)
      const again = await readPage(await world.start(several), id)
      assert.deepEqual(again.hero, [hero[0], { title: 'second', note: null, authors: [] }])
      assert.equal((again.cards as object[]).length, 2)
    })
  })

  describe('a renamed attribute of a component', slow, () => {
    const world = createComponentWorld(database)
    const renamed = (from: string, to: string, more: object = {}) => ({
      card: { title: text, [to]: { ...text, renamedFrom: from }, ...more },
    })

    it('has its own values under the name of one that was taken away before, or in the same start', async () => {
      for (const isBefore of [true, false]) {
        const both = { title: text, note: text }
        const id = await createPage(await world.start({ card: both }), {
          hero: { title: 'title', note: 'note' },
          body: [{ __component: 'shared.card', title: 'title', note: 'note' }],
        })
        if (isBefore) await world.start({ card: { title: text } })
        const renamedTo = { card: { note: { ...text, renamedFrom: 'title' } } }
        const service = await world.start(renamedTo)
        const shown = await readPage(service, id)
        assert.deepEqual(
          [shown.hero, shown.body],
          [{ note: 'title' }, [{ __component: 'shared.card', note: 'title' }]],
        )
        assert.deepEqual(await pendingIn(service), [
          'drop-attribute hero.note@1: its values would be lost',
          'drop-attribute cards.note@1: its values would be lost',
          'drop-attribute body.shared.card.note@1: its values would be lost',
        ])
        expectStatus(await putPage(service, id, shown), 200)
        assert.deepEqual((await readPage(await world.start(renamedTo), id)).hero, { note: 'title' })
        await decide(await world.start(renamedTo))
        // A name that was declared keeps its own values, whatever is kept under the earlier one.
        const other = await createPage(await world.start({ card: both }), {
          hero: { title: 'kept', note: 'own' },
        })
        await world.start({ card: { note: text } })
        assert.deepEqual((await readPage(await world.start(renamedTo), other)).hero, { note: 'own' })
        await decide(await world.start(renamedTo))
      }
    })

    it('keeps its values, and its earlier name begins without', async () => {
      const id = await createPage(await world.start({}), filled)
      const second = await world.start(renamed('note', 'remark'))
      assert.deepEqual((await readPage(second, id)).hero, { title: 'hero', remark: 'hero note' })
      assert.deepEqual(await pendingIn(second), [])
      const found = await second.admin.get('/api/content/page?filters[hero][remark]=hero note')
      assert.equal(found.body.data.length, 1)
      const third = await world.start(renamed('remark', 'comment', { note: text }))
      assert.deepEqual((await readPage(third, id)).hero, { title: 'hero', comment: 'hero note', note: null })
      const back = await world.start(renamed('comment', 'remark', { note: text }))
      assert.deepEqual((await readPage(back, id)).hero, { title: 'hero', remark: 'hero note', note: null })
    })
  })
})
