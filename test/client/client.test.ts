import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Client, createClient, MortiseError } from 'mortise-client'
import { generateTypes, schemasService } from '../../core-plugins/foundation/schemas/schemas.ts'
import type { ContentTypes } from '../../examples/countries/content-types.ts'
import { newApiToken, newNames } from '../api/auth-callers.ts'
import { adminEmail, adminPassword } from '../support/project.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let client: Client<ContentTypes>
let visitor: Client<ContentTypes>

/** The error that a promise fails with. */
async function refusalOf(promise: Promise<unknown>): Promise<MortiseError> {
  const error = await promise.then(
    () => assert.fail('it was not refused'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof MortiseError, String(error))
  return error
}

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let made = 0
const newArticle = () => {
  made += 1
  return { title: `Article ${made}`, slug: `article-${made}` }
}

describe('the client', () => {
  before(async () => {
    service = await startService()
    const { token } = await newApiToken(service, ['admin:*'])
    client = createClient<ContentTypes>({ url: service.url, token })
    visitor = createClient<ContentTypes>({ url: `${service.url}/`, token: () => undefined })
  })
  after(() => service.stop())

  it('knows the types of the samples as they are', () => {
    const file = join(import.meta.dirname, '../../examples/countries/content-types.ts')
    const written = `${generateTypes(service.kernel.get(schemasService))}\n`
    const remedy =
      'run `SVC_PLUGINS_DISABLED=redirects npm run mortise -- types examples/countries/content-types.ts`'
    assert.equal(readFileSync(file, 'utf8'), written, remedy)
  })

  describe('a collection with soft delete and drafts beside entries', () => {
    interface Note {
      id: number
      title: string
      has_draft?: boolean
    }
    interface NoteShape {
      kind: 'collectionType'
      entry: Note
      input: { title: string }
      filters: object
      references: object
      parts: object
    }

    it('restores, reads drafts and drops them', async (test) => {
      const note = {
        kind: 'collectionType',
        info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
        options: { draftAndPublish: true, draftOverlay: true, softDelete: true },
        attributes: { title: { type: 'string', required: true } },
      }
      const drafting = await startService({ schemas: { 'note.json': note } })
      test.after(() => drafting.stop())
      const { token } = await newApiToken(drafting, ['admin:*'])
      const notes = createClient<{ note: NoteShape }>({ url: drafting.url, token }).collection('note')
      const { id } = await notes.create({ title: 'Live' })
      await notes.publish(id)
      await notes.update(id, { title: 'Draft' })
      assert.equal((await notes.get(id)).title, 'Live')
      assert.equal((await notes.get(id, { draft: true })).title, 'Draft')
      assert.deepEqual((await notes.draftChanges(id)).fields, [
        { field: 'title', live: 'Live', draft: 'Draft' },
      ])
      await notes.discardDraft(id)
      assert.equal((await notes.get(id, { draft: true })).title, 'Live')
      await notes.delete(id)
      assert.equal((await refusalOf(notes.get(id))).status, 404)
      await notes.restore(id)
      assert.equal((await notes.get(id)).title, 'Live')
      await notes.delete(id)
      assert.equal(await notes.emptyTrash({ olderThanDays: 1 }), 0)
      assert.equal(await notes.emptyTrash(), 1)
      const other = await notes.create({ title: 'Brief' })
      await notes.delete(other.id, { permanent: true })
      assert.equal((await refusalOf(notes.restore(other.id))).status, 404)
    })
  })

  describe('a collection', () => {
    it('creates, reads, changes, publishes and deletes entries', async () => {
      const articles = client.collection('article')
      const author = await client.collection('author').create({ name: 'Ada' })
      const category = await client.collection('category').create({ name: 'News', slug: 'news' })
      const input = { ...newArticle(), author: author.id, categories: [category.id] }
      const created = await articles.create({ ...input, seo: { metaTitle: 'x' } })
      assert.deepEqual(
        [created.title, created.author, created.categories],
        [input.title, author.id, [category.id]],
      )
      assert.equal(created.published_at, null)

      const read = await articles.get(created.id, { populate: { author: true, categories: true } })
      assert.equal(read.author?.name, 'Ada')
      assert.equal(read.categories[0]?.slug, 'news')
      const few = await articles.get(created.id, { fields: ['title'], populate: { author: true } })
      assert.deepEqual(Object.keys(few).sort(), ['author', 'id', 'title'])
      assert.equal(few.author?.name, 'Ada')
      const inverse = await client.collection('author').get(author.id, { populate: { articles: true } })
      assert.deepEqual(
        inverse.articles.map(({ id }) => id),
        [created.id],
      )
      assert.ok(!('articles' in (await client.collection('author').get(author.id))))

      assert.equal((await articles.update(created.id, { excerpt: 'short' })).excerpt, 'short')
      const published = await articles.publish(created.id)
      assert.ok(published.published_at !== null)
      assert.equal((await articles.unpublish(created.id)).published_at, null)
      const publishedAt = '2099-01-01T00:00:00.000Z'
      assert.equal((await articles.publish(created.id, { publishedAt })).published_at, publishedAt)
      assert.equal((await articles.delete(created.id)).id, created.id)
      assert.equal((await refusalOf(articles.get(created.id))).status, 404)
    })

    it('populates inside components and zones, and all of a level', slow, async () => {
      const image = await client.media.upload(new File([png], 'one.png'))
      const articles = client.collection('article')
      const { id } = await articles.create({
        ...newArticle(),
        blocks: [
          { __component: 'shared.quote', text: 'a & b=c?' },
          { __component: 'shared.image', image: image.id },
        ],
        seo: { metaTitle: 'x', shareImage: image.id },
        author: (await client.collection('author').create({ name: 'Zoë, "the" #1' })).id,
      })
      const read = await articles.get(id, {
        populate: { blocks: { image: true }, seo: { shareImage: true } },
      })
      const [quote, picture] = read.blocks ?? []
      assert.deepEqual(quote, { __component: 'shared.quote', text: 'a & b=c?', source: null })
      assert.ok(picture?.__component === 'shared.image')
      assert.equal(picture.image?.url, image.url)
      assert.equal(read.seo?.shareImage?.width, 1)
      assert.equal(typeof read.author, 'number')
      assert.equal((await articles.get(id, { populate: '*' })).author?.name, 'Zoë, "the" #1')
      await client.media.delete(image.id)
    })

    it('chooses, counts and pages what it populates', async () => {
      const articles = client.collection('article')
      const authors = client.collection('author')
      const { id } = await authors.create({ name: 'Prolific' })
      for (const title of ['b', 'a', 'c, d']) {
        await articles.create({ ...newArticle(), title, author: id, featured: title !== 'a' })
      }
      const byTitle = { $fields: ['title'], $sort: ['title:desc'], $limit: 1, $total: true } as const
      const author = await authors.get(id, {
        fields: ['name'],
        populate: { articles: { ...byTitle, $filters: { featured: true, title: { $in: ['b', 'c, d'] } } } },
      })
      const [last] = author.articles
      assert.deepEqual(author, {
        id,
        name: 'Prolific',
        articles: [{ id: last?.id, title: 'c, d' }],
        _totals: { articles: 2 },
      })
      const nested = await authors.get(id, {
        populate: { avatar: '*', articles: { ...byTitle, author: { $fields: ['name'] }, categories: true } },
      })
      assert.deepEqual(nested.articles, [
        { id: last?.id, title: 'c, d', author: { id, name: 'Prolific' }, categories: [] },
      ])
      assert.equal(nested._totals?.articles, 3)
      const offset = await authors.get(id, { populate: { articles: { $sort: 'title', $offset: 2 } } })
      assert.deepEqual(
        offset.articles.map(({ title }) => title),
        ['c, d'],
      )
    })

    it('filters, sorts and pages', async () => {
      const languages = client.collection('language')
      const names = ['100% & more', 'a,b', 'c=d', 'é', '[x]', 'y+z', 'last']
      for (const [index, name] of names.entries()) await languages.create({ code: `tt${index}`, name })
      const ours = { code: { $startsWith: 'tt' } }
      for (const name of names) {
        const { data } = await languages.list({ filters: { $and: [ours, { name: { $eq: name } }] } })
        assert.deepEqual(
          data.map((each) => each.name),
          [name],
        )
      }
      const either = await languages.list({ filters: { code: { $in: ['tt0', 'tt2'] } }, sort: 'code:desc' })
      assert.deepEqual(
        either.data.map(({ code }) => code),
        ['tt2', 'tt0'],
      )
      const between = await languages.list({
        filters: { $or: [{ name: 'a,b' }, { code: ['tt6'] }] },
        sort: ['code'],
      })
      assert.deepEqual(
        between.data.map(({ code }) => code),
        ['tt1', 'tt6'],
      )
      const page = await languages.list({ filters: ours, sort: ['code:asc'], limit: 3, offset: 3 })
      assert.deepEqual(
        page.data.map(({ code }) => code),
        ['tt3', 'tt4', 'tt5'],
      )
      assert.deepEqual(page.pagination, { total: 7, limit: 3, offset: 3, hasMore: true })
      assert.equal((await languages.list({ total: false })).pagination.total, undefined)
      assert.deepEqual((await languages.list({ search: 'more', searchFields: ['name'] })).data.length, 1)
    })

    it('goes through all entries, page after page', async () => {
      const paths: string[] = []
      const counting = createClient<ContentTypes>({
        url: service.url,
        token: async () => (await newApiToken(service, ['content:read'])).token,
        fetch: (input, init) => {
          paths.push(String(input))
          return fetch(input, init)
        },
      })
      const each = () =>
        counting
          .collection('language')
          .each({ filters: { code: { $startsWith: 'tt' } }, sort: 'code', limit: 3 })
      const codes: string[] = []
      for await (const { code } of each()) codes.push(code)
      assert.deepEqual(codes, ['tt0', 'tt1', 'tt2', 'tt3', 'tt4', 'tt5', 'tt6'])
      assert.equal(paths.length, 3)
      paths.length = 0
      for await (const { code } of each()) if (code === 'tt1') break
      assert.equal(paths.length, 1)
    })

    it('changes and deletes many, all or none', async () => {
      const languages = client.collection('language')
      const first = await languages.create({ code: 'mm1', name: 'One' })
      const second = await languages.create({ code: 'mm2', name: 'Two' })
      const ids = [first.id, second.id]
      const { batch, ...changed } = await languages.updateMany(ids, { name: 'Same' })
      assert.deepEqual(changed, { count: 2, ids })
      assert.equal(typeof batch?.id, 'string')
      assert.equal((await languages.get(second.id)).name, 'Same')
      assert.equal((await refusalOf(languages.deleteMany([...ids, 999_999]))).status, 404)
      assert.deepEqual(await languages.deleteMany(ids), { count: 2, ids, batch: null })
      assert.equal((await refusalOf(languages.get(first.id))).status, 404)
    })

    it('checks entries without storing them', async () => {
      const languages = client.collection('language')
      const { id } = await languages.create({ code: 'ck1', name: 'Checked' })
      assert.deepEqual(await languages.check({ code: 'ck2', name: 'Free' }), { valid: true })
      const taken = await languages.check({ code: 'ck1', name: 'Taken' })
      assert.deepEqual(!taken.valid && taken.details.map(({ path, code }) => `${path} ${code}`), [
        'code unique',
      ])
      assert.equal((await languages.checkUpdate(id, { name: 7 })).valid, false)
      assert.equal((await languages.get(id)).name, 'Checked')
      assert.equal((await languages.list({ filters: { code: 'ck2' } })).data.length, 0)
    })

    it('publishes many entries, all or none', async () => {
      const articles = client.collection('article')
      const ids = [(await articles.create(newArticle())).id, (await articles.create(newArticle())).id]
      assert.deepEqual((await articles.publishMany(ids)).ids, ids)
      assert.notEqual((await articles.get(ids[1] ?? 0)).published_at, null)
      assert.deepEqual((await articles.unpublishMany(ids)).ids, ids)
      assert.equal((await articles.get(ids[1] ?? 0)).published_at, null)
      assert.equal((await refusalOf(articles.publishMany([999_999]))).status, 404)
    })

    it('links and unlinks entries', async () => {
      const articles = client.collection('article')
      const { id } = await articles.create(newArticle())
      const category = await client.collection('category').create({ name: 'Linked', slug: 'linked' })
      assert.deepEqual((await articles.link(id, 'categories', category.id)).categories, [category.id])
      assert.deepEqual((await articles.unlink(id, 'categories', category.id)).categories, [])
    })

    it('reads revisions and goes back to one', async () => {
      const admins = createClient<ContentTypes>({
        url: service.url,
        token: (await client.admins.login(adminEmail, adminPassword)).token,
      })
      const articles = admins.collection('article')
      const { id, title } = await articles.create(newArticle())
      await articles.update(id, { title: 'Changed' })
      const { data, pagination } = await articles.revisions(id, { data: false })
      assert.deepEqual([pagination.total, data.map(({ action }) => action)], [2, ['update', 'create']])
      const first = data.at(-1)?.id ?? 0
      assert.equal((await articles.revision(id, first)).data?.title, title)
      assert.equal((await articles.restoreRevision(id, first)).title, title)
    })

    it('tells by its version whether an entry has changed', async () => {
      const articles = client.collection('article')
      const { id } = await articles.create(newArticle())
      const { etag, entry } = await articles.getVersion(id)
      assert.equal(entry.id, id)
      await articles.update(id, { excerpt: 'first' }, { ifMatch: etag })
      const late = await refusalOf(articles.update(id, { excerpt: 'second' }, { ifMatch: etag }))
      assert.deepEqual([late.status, late.code], [412, 'PRECONDITION_FAILED'])
    })

    it('counts, and groups', async () => {
      const languages = client.collection('language')
      const filters = { code: { $startsWith: 'tt' } }
      assert.equal(await languages.aggregate({ function: 'count', filters }), 7)
      assert.equal(await languages.aggregate({ function: 'max', field: 'code', filters }), 'tt6')
      const groups = await languages.aggregateBy(['code', 'name'], { function: 'count', filters })
      assert.equal(groups.length, 7)
      const facets = await languages.distinct({
        field: ['code', 'name'],
        filters,
        sort: 'value:desc',
        limit: 2,
      })
      assert.deepEqual(
        facets.code.values.map(({ value, count }) => [value, count]),
        [
          ['tt6', 1],
          ['tt5', 1],
        ],
      )
      assert.equal(facets.name.hasMore, true)
      assert.deepEqual(Object.keys(groups[0]?.group ?? {}).sort(), ['code', 'name'])
    })
  })

  describe('a single type', () => {
    it('is saved, read, published and deleted', async () => {
      const homepage = client.single('homepage')
      assert.equal((await refusalOf(homepage.get())).status, 404)
      const { id } = await client.collection('article').create(newArticle())
      await homepage.save({ heading: 'Welcome', featuredArticles: [id] })
      assert.equal((await homepage.save({ heading: 'Hello' })).heading, 'Hello')
      const read = await homepage.get({ populate: { featuredArticles: true } })
      assert.deepEqual(
        read.featuredArticles.map((article) => article.id),
        [id],
      )
      assert.ok((await homepage.publish()).published_at !== null)
      assert.equal((await homepage.unpublish()).published_at, null)
      await homepage.delete()
      assert.equal((await refusalOf(homepage.get())).status, 404)
    })
  })

  describe('everything else', () => {
    it('uploads, lists, changes and deletes files', async () => {
      const file = await client.media.upload({ data: new Blob(['one']), name: 'ünï (one).txt' })
      assert.equal(file.originalName, 'ünï (one).txt')
      assert.equal(await (await fetch(new URL(file.url, service.url))).text(), 'one')
      const folder = await client.send<{ id: number }>('POST', '/media-folders', { body: { name: 'texts' } })
      const two = await client.media.uploadMany(
        [new File(['two'], 'two.txt'), new File(['three'], 'three.txt')],
        {
          folderId: folder.id,
        },
      )
      assert.deepEqual(
        two.map(({ folder }) => folder),
        [folder.id, folder.id],
      )
      const listed = await client.media.list({ folder: folder.id, sort: 'originalName', limit: 1 })
      assert.deepEqual([listed.data[0]?.originalName, listed.pagination.total], ['three.txt', 2])
      assert.equal((await client.media.update(file.id, { alt: 'A text' })).alt, 'A text')
      await client.media.delete(file.id)
      assert.equal((await refusalOf(client.media.get(file.id))).status, 404)
    })

    it('searches all types', async () => {
      const { id } = await client
        .collection('article')
        .create({ ...newArticle(), title: 'A zeppelin at sea' })
      const { data, pagination } = await client.search('zeppelin', { types: ['article', 'author'], limit: 5 })
      assert.deepEqual(
        data.map((hit) => [hit.type, hit.id, hit.entry.id]),
        [['article', id, id]],
      )
      assert.match(data[0]?.highlights.title ?? '', /<mark>zeppelin<\/mark>/)
      assert.equal(pagination.total, 1)
    })

    it('asks over GraphQL', async () => {
      const { id, title } = await client.collection('article').create(newArticle())
      const query = 'query One($id: ID!) { article(id: $id) { data { title } } }'
      const answer = await client.graphql<{ article: { data: { title: string } } }>(query, { id })
      assert.equal(answer.article.data.title, title)
      const wrong = await refusalOf(client.graphql('{ articles { data { titel } } }'))
      assert.match(wrong.message, /titel/)
      const hidden = await refusalOf(visitor.graphql('{ articles { data { title } } }'))
      assert.equal(hidden.status, 401)
    })

    it('signs content users and administrators in', async () => {
      const account = { ...newNames(), password: 'a good password' }
      assert.equal((await visitor.users.register(account)).email, account.email)
      const { token, user } = await visitor.users.login(account.username, account.password)
      const signedIn = createClient<ContentTypes>({ url: service.url, token })
      assert.equal((await signedIn.users.me()).id, user.id)
      assert.notEqual((await signedIn.users.refresh()).token, token)
      await visitor.users.forgotPassword(account.email)
      await signedIn.users.logout()
      assert.equal((await refusalOf(signedIn.users.me())).code, 'UNAUTHENTICATED')
      const admin = await visitor.admins.login(adminEmail, adminPassword)
      const administrator = createClient<ContentTypes>({ url: service.url, token: admin.token })
      assert.equal((await administrator.admins.me()).email, adminEmail)
    })
  })

  describe('what goes wrong', () => {
    it('is told with all problems, the status and the id of the request', async () => {
      const headers = { 'x-request-id': 'mine-1' }
      const { token } = await newApiToken(service, ['content:read', 'content:write'])
      const own = createClient<ContentTypes>({ url: service.url, token, headers })
      const error = await refusalOf(own.collection('article').create({ title: '', slug: '' }))
      assert.deepEqual([error.status, error.code, error.requestId], [400, 'VALIDATION_ERROR', 'mine-1'])
      assert.deepEqual(error.details.map(({ path }) => path).sort(), ['slug', 'title'])
      assert.equal((await refusalOf(visitor.collection('article').list())).status, 401)
    })

    it('may be that something else answers, or nothing', async () => {
      const server = createServer((request, response) => {
        if (request.url?.endsWith('/1')) response.end('fine, but not for us')
        else
          response
            .writeHead(502, { 'content-type': 'text/html', 'retry-after': '7' })
            .end('<h1>Bad gateway</h1>')
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      try {
        const articles = createClient<ContentTypes>({ url }).collection('article')
        const gateway = await refusalOf(articles.list())
        assert.deepEqual([gateway.status, gateway.code, gateway.retryAfter], [502, 'HTTP_ERROR', 7])
        assert.deepEqual([(await refusalOf(articles.get(1))).code], ['HTTP_ERROR'])
      } finally {
        server.close()
      }
      await assert.rejects(createClient<ContentTypes>({ url }).collection('article').list(), TypeError)
    })

    it('may be that the caller does not want to wait any longer', async () => {
      const signal = AbortSignal.abort(new Error('enough'))
      const articles = client.collection('article')
      const calls = [
        () => articles.list({ signal }),
        () => articles.get(1, { signal }),
        () => articles.create(newArticle(), { signal }),
        () => articles.update(1, {}, { signal }),
        () => articles.publish(1, { signal }),
        () => articles.aggregate({ function: 'count', signal }),
        () => client.single('homepage').publish({ signal }),
        () => client.search('x', { signal }),
        () => client.graphql('{ __typename }', {}, { signal }),
        () => client.media.upload(new File(['x'], 'x.txt'), { signal }),
        () => client.send('GET', '/livez', { signal }),
      ]
      for (const call of calls) await assert.rejects(call, /enough/, String(call))
    })
  })

  it('lies under another prefix where the service does', async () => {
    const moved = createClient<ContentTypes>({ url: service.url, apiPrefix: '/api/admin' })
    assert.equal((await refusalOf(moved.send('GET', '/users'))).status, 401)
  })
})
