import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { aggregateService } from '../../core-plugins/delivery/aggregate/aggregate.ts'
import { graphqlExtensions } from '../../core-plugins/delivery/graphql/graphql.ts'
import { localizationsService } from '../../core-plugins/editing/i18n/i18n.ts'
import {
  bulkWritesService,
  contentQueriesService,
  contentService,
  trashService,
} from '../../core-plugins/entries/content/content.ts'
import { AppError, defineRoute, type Principal, routes } from '../../core-plugins/foundation/http/http.ts'
import { definePlugin } from '../../kernel/index.ts'
import { expectStatus, newApiToken, newUser } from '../api/auth-callers.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const note = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { draftAndPublish: true, softDelete: true },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    text: { type: 'string', pluginOptions: { i18n: { localized: true } } },
    other: { type: 'relation', relation: 'manyToOne', target: 'note' },
  },
}
const front = {
  kind: 'singleType',
  info: { singularName: 'front', pluralName: 'fronts', displayName: 'Front' },
  attributes: { text: { type: 'string' } },
}

/** Open to everybody, and with no check of its own. */
const careless = definePlugin({
  name: 'careless',
  description: 'Forgets to check',
  uses: { content: contentService },
  init({ services: { content }, contribute }) {
    const count = async (principal: Principal) =>
      (await content.list('note', 'limit=1', principal)).pagination.total ?? 0
    const base = { summary: 'Notes', access: 'open' } as const
    contribute(
      routes,
      defineRoute({
        ...base,
        name: 'careless:notes.count',
        method: 'GET',
        path: '/x/careless',
        handler: async ({ principal }) => ({ count: await count(principal) }),
      }),
    )
    contribute(
      routes,
      defineRoute({
        ...base,
        name: 'careless:notes.create',
        method: 'POST',
        path: '/x/careless',
        handler: async ({ principal }) => content.create({ type: 'note', principal }, { text: 'x' }),
      }),
    )
    contribute(graphqlExtensions, {
      queries: {
        noteCount: { type: 'Int', access: 'open', resolve: (_, { principal }) => count(principal) },
      },
    })
  },
})

const nobody: Principal = { kind: 'anonymous' }
const reader: Principal = { kind: 'token', id: 0, name: 'reader', scopes: new Set(['content:read']) }
const editor: Principal = {
  kind: 'token',
  id: 0,
  name: 'editor',
  scopes: new Set(['content:read', 'content:write', 'content:delete', 'content:publish']),
}

