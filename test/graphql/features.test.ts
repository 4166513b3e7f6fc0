import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { seed } from '../api/content-seeds.ts'
import { addMedia, allow, dataOf, useContent, withScopes } from '../api/content-world.ts'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { ask, codesIn, countStatements, post } from './graphql-world.ts'

eachDatabase(({ name }) => {
  const world = useContent(name)

  before(async () => {
    await seed(world)
    await allow(world, 'public', { sample: { read: true }, person: { read: true } })
  })

  describe('GraphQL and search', () => {
    for (const caller of ['admin', 'anonymous'] as const) {
      it(`finds for ${caller} what REST finds`, async () => {
        const rest = await world[caller].get('/api/search?q=alpha&limit=5&offset=1')
        const { search } = await ask(
          world[caller],
          `query ($q: String!) { search(q: $q, limit: 5, offset: 1) {
            data { type id title score highlights entry { __typename ... on Sample { id title owner { name } } } }
            pagination { total limit offset hasMore }
          } }`,
          { q: 'alpha' },
        )
        assert.ok(rest.body.data.length > 0)
        assert.deepEqual(search.pagination, rest.body.pagination)
        const shown = search.data.map((hit: { entry: object | null }) => ({ ...hit, entry: null }))
        assert.deepEqual(
          shown,
          rest.body.data.map((hit: object) => ({ ...hit, entry: null })),
        )
        for (const { id, entry } of search.data)
          assert.deepEqual([entry.__typename, entry.id], ['Sample', id])
      })
    }

    it('reads all entries of a type with one statement, and their relations with one more', async () => {
      const document = (limit: number) =>
        `{ search(q: "alpha", limit: ${limit}) { data { entry { ... on Sample { id owner { name } } } } } }`
      const few = await countStatements(world.service, () => ask(world.admin, document(2)))
      const many = await countStatements(world.service, () => ask(world.admin, document(20)))
      assert.equal(few, many)
    })

    it('refuses what REST refuses', async () => {
      for (const [args, status] of [
        ['q: ""', 400],
        ['q: "x", limit: 0', 400],
        ['q: "x", offset: -1', 400],
        ['q: "x", types: ["nope"]', 400],
        ['q: "x", locale: ""', 400],
        [`q: "${'x'.repeat(1_001)}"`, 400],
      ] as const) {
        const answer = await post(world.admin, `{ search(${args}) { pagination { total } } }`)
        assert.equal(answer.status, status, args)
      }
      const closed = await post(world.anonymous, '{ search(q: "x", types: ["tag"]) { data { id } } }')
      assert.deepEqual(codesIn(closed), ['UNAUTHENTICATED'])
    })
  })

  describe('GraphQL and aggregates', () => {
    const rest = async (client: Client, query: string) =>
      dataOf(await client.get(`/api/content/sample/aggregate?${query}`)) as never

    it('works out what REST does, all with one statement', async () => {
      const filters = 'filters: { count: { gt: 1 } }'
      const document = `{ sampleListAggregate(${filters}) { data {
        count counts { title tags } sum { count price } avg { count price } min { title day price } max { seenAt count }
      } } }`
      const { sampleListAggregate } = await ask(world.admin, document)
      const where = '&filters[count][$gt]=1'
      const value = async (query: string) =>
        ((await rest(world.admin, query + where)) as { value: unknown }).value
      assert.deepEqual(sampleListAggregate.data, [
        {
          count: await value('function=count'),
          counts: {
            title: await value('function=count&field=title'),
            tags: await value('function=count&field=tags'),
          },
          sum: {
            count: await value('function=sum&field=count'),
            price: await value('function=sum&field=price'),
          },
          avg: {
            count: await value('function=avg&field=count'),
            price: await value('function=avg&field=price'),
          },
          min: {
            title: await value('function=min&field=title'),
            day: await value('function=min&field=day'),
            price: await value('function=min&field=price'),
          },
          max: {
            seenAt: await value('function=max&field=seenAt'),
            count: await value('function=max&field=count'),
          },
        },
      ])
      assert.equal(await countStatements(world.service, () => ask(world.admin, document)), 1)
    })

    it('groups as REST does, the largest first', async () => {
      const { byKind } = await ask(
        world.admin,
        '{ byKind: sampleListAggregate(groupBy: [kind, owner]) { data { sum { count } group { kind owner } count } } }',
      )
      const groups = (await rest(world.admin, 'function=sum&field=count&groupBy=kind,owner')) as {
        group: object
        value: unknown
      }[]
      assert.ok(groups.length > 2)
      assert.deepEqual(
        byKind.data.map(({ group, sum }: { group: object; sum: { count: unknown } }) => ({
          group,
          value: sum.count,
        })),
        groups,
      )
    })

    it('counts nothing that the caller does not see', async () => {
      const { sampleListAggregate } = await ask(
        world.anonymous,
        '{ sampleListAggregate(filters: { owner: { name: { notNull: true } } }) { data { count } } }',
      )
      const { value } = (await rest(
        world.anonymous,
        'function=count&filters[owner][name][$notNull]=true',
      )) as { value: number }
      assert.deepEqual(sampleListAggregate.data, [{ count: value }])
      const closed = await post(
        world.anonymous,
        '{ sampleListAggregate(groupBy: [tags]) { data { count } } }',
      )
      assert.deepEqual(codesIn(closed), ['UNAUTHENTICATED'])
      const drafts = await post(
        world.anonymous,
        '{ personListAggregate(published: false) { data { count } } }',
      )
      assert.deepEqual(codesIn(drafts), ['FORBIDDEN'])
    })
  })

  describe('GraphQL and media', () => {
    let files: number[]
    before(async () => {
      files = await addMedia(world, ['a.png', 'b.png', 'c.png'])
    })

    it('lists, changes, moves and deletes files as REST does', async () => {
      const { createMediaFolder } = await ask(
        world.admin,
        'mutation { createMediaFolder(data: { name: " Photos " }) { data { id name parent { id } } } }',
      )
      const folder = createMediaFolder.data
      assert.deepEqual(folder, { id: folder.id, name: 'Photos', parent: null })
      const { media } = await ask(
        world.admin,
        `{ media(filters: { filename: { endsWith: "png" } }, sort: "id:desc", limit: 2) {
          data { id filename size } pagination { total hasMore } } }`,
      )
      const [, second, third] = files
      assert.deepEqual(
        media.data.map((file: { id: number; filename: string }) => [file.id, file.filename]),
        [
          [third, 'c.png'],
          [second, 'b.png'],
        ],
      )
      assert.deepEqual(media.pagination, { total: 3, hasMore: true })
      const [{ id }] = media.data
      const { updateMedia, moveMedia, mediaFolders } = await ask(
        world.admin,
        `mutation ($id: ID!, $folder: ID!) {
          updateMedia(id: $id, data: { alt: "A tree", tags: "b, a,b" }) { data { id alt tags folder { name } } }
          moveMedia(ids: [$id], folder: $folder) { count ids }
        }`,
        { id, folder: folder.id },
      ).then(async (written) => ({
        ...written,
        ...(await ask(world.admin, '{ mediaFolders { data { id name } } }')),
      }))
      assert.deepEqual(updateMedia.data, { id, alt: 'A tree', tags: 'b, a', folder: null })
      assert.deepEqual(moveMedia, { count: 1, ids: [id] })
      assert.deepEqual(mediaFolders.data, [{ id: folder.id, name: 'Photos' }])
      const one = await ask(world.admin, `{ mediaFile(id: ${id}) { data { alt folder { name } } } }`)
      assert.deepEqual(one.mediaFile.data, { alt: 'A tree', folder: { name: 'Photos' } })
      const refused = await post(
        world.admin,
        `mutation { deleteMediaFolder(id: ${folder.id}) { data { id } } }`,
      )
      assert.equal(codesIn(refused).length, 1)
      await ask(world.admin, `mutation { deleteMedia(id: ${id}) { data { id filename } } }`)
      assert.equal((await world.admin.get(`/api/media/${id}`)).status, 404)
      await ask(world.admin, `mutation { deleteMediaFolder(id: ${folder.id}) { data { id } } }`)
    })

    it('changes and deletes several files at once, all or none', async () => {
      const ids = await addMedia(world, ['d.png', 'e.png'])
      const describe = `mutation ($files: [MediaDescription!]!) { bulkUpdateMedia(files: $files) { data { id alt } } }`
      const files = ids.map((id) => ({ id, data: { alt: `file ${id}` } }))
      const { bulkUpdateMedia } = await ask(world.admin, describe, { files })
      assert.deepEqual(
        bulkUpdateMedia.data,
        ids.map((id) => ({ id, alt: `file ${id}` })),
      )
      const missing = await post(world.admin, describe, {
        files: [...files.map(({ id }) => ({ id, data: { alt: 'lost' } })), { id: 99_999, data: {} }],
      })
      assert.deepEqual(codesIn(missing), ['NOT_FOUND'])
      const { media } = await ask(
        world.admin,
        `{ media(filters: { id: { in: [${ids}] } }, sort: "id") { data { alt } } }`,
      )
      assert.deepEqual(
        media.data,
        ids.map((id) => ({ alt: `file ${id}` })),
      )
      const none = await post(world.admin, 'mutation { bulkDeleteMedia(ids: []) { count } }')
      assert.deepEqual(codesIn(none), ['VALIDATION_ERROR'])
      const { bulkDeleteMedia } = await ask(
        world.admin,
        `mutation { bulkDeleteMedia(ids: [${ids}]) { count ids } }`,
      )
      assert.deepEqual(bulkDeleteMedia, { count: 2, ids })
    })

    it('asks for the rights of the media library', async () => {
      const reader = await withScopes(world, 'content:read')
      for (const document of [
        '{ media { data { id } } }',
        '{ mediaFile(id: 1) { data { id } } }',
        '{ mediaFolders { data { id } } }',
        'mutation { updateMedia(id: 1, data: {}) { data { id } } }',
        'mutation { moveMedia(ids: [1]) { count } }',
        'mutation { deleteMedia(id: 1) { data { id } } }',
        'mutation { bulkUpdateMedia(files: [{ id: 1, data: {} }]) { data { id } } }',
        'mutation { bulkDeleteMedia(ids: [1]) { count } }',
        'mutation { createMediaFolder(data: { name: "x" }) { data { id } } }',
        'mutation { updateMediaFolder(id: 1, data: {}) { data { id } } }',
        'mutation { deleteMediaFolder(id: 1) { data { id } } }',
      ]) {
        const answer = await post(reader, document)
        assert.deepEqual([answer.status, ...codesIn(answer)], [403, 'FORBIDDEN'], document)
      }
    })
  })
})

