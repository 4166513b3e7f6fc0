import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { createComponentWorld, createPage, putPage, readPage } from './component-world.ts'

const text = { type: 'string' }
const title = text
const hero = { type: 'component', component: 'shared.card' }
const options = { draftAndPublish: true, draftOverlay: true }

eachDatabase((database) => {
  const world = createComponentWorld(database)
  const pages = (page: Record<string, object>) => ({ page: { title, ...page }, options })
  const cards = (card: Record<string, object>) => ({ page: { title, hero }, card, options })
  const renamedFrom = (name: string) => ({ ...text, renamedFrom: name })

  /** A published page, and a draft beside it. */
  async function withDraft(service: TestService, live: object, draft: object): Promise<number> {
    const id = await createPage(service, live)
    expectStatus(await service.admin.put(`/api/content/page/${id}/publish`), 200)
    expectStatus(await putPage(service, id, draft), 200)
    return id
  }

  const draftOf = async (service: TestService, id: number, ...names: string[]) => {
    const page = await readPage(service, id, '?draft=true')
    return Object.fromEntries(names.map((name) => [name, page[name]]))
  }

  async function revisionOf({ admin }: TestService, id: number, version: number) {
    const { data } = expectStatus(await admin.get(`/api/content/page/${id}/revisions`), 200).body
    const found = data.find((each: { version: number }) => each.version === version)
    const path = `/api/content/page/${id}/revisions/${found.id}`
    return { path, data: expectStatus(await admin.get(path), 200).body.data.data }
  }

  describe('a draft and revisions from before a name was given to another attribute', slow, () => {
    it('belong to the attribute that was written', async () => {
      const id = await withDraft(await world.start(pages({ a: text })), { a: 'live' }, { a: 'draft' })
      await world.start(pages({ a2: renamedFrom('a') }))
      const last = await world.start(pages({ a3: renamedFrom('a2'), a: text }))
      assert.deepEqual(await draftOf(last, id, 'a3', 'a'), { a3: 'draft', a: null })
      expectStatus(await putPage(last, id, { a: 'new' }), 200)
      assert.deepEqual(await draftOf(last, id, 'a3', 'a'), { a3: 'draft', a: 'new' })

      const { data, path } = await revisionOf(last, id, 1)
      assert.deepEqual([data.a3, data.a], ['live', undefined])
      expectStatus(await last.admin.post(`${path}/restore`, {}), 200)
      assert.deepEqual(await draftOf(last, id, 'a3', 'a'), { a3: 'live', a: 'new' })

      const back = await world.start(pages({ a2: renamedFrom('a3'), a: text }))
      assert.deepEqual(await draftOf(back, id, 'a2', 'a'), { a2: 'live', a: 'new' })
    })

    it('do not belong to one that takes the name of one that was taken away', async () => {
      const first = await world.start(pages({ a: text, b: text }))
      const id = await withDraft(first, { a: 'A', b: 'B' }, { b: 'draft of b' })
      await world.start(pages({ a: text }))
      const renamed = await world.start(pages({ b: renamedFrom('a') }))
      assert.deepEqual(await draftOf(renamed, id, 'b'), { b: 'A' })
      const { data } = await revisionOf(renamed, id, 1)
      assert.equal(data.b, 'A')
    })

    it('have the right names where an earlier version is started again', async () => {
      const [earlier, later] = [pages({ a: text }), pages({ a2: renamedFrom('a') })]
      const id = await withDraft(await world.start(earlier), { a: 'live' }, { a: 'first' })
      await world.start(later)
      const again = await world.start(earlier)
      assert.deepEqual(await draftOf(again, id, 'a'), { a: 'first' })
      expectStatus(await putPage(again, id, { a: 'second' }), 200)
      assert.deepEqual(await draftOf(await world.start(later), id, 'a2'), { a2: 'second' })
    })

    it('are the same inside of components', async () => {
      const first = await world.start(cards({ a: text }))
      const id = await withDraft(first, { hero: { a: 'live' } }, { hero: { a: 'draft' } })
      await world.start(cards({ a2: renamedFrom('a') }))
      const last = await world.start(cards({ a3: renamedFrom('a2'), a: text }))
      assert.deepEqual(await draftOf(last, id, 'hero'), { hero: { a3: 'draft', a: null } })
      const { data } = await revisionOf(last, id, 1)
      assert.deepEqual(data.hero, { a3: 'live', a: null })
    })
  })

  describe('a draft whose attribute has got another type', slow, () => {
    it('has its values in the form of that type, and none that have no such form', async () => {
      const first = await world.start(pages({ a: text, b: text }))
      const id = await withDraft(first, { a: '1', b: '2' }, { a: '1.50', b: 'no number' })
      const numbers = await world.start(pages({ a: { type: 'decimal' }, b: { type: 'decimal' } }))
      assert.deepEqual(await draftOf(numbers, id, 'a', 'b'), { a: 1.5, b: 2 })
    })

    it('refers to one or several as the schema says', async () => {
      const authors = (relation: string) => pages({ by: { type: 'relation', relation, target: 'author' } })
      const first = await world.start(authors('manyToOne'))
      for (const name of ['Ada', 'Bob']) {
        expectStatus(await first.admin.post('/api/content/author', { name }), 201)
      }
      const id = await withDraft(first, { by: 1 }, { by: 2 })
      assert.deepEqual(await draftOf(await world.start(authors('manyToMany')), id, 'by'), { by: [2] })
      assert.deepEqual(await draftOf(await world.start(authors('manyToOne')), id, 'by'), { by: 2 })
    })
  })
})