/** The rights of the caller in what plugins do with content. */
eachDatabase((database) => {
  let service: TestService
  let id: number
  before(async () => {
    service = await startService({
      database: database.name,
      schemas: { 'note.json': note, 'front.json': front },
      plugins: [careless],
    })
    const made = await service.admin.post('/api/content/note', { text: 'a' })
    id = expectStatus(made, 201).body.data.id
    expectStatus(await service.admin.put(`/api/content/note/${id}/publish`), 200)
    expectStatus(await service.admin.put('/api/content/front', { text: 'a' }), 201)
  })
  after(() => service.stop())

  /** Each read and write by the services that plugins use. */
  function operations(principal: Principal, type: string): Record<string, () => unknown> {
    const { kernel } = service
    const content = kernel.get(contentService)
    const bulk = kernel.get(bulkWritesService)
    const trash = kernel.get(trashService)
    const localizations = kernel.get(localizationsService)
    const request = { type, principal }
    const one = { ...request, id }
    return {
      list: () => content.list(type, '', principal),
      find: () => content.find(type, id, '', principal),
      findMany: () => content.findMany(type, [id], { principal }),
      findSingle: () => content.findSingle(type, '', principal),
      within: () => content.within().list(type, '', principal),
      create: () => content.create(request, { text: 'b' }),
      update: () => content.update(one, { text: 'b' }),
      publish: () => content.publish(one),
      unpublish: () => content.unpublish(one),
      discard: () => content.discard(one),
      link: () => content.link(one, 'other', id),
      unlink: () => content.unlink(one, 'other', id),
      delete: () => content.delete(one),
      putSingle: () => content.putSingle(request, { text: 'b' }),
      deleteSingle: () => content.deleteSingle(request),
      checkCreate: () => content.checkCreate(request, { text: 'b' }),
      checkUpdate: () => content.checkUpdate(one, { text: 'b' }),
      updateMany: () => bulk.updateMany(request, [id], { text: 'b' }),
      publishMany: () => bulk.publishMany(request, [id]),
      unpublishMany: () => bulk.unpublishMany(request, [id]),
      deleteMany: () => bulk.deleteMany(request, [id]),
      restore: () => trash.restore(one),
      purge: () => trash.purge(one),
      emptyTrash: () => trash.emptyTrash(request, new Date().toISOString()),
      select: () =>
        kernel.get(contentQueriesService).select({ type, rawQuery: '', principal, ownParameters: [] }),
      aggregate: () => kernel.get(aggregateService).aggregate(type, 'function=count', principal),
      'localizations list': () => localizations.list(one),
      'localizations diff': () => localizations.diff(one),
      'localizations create': () => localizations.create(one, { locale: 'de' }),
      'localizations setStatus': () => localizations.setStatus(one, { status: 'approved' }),
    }
  }

  async function codesOf(principal: Principal, type: string): Promise<Record<string, string>> {
    const codes: Record<string, string> = {}
    for (const [name, run] of Object.entries(operations(principal, type))) {
      try {
        await run()
        codes[name] = 'done'
      } catch (error) {
        assert.ok(error instanceof AppError, String(error))
        codes[name] = error.code
      }
    }
    return codes
  }

  const refusedWith = (codes: Record<string, string>, code: string) =>
    Object.keys(codes).filter((name) => codes[name] === code)
  const all = () => Object.keys(operations(nobody, 'note'))

  it('refuse every operation to who may do nothing, types that there are not included', async () => {
    for (const type of ['note', 'front', 'nothing']) {
      assert.deepEqual(refusedWith(await codesOf(nobody, type), 'UNAUTHENTICATED'), all(), type)
    }
  })

  it('refuse writes to who may only read', async () => {
    const reads = ['list', 'find', 'findMany', 'within', 'select', 'aggregate']
    const codes = await codesOf(reader, 'note')
    const allowed = all().filter((name) => codes[name] !== 'FORBIDDEN')
    const answered = ['findSingle', 'localizations list', 'localizations diff']
    assert.deepEqual(new Set(allowed), new Set([...reads, ...answered]))
  })

  it('leave the trash to administrators', async () => {
    const codes = await codesOf(editor, 'front')
    assert.deepEqual(refusedWith(codes, 'FORBIDDEN'), ['restore', 'purge', 'emptyTrash'])
  })

  it('count in routes and GraphQL fields of plugins that check nothing', async () => {
    expectStatus(await service.get('/api/x/careless'), 401)
    expectStatus(await service.post('/api/x/careless', {}), 401)
    const roles: { id: number; name: string }[] = (await service.admin.get('/api/admin/roles')).body.data
    const permissions = { content: { front: { read: true } }, media: {} }
    const role = roles.find(({ name }) => name === 'public')
    expectStatus(await service.admin.put(`/api/admin/roles/${role?.id}`, { permissions }), 200)
    const answer = await service.post('/api/graphql', { query: '{ noteCount }' })
    assert.equal(answer.body.errors[0].extensions.code, 'UNAUTHENTICATED')
    const user = await newUser(service)
    expectStatus(await user.client.get('/api/x/careless'), 403)
    const { client } = await newApiToken(service, ['content:read'])
    assert.equal(expectStatus(await client.get('/api/x/careless'), 200).body.data.count, 1)
    expectStatus(await client.post('/api/x/careless', {}), 403)
  })

  it('are left to the plugin where it says so, drafts and other types excepted', async () => {
    const { unguarded } = service.kernel.get(contentService)
    const entry = await unguarded.create({ type: 'note', principal: nobody }, { text: 'draft' })
    const { entries } = await unguarded.list('note', '', nobody)
    assert.ok(entries.length > 0)
    assert.ok(entries.every((each) => each.id !== entry.id))
    await assert.rejects(async () => unguarded.list('note', 'populate=other', nobody), {
      code: 'UNAUTHENTICATED',
    })
  })
})