const text = { type: 'string' }

const notes: Readonly<Record<string, object>> = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: {
      draftAndPublish: true,
      i18n: { enabled: true, locales: ['en', 'de'] },
      workflow: {
        enabled: true,
        initialState: 'draft',
        states: [
          { name: 'draft', label: 'Draft' },
          { name: 'ready', label: 'Ready', publishable: true },
        ],
        transitions: [{ from: 'draft', to: 'ready', label: 'Done' }],
      },
    },
    attributes: { title: { ...text, pluginOptions: { i18n: { localized: true } } }, code: text },
  },
  'plain.json': {
    kind: 'collectionType',
    info: { singularName: 'plain', pluralName: 'plains', displayName: 'Plain' },
    attributes: { title: text },
  },
}

describe('GraphQL and editorial features', () => {
  let service: TestService
  before(async () => {
    service = await startService({
      schemas: notes,
      env: { SVC_LOCALIZATION_LOCALES: 'en,de' },
    })
  })
  after(() => service.stop())

  it('localises, compares and sets the status of translations', async () => {
    const { createNote } = await ask(
      service.admin,
      'mutation { createNote(data: { title: "Hello", code: "h" }) { data { id } } }',
    )
    const { id } = createNote.data
    const { createNoteLocalization } = await ask(
      service.admin,
      `mutation { createNoteLocalization(id: ${id}, locale: "de", data: { title: "Hallo" }) { data { id title code locale } } }`,
    )
    const german = createNoteLocalization.data
    assert.deepEqual(german, { id: german.id, title: 'Hallo', code: 'h', locale: 'de' })
    const again = await post(
      service.admin,
      `mutation { createNoteLocalization(id: ${id}, locale: "de") { data { id } } }`,
    )
    assert.deepEqual([again.status, ...codesIn(again)], [409, 'CONFLICT'])
    const { setNoteTranslationStatus } = await ask(
      service.admin,
      `mutation { setNoteTranslationStatus(id: ${german.id}, status: in_review, notes: "look") { locale status notes } }`,
    )
    assert.deepEqual(setNoteTranslationStatus, { locale: 'de', status: 'in_review', notes: 'look' })
    await ask(
      service.admin,
      `mutation { setNoteTranslationStatus(id: ${german.id}, status: approved, notes: null) { id } }`,
    )
    const { noteLocalizations, noteLocalizationDiff } = await ask(
      service.admin,
      `{ noteLocalizations(id: ${id}) { localizations { id title } translationMeta { locale status sourceLocale notes } }
         noteLocalizationDiff(id: ${german.id}) { sourceLocale locale fields { field source translation same changed } } }`,
    )
    assert.deepEqual(noteLocalizations.localizations, [
      { id, title: 'Hello' },
      { id: german.id, title: 'Hallo' },
    ])
    assert.deepEqual(noteLocalizations.translationMeta[1], {
      ...{ locale: 'de', status: 'approved', sourceLocale: 'en', notes: null },
    })
    assert.deepEqual(noteLocalizationDiff, {
      ...{ sourceLocale: 'en', locale: 'de' },
      fields: [{ field: 'title', source: 'Hello', translation: 'Hallo', same: false, changed: false }],
    })
  })

  it('moves entries through their workflow', async () => {
    const { createNote } = await ask(
      service.admin,
      'mutation { createNote(data: { title: "w" }) { data { id } } }',
    )
    const { id } = createNote.data
    const { noteWorkflow } = await ask(
      service.admin,
      `{ noteWorkflow(id: ${id}) { state { name publishable } transitions { to label } refused { to } } }`,
    )
    assert.deepEqual(noteWorkflow, {
      state: { name: 'draft', publishable: false },
      transitions: [{ to: 'ready', label: 'Done' }],
      refused: [],
    })
    const { transitionNote } = await ask(
      service.admin,
      `mutation { transitionNote(id: ${id}, to: "ready", comment: "fine") { state { name } transitions { to } } }`,
    )
    assert.deepEqual(transitionNote, { state: { name: 'ready' }, transitions: [] })
    const refused = await post(
      service.admin,
      `mutation { transitionNote(id: ${id}, to: "draft") { state { name } } }`,
    )
    assert.deepEqual([refused.status, ...codesIn(refused)], [409, 'INVALID_TRANSITION'])
    const { noteWorkflowHistory } = await ask(
      service.admin,
      `{ noteWorkflowHistory(id: ${id}, limit: 5) { data { from to comment actor { kind } } pagination { total } } }`,
    )
    assert.deepEqual(noteWorkflowHistory, {
      data: [{ from: 'draft', to: 'ready', comment: 'fine', actor: { kind: 'admin' } }],
      pagination: { total: 1 },
    })
    const log = await service.admin.get('/api/admin/audit-logs?action=workflow.transition&limit=1')
    assert.equal(log.body.data[0].resource, `note:${id}`)
  })

  it('asks for the rights of each route, and shows nobody else the field', async () => {
    const world = { service, admin: service.admin, anonymous: service } as never
    const reader = await withScopes(world, 'content:read')
    const fields = async (client: Client) => {
      const { __schema } = await ask(
        client,
        '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }',
      )
      const names = (type: { fields: { name: string }[] } | null) =>
        type?.fields.map((each) => each.name) ?? []
      return [...names(__schema.queryType), ...names(__schema.mutationType)]
    }
    const all = await fields(service.admin)
    for (const name of ['noteWorkflow', 'transitionNote', 'createNoteLocalization', 'search', 'media']) {
      assert.ok(all.includes(name), name)
    }
    assert.ok(!all.some((name) => name.startsWith('plainLocali') || name === 'transitionPlain'))
    const seen = await fields(reader)
    assert.deepEqual(seen.filter((name) => !/^(note|notes|plain|plains)$/.test(name)).sort(), [
      ...['noteLocalizationDiff', 'noteLocalizations', 'notesAggregate', 'notesDistinct'],
      ...['plainsAggregate', 'plainsDistinct', 'search'],
    ])
    for (const document of [
      '{ noteWorkflow(id: 1) { state { name } } }',
      '{ noteWorkflowHistory(id: 1) { data { id } } }',
      'mutation { transitionNote(id: 1, to: "ready") { state { name } } }',
      'mutation { createNoteLocalization(id: 1, locale: "de") { data { id } } }',
      'mutation { setNoteTranslationStatus(id: 1, status: draft) { id } }',
    ]) {
      const answer = await post(reader, document)
      assert.deepEqual([answer.status, ...codesIn(answer)], [403, 'FORBIDDEN'], document)
    }
    const ofPlain = await withScopes(world, 'content:read:plain')
    const closed = await post(ofPlain, '{ noteLocalizations(id: 1) { localizations { id } } }')
    assert.deepEqual(codesIn(closed), ['FORBIDDEN'])
    const open = await ask(
      ofPlain,
      '{ plainsAggregate { data { count } } search(q: "hello") { data { type } } }',
    )
    assert.deepEqual(open.search.data, [])
    const drafts = await ask(reader, '{ search(q: "hello") { data { entry { __typename } } } }')
    assert.deepEqual(drafts.search.data, [])
  })

  it('counts what features cost', async () => {
    const many = (field: string, count: number) =>
      `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')} }`
    for (const document of [
      many('search(q: "x") { pagination { total } }', 201),
      many('notesAggregate { data { count } }', 201),
      many('noteLocalizations(id: 1) { localizations { id } }', 101),
      many('search(q: "x", limit: 100) { data { type id entry { ... on Note { id title code } } } }', 40),
    ]) {
      const answer = await post(service.admin, document)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].extensions.details[0].code, 'cost', document.slice(0, 60))
    }
  })
})

describe('GraphQL without the plugins of its features', () => {
  it('has no fields of theirs', async () => {
    const service = await startService({
      schemas: notes,
      env: { SVC_PLUGINS_DISABLED: 'search,aggregate,i18n,workflow' },
    })
    try {
      const { __schema } = await ask(
        service.admin,
        '{ __schema { queryType { fields { name } } mutationType { fields { name } } types { name } } }',
      )
      assert.doesNotMatch(JSON.stringify(__schema), /search"|Aggregate|Workflow|Locali|transition|AnyEntry/)
      assert.deepEqual(await ask(service.admin, '{ plains { data { id } } }'), { plains: { data: [] } })
    } finally {
      await service.stop()
    }
  })
})
