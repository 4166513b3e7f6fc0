import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectStatus } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import type { TestService } from '../support/service.ts'
import { createComponentWorld, createPage, pageAttributes, putPage, readPage } from './component-world.ts'

const text = { type: 'string' }
const card = { __component: 'shared.card', title: 'card', note: 'note' }
const quote = { __component: 'shared.quote', words: 'Well', by: 'Ada' }

/** Nothing of a card but its title, no quotes, and several heroes. */
const changed = {
  card: { title: text },
  page: {
    ...pageAttributes,
    hero: { type: 'component', component: 'shared.card', repeatable: true },
    body: { type: 'dynamicZone', components: ['shared.card'] },
  },
}

const filled = { title: 'Page', hero: { title: 'hero', note: 'note' }, body: [card, quote] }

const seenChanged = { hero: [{ title: 'hero' }], body: [{ __component: 'shared.card', title: 'card' }] }

const partsOf = ({ hero, body }: Record<string, unknown>) => ({ hero, body })

eachDatabase((database) => {
  describe('components of drafts and revisions from before a change of the schema', () => {
    const world = createComponentWorld(database)
    const options = { draftAndPublish: true, draftOverlay: true }

    async function publishedWithDraft(service: TestService): Promise<number> {
      const id = await createPage(service, { title: 'Page' })
      expectStatus(await service.admin.put(`/api/content/page/${id}/publish`), 200)
      expectStatus(await putPage(service, id, filled), 200)
      return id
    }

    it(
      'are shown, sent back and published as the schema says, and nothing hidden is lost',
      slow,
      async () => {
        const id = await publishedWithDraft(await world.start({ options }))
        const service = await world.start({ ...changed, options })
        const draft = await readPage(service, id, '?draft=true')
        assert.deepEqual(partsOf(draft), seenChanged)
        expectStatus(await putPage(service, id, { ...draft, title: 'Changed' }), 200)
        const compared = expectStatus(await service.admin.get(`/api/content/page/${id}/draft`), 200).body.data
        assert.deepEqual(
          compared.fields.find(({ field }: { field: string }) => field === 'hero').draft,
          seenChanged.hero,
        )
        expectStatus(await service.admin.put(`/api/content/page/${id}/publish`), 200)
        assert.deepEqual(partsOf(await readPage(service, id)), seenChanged)
        const { hero, body } = await readPage(await world.start({ options }), id)
        assert.deepEqual([hero, body], [filled.hero, filled.body])
      },
    )

    it('are published by a release', async () => {
      const first = await world.start({ options })
      const id = await publishedWithDraft(first)
      const release = expectStatus(
        await first.admin.post('/api/admin/content-releases', { name: 'Spring' }),
        201,
      )
      const path = `/api/admin/content-releases/${release.body.data.id}`
      const item = { contentType: 'page', entryId: id, action: 'publish' }
      expectStatus(await first.admin.post(`${path}/entries`, item), 201)
      const service = await world.start({ ...changed, options })
      expectStatus(await service.admin.post(`${path}/publish`), 200)
      assert.deepEqual(partsOf(await readPage(service, id)), seenChanged)
    })

    it('are restored from revisions as far as the schema has them', async () => {
      const first = await world.start({})
      const id = await createPage(first, filled)
      expectStatus(await putPage(first, id, { hero: null, body: [] }), 200)
      const service = await world.start(changed)
      const { data } = expectStatus(await service.admin.get(`/api/content/page/${id}/revisions`), 200).body
      const oldest = data.at(-1)
      assert.deepEqual(partsOf(oldest.data), seenChanged)
      expectStatus(await service.admin.post(`/api/content/page/${id}/revisions/${oldest.id}/restore`), 200)
      assert.deepEqual(partsOf(await readPage(service, id)), seenChanged)
    })
  })

  describe('a process of an earlier version beside one with other components', slow, () => {
    const world = createComponentWorld(database)

    it('both answer and write in the form of their own schema', async () => {
      const versions = [
        { isList: false, names: ['note', 'title'], note: 'string' },
        {
          isList: false,
          names: ['note', 'title'],
          note: 'number',
          card: { title: text, note: { type: 'integer' } },
        },
        {
          isList: false,
          names: ['remark', 'title'],
          card: { title: text, remark: { ...text, renamedFrom: 'note' } },
        },
        { isList: true, names: ['title'], ...changed },
      ]
      const [first, ...others] = versions
      let earlier = { service: await world.start({}), version: first }
      const cards = [
        { title: 'a', note: 'x' },
        { title: 'b', note: '7' },
      ]
      const id = await createPage(earlier.service, { ...filled, cards })
      for (const version of others) {
        const later = { service: await world.startBeside(version), version }
        for (const [one, other] of [
          [earlier, later],
          [later, earlier],
        ] as const) {
          const shown = await readPage(one.service, id)
          assertFits(shown, one.version)
          expectStatus(await putPage(one.service, id, shown), 200)
          const created = await createPage(one.service, { ...shown, title: 'new' })
          const seen = await readPage(other.service, created)
          assertFits(seen, other.version)
          expectStatus(await putPage(other.service, created, seen), 200)
          expectStatus(await other.service.admin.get('/api/content/page?filters[hero][title]=hero'), 200)
          expectStatus(await other.service.admin.delete(`/api/content/page/${created}`), 200)
        }
        earlier = later
      }
    })
  })
})

interface Form {
  readonly isList: boolean
  readonly names: readonly string[]
  readonly note?: string
}

/** Whether heroes and cards are as a version declares them; a value that does not fit is null. */
function assertFits({ hero, cards }: Record<string, unknown>, form: Form | undefined): void {
  assert.equal(Array.isArray(hero), form?.isList)
  for (const item of [hero, cards].flat() as Record<string, unknown>[]) {
    assert.deepEqual(Object.keys(item).sort(), form?.names)
    assert.ok((item.note ?? null) === null || typeof item.note === form?.note, JSON.stringify(item))
  }
}
