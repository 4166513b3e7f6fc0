import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { TransferSide } from '../../core-plugins/administration/transfer/transfer.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { differencesBetween, type Place, remoteOf, startPlace, transfer, type } from './transfer-world.ts'

const relation = (target: string, kind = 'manyToOne') => ({ type: 'relation', relation: kind, target })

const schemas = {
  'writer.json': type('writer', { name: { type: 'string' } }, { softDelete: true }),
  'book.json': type(
    'book',
    {
      title: { type: 'string' },
      writer: relation('writer'),
      readers: relation('writer', 'manyToMany'),
      parts: { type: 'component', component: 'test.chapter', repeatable: true },
    },
    { draftAndPublish: true, draftOverlay: true },
  ),
  'components/test.chapter.json': {
    ...{ uid: 'test.chapter', category: 'test', info: { displayName: 'Chapter' } },
    attributes: { writer: relation('writer') },
  },
}

/** What is in the trash of one side only. */
eachDatabase(({ name }) => {
  let here: Place
  let there: Place
  let remote: TransferSide
  before(async () => {
    ;[here, there] = await Promise.all([startPlace('sqlite', {}, schemas), startPlace(name, {}, schemas)])
    remote = await remoteOf(there)
  })
  after(() => Promise.all([here?.service.stop(), there?.service.stop()]))

  const only = { types: ['writer', 'book'] }
  const books = { types: ['book'] }
  const idAt = async (place: Place, of: string, key: string) => {
    const all = await place.list(of, '&fields=uuid')
    return Number(all.find(({ uuid }) => uuid === key)?.id)
  }
  const toTrash = async (place: Place, id: number) =>
    expectStatus(await place.service.admin.delete(`/api/content/writer/${id}`), 200)

  let ann: { id: number; key: string }
  let ben: { id: number; key: string }
  let book: { id: number; key: string }
  const made = async (of: string, data: object) => {
    const { id } = await here.create(of, data)
    return { id, key: await here.uuidOf(of, id) }
  }
  beforeEach(async () => {
    ann = await made('writer', { name: 'Ann' })
    ben = await made('writer', { name: 'Ben' })
    book = await made('book', {
      ...{ title: 'Old', writer: ann.id, readers: [ann.id, ben.id] },
      parts: [{ writer: ann.id }, { writer: ben.id }],
    })
    await here.publish('book', book.id)
    await transfer(here, here.side, remote, {}, only)
  })

  /** To whom a book at a place leads, by their names there. */
  const told = async (place: Place) => {
    const id = await idAt(place, 'book', book.key)
    const populated = 'populate=writer,readers,parts.writer'
    const { body } = await place.service.admin.get(`/api/content/book/${id}?${populated}`)
    const { title, writer, readers, parts } = body.data
    const nameOf = (each: { name: string } | null) => each?.name ?? null
    return {
      ...{ title, writer: nameOf(writer), readers: readers.map(nameOf) },
      parts: parts.map((part: { writer: { name: string } | null }) => nameOf(part.writer)),
    }
  }
  const whole = { writer: 'Ann', readers: ['Ann', 'Ben'], parts: ['Ann', 'Ben'] }

  describe('what is in the trash of the source', () => {
    it('stays what the target refers to where it is alive there', slow, async () => {
      await here.update('book', book.id, { title: 'New' })
      await here.publish('book', book.id)
      await toTrash(here, ann.id)
      await transfer(here, here.side, remote, {}, books)
      assert.deepEqual(await told(there), { title: 'New', ...whole })
      assert.deepEqual(await differencesBetween(here.side, remote, books), [])
    })

    it('also in a pending draft', async () => {
      await here.update('book', book.id, { title: 'New', writer: ben.id, parts: [{ writer: ben.id }] })
      await toTrash(here, ben.id)
      await transfer(here, here.side, remote, {}, books)
      assert.deepEqual(await told(there), { title: 'Old', ...whole })
      await there.publish('book', await idAt(there, 'book', book.key))
      assert.deepEqual(await told(there), { ...whole, title: 'New', writer: 'Ben', parts: ['Ben'] })
    })

    it('leaves a single reference as it is where the target has never had it', async () => {
      const cleo = await made('writer', { name: 'Cleo' })
      await here.update('book', book.id, { title: 'New', writer: cleo.id, readers: [cleo.id, ben.id] })
      await here.publish('book', book.id)
      await toTrash(here, cleo.id)
      await transfer(here, here.side, remote, {}, books)
      assert.deepEqual(await told(there), { ...whole, title: 'New', readers: ['Ben'] })
    })

    it('is in the trash of both, and comes back with its references', async () => {
      await here.update('book', book.id, { title: 'New' })
      await here.publish('book', book.id)
      const annThere = await idAt(there, 'writer', ann.key)
      await toTrash(here, ann.id)
      await toTrash(there, annThere)
      // Without what nobody sees any more, it is another one on both sides.
      await transfer(here, here.side, remote, { onConflict: 'source' }, books)
      assert.deepEqual(await told(there), {
        title: 'New',
        writer: null,
        readers: ['Ben'],
        parts: [null, 'Ben'],
      })
      expectStatus(await there.service.admin.post(`/api/content/writer/${annThere}/restore`), 200)
      assert.deepEqual(await told(there), { title: 'New', ...whole })
    })

    it('goes without a mark to a side that does not know of such, and comes from one without', async () => {
      const isOther = ({ name: kept }: { name: string }) => kept !== 'hidden'
      const older: TransferSide = {
        ...remote,
        async describe() {
          const described = await remote.describe()
          const sections = described.sections.map((section) => ({
            ...section,
            beside: section.beside?.filter((kept) => isOther({ name: kept })),
          }))
          return { ...described, sections }
        },
      }
      await here.update('book', book.id, { title: 'New' })
      await here.publish('book', book.id)
      await toTrash(here, ann.id)
      const [item] = await here.side.find('content:book', [book.key])
      assert.ok(!JSON.stringify(item?.value).includes(ann.key))
      await transfer(here, here.side, older, {}, books)
      assert.equal((await told(there)).title, 'New')
    })
  })
})
