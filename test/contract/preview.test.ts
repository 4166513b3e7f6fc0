import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSigner } from 'fast-jwt'
import { authService } from '../../core-plugins/accounts/auth/auth.ts'
import { contentReadMiddleware } from '../../core-plugins/entries/content/content.ts'
import { definePlugin } from '../../kernel/index.ts'
import {
  type Caller,
  expectStatus,
  login,
  newAdmin,
  newApiToken,
  newUser,
  problemsOf,
} from '../api/auth-callers.ts'
import { type MediaService, startMediaService } from '../api/media-support.ts'
import { type Client, createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'

const type = (name: string, attributes: object, options: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { title: { type: 'string' }, ...attributes },
  },
})
const items = { type: 'component', repeatable: true, component: 'shared.item' }
const to = (target: string) => ({ type: 'relation', relation: 'manyToOne', target })
const drafts = { draftAndPublish: true, softDelete: true }
const schemas = {
  'components/shared.item.json': {
    uid: 'shared.item',
    category: 'shared',
    info: { displayName: 'Item' },
    attributes: { author: to('author'), cover: { type: 'media' }, owner: to('user') },
  },
  ...type('author', {}, drafts),
  ...type('vault', {}),
  ...type(
    'page',
    {
      ...{ author: to('author'), secret: to('vault'), inside: { type: 'string' }, items },
      ...{ cover: { type: 'media' }, gallery: { type: 'media', multiple: true }, owner: to('user') },
    },
    {
      ...drafts,
      draftOverlay: true,
    },
  ),
}

/** What no caller but an admin user is shown. */
const hideInside = definePlugin({
  name: 'hide-inside',
  description: 'Hides a field from callers who are no admin users',
  register({ contribute }) {
    contribute(contentReadMiddleware, {
      name: 'hide',
      matches: ({ type, operation }) => type.name === 'page' && operation === 'find',
      async run({ principal }, next) {
        const result = await next()
        if (principal.kind === 'admin' || result === undefined || !('entry' in result)) return result
        const { inside: _, ...entry } = result.entry
        return { ...result, entry: entry as typeof result.entry }
      },
    })
  },
})

