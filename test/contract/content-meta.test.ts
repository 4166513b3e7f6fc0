import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { type Caller, expectStatus, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { countStatements } from '../support/count-statements.ts'
import { eachDatabase } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const workflow = {
  enabled: true,
  initialState: 'draft',
  states: [{ name: 'draft' }, { name: 'review' }, { name: 'approved' }],
  transitions: [
    { from: 'draft', to: 'review' },
    { from: 'review', to: 'approved' },
  ],
}

const typeFile = (name: string, options: object, attributes: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' }, ...attributes },
  },
})
const schemas = {
  ...typeFile('page', { draftAndPublish: true, draftOverlay: true, workflow }),
  ...typeFile('word', { i18n: { enabled: true, locales: ['en', 'de'], defaultLocale: 'en' } }),
  ...typeFile('plain', {}, { page: { type: 'relation', relation: 'manyToOne', target: 'page' } }),
}

interface Listed {
  readonly id: number
  readonly title: string
  readonly _meta?: Record<string, unknown>
}

eachDatabase(({ name }) => {
  let service: TestService
  let editor: Caller
  let token: Pick<Caller, 'client'>
  const ids: Record<string, number> = {}

  const path = (type: string, rest = '') => `/api/content/${type}${rest}`
  const list = async (query: string, client: Client = service.admin, type = 'page') =>
    expectStatus(await client.get(path(type, `?${query}`)), 200).body.data as Listed[]
  const titles = async (query: string, client?: Client) =>
    (await list(query, client)).map(({ title }) => title).join('')
  const create = async (client: Client, type: string, data: object): Promise<number> =>
    expectStatus(await client.post(path(type), data), 201).body.data.id
  const move = async (id: number, ...states: string[]) => {
    for (const to of states)
      expectStatus(await service.admin.put(path('page', `/${id}/workflow/transition`), { to }), 200)
  }
  const assign = async (id: number, userId: number, role: string) =>
    expectStatus(await service.admin.post(path('page', `/${id}/assignments`), { userId, role }), 201)

  before(async () => {
    service = await startService({ database: name, schemas, env: { SVC_PLUGINS_DISABLED: 'cache' } })
    editor = await newAdmin(service, 'editor')
    token = await newApiToken(service, ['content:read', 'content:write'])
    for (const title of ['a', 'b', 'c', 'd']) ids[title] = await create(editor.client, 'page', { title })
    const { a = 0, b = 0, c = 0, d = 0 } = ids
    await move(b, 'review')
    await move(c, 'review', 'approved')
    expectStatus(await service.admin.put(path('page', `/${b}/publish`)), 200)
    expectStatus(await token.client.put(path('page', `/${b}`), { title: 'b' }), 200)
    expectStatus(await service.admin.put(path('page', `/${d}`), { title: 'd' }), 200)
    await assign(a, editor.id, 'writer')
    await assign(a, editor.id, 'reviewer')
    await assign(c, editor.id, 'writer')
  })
  after(() => service.stop())

  describe('meta=true', () => {
    it('shows what plugins know, to lists and entries alike', async () => {
      const listed = await list('meta=true&sort=title')
      const [first, second] = listed
      const author = { kind: 'admin', id: editor.id, username: editor.username }
      const assignee = { id: editor.id, username: editor.username }
      assert.deepEqual(first?._meta, {
        has_draft: false,
        created_by: author,
        updated_by: author,
        workflow_state: 'draft',
        unpublish_at: null,
        assignees: [
          { ...assignee, role: 'writer' },
          { ...assignee, role: 'reviewer' },
        ],
      })
      assert.equal(second?._meta?.has_draft, true)
      assert.notDeepEqual(second?._meta?.updated_by, author, 'that is who published it')
      for (const { id, _meta } of listed) {
        const { data } = expectStatus(await service.admin.get(path('page', `/${id}?meta=true`)), 200).body
        assert.deepEqual(data._meta, _meta)
      }
      assert.equal((await list('sort=title'))[0]?._meta, undefined)
      assert.deepEqual(await list('meta=false&sort=title'), await list('sort=title'))
    })

    it('needs one query for each plugin, however many entries there are', async () => {
      const database = service.kernel.get(databaseService)
      const count = async (query: string) => {
        const counts: number[] = []
        // The service may be at work on something else at the same time.
        while (counts.length < 4) counts.push(await countStatements(database, () => list(query)))
        return Math.min(...counts)
      }
      const without = await count('total=false')
      assert.equal((await count('total=false&meta=true&limit=1')) - without, 6)
      assert.equal((await count('total=false&meta=true&limit=4')) - without, 6)
    })

    it('shows the versions of localised entries', async () => {
      const id = await create(service.admin, 'word', { title: 'word' })
      const translation = { title: 'Wort', locale: 'de' }
      const made = await service.admin.post(path('word', `/${id}/localizations`), translation)
      const other = expectStatus(made, 201).body.data.id
      const listed = await list('meta=true&sort=id', service.admin, 'word')
      const locales = listed.map(({ _meta }) => (_meta?.locales as { id: number; locale: string }[]) ?? [])
      for (const versions of locales) {
        assert.deepEqual(
          versions.map(({ id, locale }) => `${id} ${locale}`),
          [`${id} en`, `${other} de`],
        )
      }
      assert.equal(listed[0]?._meta?.workflow_state, undefined)
      assert.equal(listed[0]?._meta?.has_draft, undefined)
    })

    it('may be sent back as it was read', async () => {
      const read = expectStatus(await service.admin.get(path('page', `/${ids.c}?meta=true`)), 200).body.data
      const written = expectStatus(await service.admin.put(path('page', `/${ids.c}`), read), 200).body.data
      assert.equal(written.title, 'c')
      assert.equal(written._meta, undefined)
    })
  })

  describe('filters and sorts by what is in _meta', () => {
    it('select entries', async () => {
      const editorName = encodeURIComponent(editor.username)
      const expected = {
        'filters[workflow_state]=draft': 'ad',
        'filters[workflow_state][$ne]=draft': 'bc',
        'filters[workflow_state][$in]=review,approved': 'bc',
        'filters[workflow_state][$notIn]=review,draft': 'c',
        'filters[workflow_state][$in][]=draft&filters[workflow_state][$in][]=approved': 'acd',
        'filters[workflow_state][$null]=true': '',
        'filters[has_draft]=true': 'b',
        'filters[has_draft][$ne]=true': 'acd',
        'filters[has_draft][$in]=true,false': 'abcd',
        [`filters[created_by]=admin:${editor.id}`]: 'abcd',
        [`filters[created_by]=${editorName}`]: 'abcd',
        'filters[created_by]=admin:99999': '',
        'filters[created_by][$ne]=admin:99999': 'abcd',
        [`filters[updated_by][$eq]=admin:${editor.id}`]: 'a',
        'filters[updated_by][$null]=true': '',
        [`filters[assignee]=${editor.id}`]: 'ac',
        [`filters[assignee][$ne]=${editor.id}`]: 'bd',
        'filters[assignee][$null]=true': 'bd',
        'filters[assignee][$notNull]=true': 'ac',
        'filters[assignee]=99999': '',
        [`filters[assignee]=${editor.id}&filters[workflow_state]=draft&filters[title][$ne]=x`]: 'a',
        'filters[$or][0][workflow_state]=review&filters[$or][1][title]=a': 'ab',
      }
      for (const [query, found] of Object.entries(expected)) {
        assert.equal(await titles(`${query}&sort=title`), found, query)
        const { total } = expectStatus(await service.admin.get(path('page', `?${query}`)), 200).body
          .pagination
        assert.equal(total, found.length, query)
      }
    })

    it('order entries', async () => {
      const expected = {
        'workflow_state,title': 'cadb',
        'workflow_state:desc,title:desc': 'bdac',
        'has_draft:desc,title': 'bacd',
        'has_draft,title': 'acdb',
        'assignee,title': 'bdac',
        'assignee:desc,title': 'acbd',
        'created_by,title:desc': 'dcba',
      }
      for (const [sort, order] of Object.entries(expected)) {
        assert.equal(await titles(`sort=${sort}`), order, sort)
        const pages = [await titles(`sort=${sort}&limit=2`), await titles(`sort=${sort}&limit=2&offset=2`)]
        assert.equal(pages.join(''), order, sort)
      }
    })

    it('refuse values, operators and cursors that cannot be', async () => {
      for (const query of [
        'filters[workflow_state]=nowhere',
        'filters[workflow_state][$contains]=draft',
        'filters[workflow_state][$eq][x]=draft',
        'filters[has_draft]=perhaps',
        'filters[assignee]=me',
        'filters[assignee]=99999999999999999999',
        'filters[assignee][$null]=perhaps',
        'filters[locales]=de',
        'sort=locales',
        'sort=assignees',
        'sort=workflow_state&cursor=',
        'meta=perhaps',
      ]) {
        assert.equal((await service.admin.get(path('page', `?${query}`))).status, 400, query)
      }
      const many = Array.from({ length: 101 }, (_, index) => index + 1).join()
      assert.equal((await service.admin.get(path('page', `?filters[assignee]=${many}`))).status, 400)
    })

    it('are unknown where nothing keeps them', async () => {
      for (const query of [
        'filters[workflow_state]=draft',
        'filters[has_draft]=true',
        'sort=workflow_state',
      ]) {
        const { body } = expectStatus(await service.admin.get(path('plain', `?${query}`)), 400)
        assert.match(JSON.stringify(body.error.details), /plain (has no field|cannot be sorted by)/)
      }
    })
  })

  describe('whoever does not see drafts', () => {
    it('learns nothing of it, not even from problems', async () => {
      const reader = await newUser(service)
      const readToken = await newApiToken(service, ['content:read'])
      for (const client of [reader.client, readToken.client, service]) {
        for (const query of [
          'meta=true',
          'filters[workflow_state]=draft',
          'filters[workflow_state]=nowhere',
          'filters[$or][0][title]=a&filters[$or][1][assignee]=1',
          `filters[created_by]=admin:${editor.id}`,
          'filters[has_draft]=true',
          'sort=updated_by',
          'sort=workflow_state&filters[title][$nothing]=1',
        ]) {
          const { status, body } = await client.get(path('page', `?${query}`))
          assert.ok([401, 403].includes(status), `${query} ${status}`)
          assert.equal(body.error.details, undefined)
        }
        assert.ok([401, 403].includes((await client.get(path('page', `/${ids.b}?meta=true`))).status))
      }
    })

    it('cannot look through a relation, as nobody can', async () => {
      for (const query of ['filters[page][workflow_state]=draft', 'filters[page][created_by]=admin:1']) {
        assert.equal((await service.admin.get(path('plain', `?${query}`))).status, 400)
      }
    })

    it('does not see authors in any entry', async () => {
      const answers = [
        await service.admin.get(path('page')),
        await service.admin.post(path('plain'), { title: 'x' }),
        await service.admin.get(path('page', `/${ids.a}/revisions`)),
      ]
      for (const { body } of answers) assert.doesNotMatch(JSON.stringify(body.data), /_(created|updated)_by/)
    })
  })
})
