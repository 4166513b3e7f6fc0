import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus, problemsOf } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { dataOf, fullEntry, type HiddenLinksWorld, path, startHiddenLinks } from './hidden-links-world.ts'

/** What is sent back as it was shown changes nothing, whatever leads to entries that are not shown. */
eachDatabase(({ name }) => {
  let world: HiddenLinksWorld
  let admin: Client
  let count = 0

  const nextCode = () => `c${++count}`
  const addFull = (type: string, more: object = {}) =>
    world.create(type, { code: nextCode(), title: 'Old', ...fullEntry(world), ...more })
  const toTrash = async () => dataOf(await admin.delete(path('bin', world.ids.trashed)))
  const outOfTrash = async () => dataOf(await admin.post(path('bin', `${world.ids.trashed}/restore`)))

  before(async () => {
    world = await startHiddenLinks(name)
    admin = world.service.admin
  })
  after(() => world?.service.stop())

  /** Sends entries back as somebody reads them, with another title. */
  type Surface = (client: Client, type: string, ids: readonly number[]) => Promise<void>
  const sent = async (client: Client, type: string, id: number): Promise<Record<string, unknown>> => ({
    ...(await world.read(client, path(type, id))),
    title: 'New',
  })
  const surfaces: Record<string, Surface> = {
    async 'a PUT'(client, type, ids) {
      for (const id of ids) await world.put(client, path(type, id), await sent(client, type, id))
    },
    async 'a bulk update'(client, type, ids) {
      const { code: _code, ...data } = await sent(client, type, ids[0] ?? 0)
      dataOf(await client.patch(path(type, 'bulk-update'), { ids, data }))
    },
    async 'a bulk create by match'(client, type, ids) {
      const entries = await Promise.all(ids.map((id) => sent(client, type, id)))
      const save = async () => dataOf(await client.post(path(type, 'bulk-create?match=code'), entries))
      assert.equal((await save()).updated, ids.length)
      assert.equal((await save()).unchanged, ids.length)
    },
    async 'an import of what was exported'(client, type, ids) {
      for (const id of ids) await world.put(client, path(type, id), { title: 'Between' })
      const { body } = await client.get(path(type, `export?filters[id][$in]=${ids.join()}`))
      const lines = String(body).replaceAll('"Between"', '"New"')
      const headers = { 'content-type': 'application/x-ndjson' }
      dataOf(await client.post(path(type, 'import?match=code'), lines, { headers }))
    },
    /** What refers to types that a caller may not read cannot be written there, and is left out. */
    async GraphQL(client, type, ids) {
      const named = type === 'note' ? 'Note' : 'Page'
      const query = `mutation ($id: ID!, $data: ${named}UpdateInput!) { update${named}(id: $id, data: $data) { data { id } } }`
      for (const id of ids) {
        const data = withoutEmpty(await sent(client, type, id))
        const { body } = await client.post('/api/graphql', { query, variables: { id: String(id), data } })
        assert.equal(body.errors, undefined, JSON.stringify(body.errors))
      }
    },
  }
  const withoutEmpty = ({
    id: _id,
    created_at: _at,
    updated_at: _since,
    ...rest
  }: Record<string, unknown>) => {
    const text = JSON.stringify(rest, (field, value) =>
      field.startsWith('vault') && (value === null || value.length === 0) ? undefined : value,
    )
    return JSON.parse(text) as object
  }

  for (const [surface, write] of Object.entries(surfaces)) {
    it(`by ${surface}`, slow, async () => {
      for (const caller of ['writer', 'editor', 'admin'] as const) {
        const client = caller === 'admin' ? admin : world[caller].client
        const ids = [await addFull('note'), await addFull('note')]
        const stored = await Promise.all(ids.map((id) => world.stored('note', id)))
        await toTrash()
        try {
          await write(client, 'note', ids)
          for (const [index, id] of ids.entries()) {
            assert.deepEqual(await world.stored('note', id), { ...stored[index], title: 'New' }, caller)
          }
        } finally {
          await outOfTrash()
        }
      }
    })
  }

  /** With the entry of `ids.trashed` in the trash. */
  const whileTrashed = async (work: () => Promise<void>) => {
    await toTrash()
    try {
      await work()
    } finally {
      await outOfTrash()
    }
  }

  it('and by a single type', () =>
    whileTrashed(async () => {
      await outOfTrash()
      const full = { code: nextCode(), title: 'Old', ...fullEntry(world) }
      const { id } = dataOf(await admin.put(path('front'), full), 201)
      const stored = await world.stored('front', id)
      await toTrash()
      for (const client of [world.writer.client, world.editor.client, admin]) {
        const shown = await world.read(client, path('front'))
        await world.put(client, path('front'), { ...shown, title: 'New' })
        assert.deepEqual(await world.stored('front', id), { ...stored, title: 'New' })
      }
    }))

  it('and what is left out of a component stays as it is', async () => {
    const id = await addFull('note')
    const { part } = await world.stored('note', id)
    await world.put(world.writer.client, path('note', id), { part: { label: 'new', bin: world.ids.bin } })
    const { vault, vaults, leaf, leaves } = part as Record<string, unknown>
    const { part: changed } = await world.stored('note', id)
    assert.deepEqual(changed, {
      ...{
        label: 'new',
        text: null,
        isOn: true,
        vault,
        vaults,
        leaf,
        bin: world.ids.bin,
        bins: [],
        inner: null,
      },
      // It was seen, and left out.
      leaves: (leaves as number[]).filter((each) => each === world.ids.draft),
    })
  })

  it('in the order that they had', async () => {
    const { draft: hidden, leaf } = world.ids
    const more: number[] = []
    for (const each of ['a', 'b']) {
      const added = await world.create('leaf', { name: each })
      dataOf(await admin.put(path('leaf', `${added}/publish`)))
      more.push(added)
    }
    const [first, second] = more as [number, number]
    const other = await world.create('leaf', { name: 'hidden, too' })
    const leaves = [hidden, leaf, first, other, second]
    const cases: [number[], number[]][] = [
      [[leaf, first, second], leaves],
      [
        [second, first, leaf],
        [hidden, second, first, other, leaf],
      ],
      [
        [leaf, second],
        [hidden, leaf, other, second],
      ],
      [[], [hidden, other]],
    ]
    for (const [shown, expected] of cases) {
      const id = await world.create('note', { leaves, part: { leaves } })
      await world.put(world.writer.client, path('note', id), { leaves: shown, part: { leaves: shown } })
      const seen = await world.read(admin, path('note', id))
      assert.deepEqual([seen.leaves, (seen.part as { leaves: unknown }).leaves], [expected, expected])
      await world.put(admin, path('note', id), { leaves: [second] })
      assert.deepEqual((await world.read(admin, path('note', id))).leaves, [second])
    }
  })

  it('in blocks that are moved, changed, added and removed', async () => {
    const { vault } = world.ids
    const others = [await world.create('vault', {}), await world.create('vault', {})]
    const block = (label: string, more: object = {}) => ({ __component: 'x.other', label, ...more })
    const write = async (before: object[], sentBlocks: object[]) => {
      const id = await world.create('note', { zone: before })
      await world.put(world.writer.client, path('note', id), { zone: sentBlocks })
      const { zone } = await world.read(admin, path('note', id))
      return (zone as { label: string; vault: unknown }[]).map((each) => [each.label, each.vault])
    }
    const [a, b, c] = [
      block('a', { vault }),
      block('b', { vault: others[0] }),
      block('c', { vault: others[1] }),
    ] as const
    const [x, y, z] = [block('a'), block('b'), block('c')] as const
    assert.deepEqual(await write([a, b, c], [z, block('new'), x]), [
      ['c', others[1]],
      ['new', null],
      ['a', vault],
    ])
    assert.deepEqual(await write([a, b, c], [x, block('changed'), z]), [
      ['a', vault],
      ['changed', others[0]],
      ['c', others[1]],
    ])
    const withIds = [a, b].map((each, index) => ({ ...each, id: index }))
    assert.deepEqual(await write(withIds, [{ ...y, id: 0 }, block('b', { id: 2 })]), [
      ['b', vault],
      ['b', null],
    ])
    // Another component in the same place is another block.
    assert.deepEqual(await write([a], [{ __component: 'x.part', label: 'a' }]), [['a', null]])
  })

  it('but nothing is kept of what is replaced or taken away', async () => {
    const { bin, leaf } = world.ids
    const id = await addFull('note')
    const data = { leaf, bin, part: { leaf, bin }, parts: [], zone: null }
    const { client } = world.writer
    await whileTrashed(async () => {
      await world.put(client, path('note', id), data)
    })
    const stored = await world.stored('note', id)
    const part = stored.part as Record<string, unknown>
    assert.deepEqual([stored.leaf, stored.bin, part.leaf, part.bin], [leaf, bin, leaf, bin])
    assert.deepEqual([stored.parts, stored.zone], [[], []])
    await world.put(client, path('note', id), { part: null })
    assert.equal((await world.stored('note', id)).part, null)
  })

  it('whoever sees a link can take it out, and administrators what leads into the trash', async () => {
    const id = await addFull('note')
    await world.put(admin, path('note', id), { vault: null, vaults: [], leaf: null, part: { label: 'p' } })
    const stored = await world.stored('note', id)
    const { vault, vaults, leaf, bin } = stored.part as Record<string, unknown>
    assert.deepEqual([stored.vault, stored.vaults, stored.leaf], [null, [], null])
    assert.deepEqual([vault, vaults, leaf, bin], [null, [], null, null])
    const other = await addFull('note')
    await whileTrashed(async () => {
      const { draft, trashed } = world.ids
      const unlink = (client: Client, field: string, target: number) =>
        client.delete(path('note', `${other}/unlink/${field}`), { id: target })
      const before = await world.stored('note', other)
      const { updated_at: version } = await world.read(admin, path('note', other))
      const hidden: [string, number][] = [
        ['bin', trashed],
        ['bins', trashed],
        ['leaf', draft],
        ['leaves', draft],
      ]
      for (const [field, target] of hidden) {
        // Neither tells whether there is such a link.
        dataOf(await unlink(world.writer.client, field, target))
        assert.deepEqual(await world.stored('note', other), before)
        const linked = await world.writer.client.post(path('note', `${other}/link/${field}`), { id: target })
        assert.deepEqual(Object.values(problemsOf(expectStatus(linked, 400))), ['reference'])
      }
      assert.equal((await world.read(admin, path('note', other))).updated_at, version)
      for (const field of ['bin', 'bins']) dataOf(await unlink(admin, field, trashed))
      const after = await world.stored('note', other)
      assert.deepEqual([after.bin, after.bins], [null, [world.ids.bin]])
    })
  })

  it('what refers to an entry that is gone for good is empty', async () => {
    const gone = await world.create('vault', {})
    const id = await world.create('note', { part: { vault: gone, vaults: [gone] } })
    dataOf(await admin.delete(path('vault', gone)))
    const shown = await world.read(world.writer.client, path('note', id))
    await world.put(world.writer.client, path('note', id), { part: shown.part })
    const { vault, vaults } = (await world.stored('note', id)).part as Record<string, unknown>
    assert.deepEqual([vault, vaults], [null, []])
  })

  it('a link that is hidden is as good as any other where one is required', async () => {
    const { vault } = world.ids
    const [bin, other] = [await world.create('bin', {}), await world.create('bin', {})]
    const id = await world.create('strict', { vault, bin, part: { vault, bins: [other] } })
    dataOf(await admin.delete(path('bin', other)))
    const stored = await world.stored('strict', id)
    for (const client of [world.writer.client, admin]) {
      const shown = await world.read(client, path('strict', id))
      assert.deepEqual((shown.part as { bins: unknown }).bins, [])
      await world.put(client, path('strict', id), shown)
      assert.deepEqual(await world.stored('strict', id), stored)
    }
    // Of one that is not there it is not said that it would be hidden.
    const { client } = world.writer
    const missing = await client.post(path('strict'), { bin, part: { label: 'x' } })
    const problems = { vault: 'required', 'part.vault': 'required', 'part.bins': 'required' }
    assert.deepEqual(problemsOf(expectStatus(missing, 400)), problems)
  })

  it('a change of many entries asks for the links of all of them at once', async () => {
    const database = world.service.kernel.get(databaseService)
    const [few, many] = [2, 40].map((size) => Array.from({ length: size }, () => nextCode()))
    const statements = async (codes: readonly string[] = []) => {
      const parts = codes.map((code) => ({
        code,
        title: 'Old',
        leaf: world.ids.draft,
        part: { vault: world.ids.vault },
      }))
      dataOf(await admin.post(path('note', 'bulk-create'), parts), 201)
      const shown = codes.map((code) => ({ code, title: 'New', leaf: null, part: { vault: null } }))
      const { client } = world.writer
      const save = async () => dataOf(await client.post(path('note', 'bulk-create?match=code'), shown))
      return countStatements(database, save, 'case when')
    }
    assert.deepEqual([await statements(few), await statements(many)], [2, 2])
  })

  describe('in drafts', () => {
    const published = async () => {
      const id = await addFull('page')
      dataOf(await admin.put(path('page', `${id}/publish`)))
      return id
    }

    it('that are saved and published', async () => {
      for (const caller of ['editor', 'admin'] as const) {
        const client = caller === 'admin' ? admin : world[caller].client
        const id = await published()
        const stored = await world.stored('page', id)
        await whileTrashed(async () => {
          for (const query of ['', '?draft=true', '?draft=true']) {
            const shown = await world.read(client, path('page', `${id}${query}`))
            await world.put(client, path('page', id), { ...shown, title: 'New' })
          }
          const { title, ...fields } = (await world.draft('page', id)) ?? {}
          const { title: _title, id: _id, created_at: _at, ...values } = stored
          assert.deepEqual([title, fields], ['New', values], caller)
          dataOf(await client.put(path('page', `${id}/publish`)))
          assert.deepEqual(await world.stored('page', id), { ...stored, title: 'New' })
        })
      }
    })

    it('that lead to what has come into the trash meanwhile, which can still be published', async () => {
      const id = await published()
      const { trashed } = world.ids
      const added = await world.create('bin', {})
      await world.put(admin, path('page', id), { bin: added, bins: [added, trashed], part: { bin: added } })
      dataOf(await admin.delete(path('bin', added)))
      dataOf(await world.editor.client.put(path('page', `${id}/publish`)))
      const { bin, bins } = await world.read(admin, path('page', id))
      assert.deepEqual([bin, bins], [null, [trashed]])
      dataOf(await admin.post(path('bin', `${added}/restore`)))
      const back = await world.read(admin, path('page', id))
      assert.deepEqual(
        [back.bin, back.bins, (back.part as { bin: unknown }).bin],
        [added, [added, trashed], added],
      )
    })
  })

  it('in what the localisations of an entry share', async () => {
    const { client } = world.writer
    const id = await addFull('text', { locale: 'en' })
    const {
      title: _t,
      id: _i,
      created_at: _c,
      locale: _l,
      code: _code,
      ...shared
    } = await world.stored('text', id)
    await whileTrashed(async () => {
      const shown = await world.read(client, path('text', id))
      const data = { ...shown, code: undefined, title: 'Neu', locale: 'de' }
      const added = dataOf(await client.post(path('text', `${id}/localizations`), data), 201)
      for (const version of [id, added.id]) {
        const stored = await world.stored('text', version)
        for (const [field, value] of Object.entries(shared)) assert.deepEqual(stored[field], value, field)
      }
      const back = await world.read(client, path('text', added.id))
      await world.put(client, path('text', added.id), { ...back, title: 'Neuer' })
      for (const version of [id, added.id]) {
        const stored = await world.stored('text', version)
        for (const [field, value] of Object.entries(shared)) assert.deepEqual(stored[field], value, field)
      }
    })
  })

  it('in revisions that are restored and bulk writes that are undone', async () => {
    const id = await addFull('note')
    const stored = await world.stored('note', id)
    const revisions = async () => dataOf(await admin.get(path('note', `${id}/revisions`)))
    const [first] = await revisions()
    await whileTrashed(async () => {
      const { client } = world.editor
      const shown = await world.read(client, path('note', id))
      const { code: _code, ...data } = shown
      const part = { ...(shown.part as object), label: 'changed' }
      const { batch } = dataOf(
        await client.patch(path('note', 'bulk-update'), { ids: [id], data: { ...data, part, title: 'New' } }),
      )
      assert.equal((await world.stored('note', id)).title, 'New')
      const reverted = dataOf(await client.post(`/api/admin/batches/${batch.id}/revert`))
      assert.deepEqual([reverted.ids, reverted.leftOut], [[id], []])
      assert.deepEqual(await world.stored('note', id), stored)
      await world.put(client, path('note', id), { title: 'New', part })
      const restored = dataOf(await admin.post(path('note', `${id}/revisions/${first.id}/restore`)))
      assert.equal(restored._leftOut, undefined)
      assert.deepEqual(await world.stored('note', id), stored)
    })
  })
})