eachDatabase(({ name }) => {
  let service: MediaService
  let editor: Caller
  let ids: { author: number; hidden: number; vault: number; page: number; fresh: number }
  before(async () => {
    service = await startMediaService({ database: name, schemas, plugins: [hideInside] })
    const page = { read: true, update: true }
    const role = {
      name: 'writer',
      description: '',
      permissions: { content: { page, author: { read: true } }, media: {} },
    }
    expectStatus(await service.admin.post('/api/admin/roles', role), 201)
    editor = await newAdmin(service, 'writer')
    const make = async (path: string, data: object): Promise<number> =>
      expectStatus(await service.admin.post(`/api/content/${path}`, data), 201).body.data.id
    const author = await make('author', { title: 'Ada' })
    expectStatus(await service.admin.put(`/api/content/author/${author}/publish`), 200)
    const hidden = await make('author', { title: 'Not yet public' })
    const vault = await make('vault', { title: 'Gold' })
    const made = await make('page', { title: 'Public', author, secret: vault, inside: 'for us' })
    expectStatus(await service.admin.put(`/api/content/page/${made}/publish`), 200)
    expectStatus(await service.admin.put(`/api/content/page/${made}`, { title: 'Draft' }), 200)
    const fresh = await make('page', { title: 'Never public', author: hidden })
    ids = { author, hidden, vault, page: made, fresh }
  })
  after(() => service.stop())

  const tokenPath = (id: number) => `/api/content/page/${id}/preview-token`
  const path = (id: number, query = '') => `/api/content/page/${id}/preview${query}`
  const tokenOf = async (client: Client, id: number): Promise<Client> => {
    const { token } = expectStatus(await client.post(tokenPath(id)), 200).body.data
    return createClient(service.url, token)
  }

  describe('a preview token', () => {
    it('reads the draft of its entry, and what that refers to as the public sees it', async () => {
      const made = expectStatus(await editor.client.post(tokenPath(ids.page)), 200)
      assert.equal(made.headers.get('cache-control'), 'no-store')
      const minutes = (Date.parse(made.body.data.expiresAt) - Date.now()) / 60_000
      assert.ok(minutes > 8 && minutes <= 10)
      const client = createClient(service.url, made.body.data.token)
      const answer = expectStatus(await client.get(path(ids.page, '?populate=author')), 200)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      const { title, author, inside, secret } = answer.body.data
      assert.deepEqual([title, author.title, inside, secret], ['Draft', 'Ada', undefined, null])
      const fresh = await tokenOf(editor.client, ids.fresh)
      const { data } = expectStatus(await fresh.get(path(ids.fresh, '?populate=author')), 200).body
      assert.deepEqual([data.title, data.author], ['Never public', null])
    })

    it('shows nothing that its maker may not read', async () => {
      const client = await tokenOf(editor.client, ids.page)
      expectStatus(await client.get(path(ids.page, '?populate=secret')), 403)
      const whole = await tokenOf(service.admin, ids.page)
      const { data } = expectStatus(await whole.get(path(ids.page, '?populate=secret')), 200).body
      assert.equal(data.secret.title, 'Gold')
    })

    it('says that it has expired, once it has', async () => {
      const made = expectStatus(await editor.client.post(tokenPath(ids.page)), 200).body.data.token
      const [, payload = ''] = made.split('.')
      const { exp: _, iat: __, ...claims } = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const key = Buffer.from(service.kernel.get(authService).keyFor('preview'))
      const past = Math.floor(Date.now() / 1000) - 5
      const old = createSigner<Record<string, unknown>>({ key, algorithm: 'HS256' })({ ...claims, exp: past })
      const answer = expectStatus(await createClient(service.url, old).get(path(ids.page)), 401)
      assert.equal(answer.body.error.code, 'UNAUTHENTICATED')
      assert.match(answer.body.error.message, /preview token has expired/)
      assert.deepEqual(problemsOf(answer), { authorization: 'expired' })
      const forged = createSigner<Record<string, unknown>>({ key: 'x'.repeat(32), algorithm: 'HS256' })
      const other = createClient(service.url, forged({ ...claims, exp: past }))
      const refused = expectStatus(await other.get(path(ids.page)), 401).body.error
      assert.doesNotMatch(refused.message, /expired/)
    })

    it('is good for nothing else', async () => {
      const client = await tokenOf(service.admin, ids.page)
      const elsewhere = [
        ['GET', path(ids.fresh)],
        ['GET', `/api/content/author/${ids.page}/preview`],
        ['GET', `/api/content/page/${ids.page}`],
        ['GET', `/api/content/page/${ids.page}/draft`],
        ['GET', '/api/admin/panel'],
        ['GET', '/api/admin/auth/token'],
        ['POST', tokenPath(ids.page)],
        ['PUT', `/api/content/page/${ids.page}`],
      ] as const
      for (const [method, url] of elsewhere) {
        const answer = await client.request(method, url, {})
        assert.equal(answer.status, 401, `${method} ${url}`)
      }
      for (const query of ['?draft=false', '?locale=de', '?fields=id', '?meta=true', '?populate=nothing'])
        assert.equal((await client.get(path(ids.page, query))).status, 400, query)
    })

    it('is made only by those who may read drafts of the type', async () => {
      const user = await newUser(service)
      const reader = await newApiToken(service, ['content:read'])
      const writer = await newApiToken(service, ['content:read', 'content:write'])
      expectStatus(await service.post(tokenPath(ids.page)), 401)
      expectStatus(await user.client.post(tokenPath(ids.page)), 403)
      expectStatus(await reader.client.post(tokenPath(ids.page)), 403)
      expectStatus(await editor.client.post(`/api/content/vault/${ids.vault}/preview-token`), 403)
      expectStatus(await editor.client.post(tokenPath(999_999)), 404)
      const machine = await tokenOf(writer.client, ids.page)
      assert.equal(expectStatus(await machine.get(path(ids.page)), 200).body.data.title, 'Draft')
      expectStatus(await service.admin.delete(`/api/admin/api-tokens/${writer.id}`), 200)
      expectStatus(await machine.get(path(ids.page)), 401)
    })

    it('cannot be forged, nor be replaced by other tokens', async () => {
      const { token } = expectStatus(await editor.client.post(tokenPath(ids.page)), 200).body.data
      const [header, payload, signature] = token.split('.')
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
      const forged = [
        `${header}.${encode({ ...claims, id: ids.fresh })}.${signature}`,
        `${encode({ alg: 'none' })}.${encode({ ...claims, id: ids.fresh })}.`,
        editor.token,
        'x'.repeat(5_000),
      ]
      for (const each of forged) {
        const { status } = await createClient(service.url, each).get(path(ids.fresh))
        assert.ok(status === 401 || status === 403, each)
      }
      expectStatus(await service.get(path(ids.page)), 401)
    })

    it('ends with the rights of its maker', async () => {
      const role = {
        name: 'passing',
        description: '',
        permissions: { content: { page: { read: true } }, media: {} },
      }
      const { id } = expectStatus(await service.admin.post('/api/admin/roles', role), 201).body.data
      const leaving = await newAdmin(service, 'passing')
      const client = await tokenOf(leaving.client, ids.page)
      expectStatus(await client.get(path(ids.page)), 200)
      const nothing = { ...role, permissions: { content: {}, media: {} } }
      expectStatus(await service.admin.put(`/api/admin/roles/${id}`, nothing), 200)
      expectStatus(await client.get(path(ids.page)), 401)
      expectStatus(await service.admin.put(`/api/admin/roles/${id}`, role), 200)
      expectStatus(await client.get(path(ids.page)), 200)
      expectStatus(await service.admin.put(`/api/admin/users/${leaving.id}`, { blocked: true }), 200)
      expectStatus(await client.get(path(ids.page)), 401)
    })

    it('ends with the session that it was made in, and outlives the renewal of that', async () => {
      const leaving = await newAdmin(service, 'writer')
      const first = await login(service, 'admin/auth', leaving)
      const [kept, ended] = [await tokenOf(leaving.client, ids.page), await tokenOf(first.client, ids.page)]
      expectStatus(await ended.get(path(ids.page)), 200)
      expectStatus(await first.client.post('/api/admin/auth/logout'), 200)
      expectStatus(await ended.get(path(ids.page)), 401)
      const renewed = expectStatus(await leaving.client.post('/api/admin/auth/refresh'), 200)
      expectStatus(await kept.get(path(ids.page)), 200)
      const client = createClient(service.url, renewed.body.data.token)
      expectStatus(await client.post('/api/admin/auth/sessions/end', { keepThis: false }), 200)
      expectStatus(await kept.get(path(ids.page)), 401)
    })

    it('does not outlive its entry', async () => {
      const client = await tokenOf(editor.client, ids.fresh)
      expectStatus(await service.admin.delete(`/api/content/page/${ids.fresh}`), 200)
      expectStatus(await client.get(path(ids.fresh)), 404)
    })
  })

  describe('fields that nobody has saved', () => {
    const populated = (client: Client, fields: object, populate = 'author') =>
      client.post('/api/content/page/preview', { fields, populate })

    it('are populated as a preview shows them', async () => {
      const shown = await populated(editor.client, { author: ids.author, title: 'New' }, 'author,secret,*')
      const { data } = expectStatus(shown, 200).body
      assert.deepEqual([data.author.title, data.title, 'secret' in data], ['Ada', 'New', false])
      assert.equal(shown.headers.get('cache-control'), 'no-store')
      const hidden = await populated(editor.client, { author: ids.hidden })
      assert.equal(expectStatus(hidden, 200).body.data.author, null)
      const items = [{ author: ids.author }, { author: ids.hidden }, { author: null }]
      const inside = await populated(editor.client, { items }, 'items.author')
      const titles = inside.body.data.items.map(
        (item: { author: { title: string } | null }) => item.author?.title,
      )
      assert.deepEqual(titles, ['Ada', undefined, undefined])
    })

    it('are those that the caller may see, and of the shape of a form', async () => {
      expectStatus(await populated(editor.client, { secret: ids.vault }, 'secret'), 403)
      const user = await newUser(service)
      expectStatus(await populated(user.client, { author: ids.author }), 403)
      expectStatus(await populated(service, { author: ids.author }), 401)
      const wrong = await populated(editor.client, { author: 'one', items: [3, { author: [{}] }] })
      assert.deepEqual(Object.keys(problemsOf(expectStatus(wrong, 400))), [
        'fields.author',
        'fields.items.0',
        'fields.items.1.author',
      ])
      const many = { items: [{ author: Array.from({ length: 1001 }, () => ids.author) }] }
      for (const fields of [{ nothing: 1 }, { toString: 1 }, many])
        expectStatus(await populated(editor.client, fields), 400)
      expectStatus(await populated(editor.client, { author: ids.author }, 'author.nothing'), 400)
    })

    it('show of files and accounts only what the caller may read, or the entry refers to', slow, async () => {
      const part = { name: 'file', filename: 'file.txt', content: 'a text' }
      const upload = async () => {
        return expectStatus(await service.send('POST', '/api/upload', [part]), 201).body.data.id as number
      }
      const [first, drafted, other] = [await upload(), await upload(), await upload()]
      const [owner, stranger] = [(await newUser(service)).id, (await newUser(service)).id]
      const stored = { cover: first, items: [{ owner }] }
      const { id } = expectStatus(await service.admin.post('/api/content/page', stored), 201).body.data
      expectStatus(await service.admin.put(`/api/content/page/${id}/publish`), 200)
      expectStatus(await service.admin.put(`/api/content/page/${id}`, { gallery: [drafted] }), 200)
      const fields = {
        ...{ cover: other, gallery: [other, drafted, first, 999_999], owner: stranger },
        items: [
          { cover: other, owner: stranger },
          { cover: first, owner },
        ],
      }
      const populate = 'cover,gallery,owner,items.cover,items.owner'
      const idsOf = async (client: Client, body: object) => {
        const answer = await client.post('/api/content/page/preview', { fields, populate, ...body })
        const { cover, gallery, owner, items } = expectStatus(answer, 200).body.data
        type Shown = { readonly id: number } | null
        const inItems = items.map((item: { cover: Shown; owner: Shown }) => [item.cover?.id, item.owner?.id])
        return [cover?.id, gallery.map((each: { id: number }) => each.id), owner?.id, ...inItems]
      }
      const nothing = [undefined, undefined]
      assert.deepEqual(await idsOf(editor.client, {}), [undefined, [], undefined, nothing, nothing])
      const known = [undefined, [drafted, first], undefined, nothing, [first, owner]]
      assert.deepEqual(await idsOf(editor.client, { id }), known)
      const all = [other, [other, drafted, first], stranger, [other, stranger], [first, owner]]
      assert.deepEqual(await idsOf(service.admin, {}), all)
      const machine = await newApiToken(service, ['content:read', 'content:drafts', 'media:read'])
      const files = [other, [other, drafted, first], undefined, [other, undefined], [first, undefined]]
      assert.deepEqual(await idsOf(machine.client, {}), files)
    })

    it('are not looked at one by one if they are more than anybody looks at', async () => {
      for (const item of [{}, 0]) {
        const wrong = await populated(editor.client, { items: Array.from({ length: 20_001 }, () => item) })
        assert.deepEqual(problemsOf(expectStatus(wrong, 400)), { fields: 'maxItems' })
      }
    })
  })

  describe('the origins of previews', () => {
    const change = (client: Client, origins: readonly string[]) =>
      client.put('/api/admin/config', { 'security.preview.origins': origins })
    const policy = async () =>
      (await fetch(`${service.url}/admin`)).headers.get('content-security-policy') ?? ''

    it('are all that the panel may frame', async () => {
      assert.equal((await policy()).includes('frame-src'), false)
      expectStatus(await change(service.admin, ['https://www.example.com', 'http://localhost:5173']), 200)
      assert.match(await policy(), /; frame-src https:\/\/www\.example\.com http:\/\/localhost:5173;/)
    })

    it('are web origins, which only a super-admin changes', async () => {
      const wrong = [
        'https://a.example/',
        'https://*.example',
        'javascript:alert(1)',
        'https://a.example; script-src *',
      ]
      for (const origin of [
        ...wrong,
        '*',
        'https://A.example',
        'https://u@a.example',
        'data:x',
        'http://a b',
      ])
        assert.equal((await change(service.admin, [origin])).status, 400, origin)
      const admin = await newAdmin(service, 'admin')
      expectStatus(await change(admin.client, ['https://a.example']), 403)
    })
  })
})
