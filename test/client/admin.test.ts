import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Admin, type ContentAction, createAdmin, type SavedView } from '../../client/admin.ts'
import { createClient, MortiseError } from '../../client/client.ts'
import { newAdmin } from '../api/auth-callers.ts'
import { startService, type TestService } from '../support/service.ts'

const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    attributes: { title: { type: 'string' }, seo: { type: 'component', component: 'part.seo' } },
  },
  'components/part.seo.json': {
    uid: 'part.seo',
    category: 'part',
    info: { displayName: 'SEO' },
    attributes: { text: { type: 'text' } },
  },
}

describe('mortise-client/admin', () => {
  let service: TestService
  let admin: Admin
  before(async () => {
    service = await startService({ schemas })
    const { token } = await newAdmin(service, 'editor')
    admin = createAdmin(createClient({ url: service.url, token }))
  })
  after(() => service.stop())

  it('lists plugins to administrators', async () => {
    await assert.rejects(admin.plugins(), MortiseError)
    const { token } = await newAdmin(service, 'admin')
    const plugins = await createAdmin(createClient({ url: service.url, token })).plugins()
    assert.equal(plugins.find(({ name }) => name === 'content')?.active, true)
  })

  it('plans releases', async () => {
    const { token } = await newAdmin(service, 'admin')
    const { releases, calendar, futureChanges } = createAdmin(createClient({ url: service.url, token }))
    const scheduledAt = '2200-01-02T00:00:00.000Z'
    const { id } = await releases.create({ name: 'Spring' })
    await releases.update(id, { scheduledAt })
    assert.deepEqual(
      (await releases.list({ status: 'open' })).map(({ name }) => name),
      ['Spring'],
    )
    const { entries, mayPublish } = await releases.get(id)
    assert.deepEqual([entries, mayPublish], [[], true])
    assert.equal((await releases.check(id)).ready, false)
    const planned = await calendar('2200-01-01T00:00:00Z', '2200-01-03T00:00:00Z')
    assert.deepEqual(
      planned.releases.map(({ at }) => at),
      [scheduledAt],
    )
    assert.deepEqual(await futureChanges(scheduledAt), { changes: [], hasMore: false })
    assert.equal((await releases.delete(id)).id, id)
  })

  it('tells where an entry is used', async () => {
    const { id } = (await service.admin.post('/api/content/page', { title: 'a' })).body.data
    const { usages, deletion } = await admin.usage('page', id, { limit: 5 })
    assert.deepEqual([usages, deletion.isRefused], [[], false])
    const [recent] = await admin.recent('others', { limit: 1 })
    assert.deepEqual([recent?.id, recent?.title, recent?.operation], [id, 'a', 'create'])
    assert.deepEqual(await admin.scheduled(), { entries: [], releases: [] })
  })

  it('reads what the panel starts with, and the types', async () => {
    const { me, permissions } = await admin.panel()
    assert.equal(me.role, 'editor')
    const actions: readonly ContentAction[] | undefined = permissions.content.page
    assert.equal(actions?.includes('publish'), true)
    // @ts-expect-error there is no such action
    assert.equal(actions?.includes('paint'), false)
    const types = await admin.contentTypes()
    assert.equal(types.find(({ name }) => name === 'page')?.titleField, 'title')
    assert.equal((await admin.contentType('page')).attributes[1]?.component, 'part.seo')
    assert.deepEqual(
      [(await admin.components()).length, (await admin.component('part.seo')).category],
      [1, 'part'],
    )
    assert.deepEqual(await admin.people('admin', { limit: 1 }), [{ id: 1, username: 'admin' }])
  })

  it('keeps preferences and views', async () => {
    const kept = await admin.preferences.put('columns', ['title'])
    const columns: readonly string[] = kept
    assert.deepEqual(await admin.preferences.get<string[]>('columns'), columns)
    assert.equal(await admin.preferences.delete('columns'), null)
    await assert.rejects(admin.preferences.get('columns'), MortiseError)
    const view: SavedView = await admin.views.create({
      type: 'page',
      name: 'Mine',
      config: { sort: 'title' },
    })
    assert.equal((await admin.views.update(view.id, { name: 'Ours', roles: ['editor'] })).name, 'Ours')
    assert.deepEqual(
      (await admin.views.list('page')).map(({ id }) => id),
      [view.id],
    )
    assert.equal(await admin.views.delete(view.id), null)
    // @ts-expect-error a view has a name
    await assert.rejects(admin.views.create({ type: 'page', config: {} }), MortiseError)
  })

  it('gets no token without the cookie', async () => {
    await assert.rejects(admin.token(), (error) => error instanceof MortiseError && error.status === 401)
  })
})
