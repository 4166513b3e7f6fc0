import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startService, type TestService } from '../support/service.ts'
import { newAdmin, newApiToken } from './auth-callers.ts'

const author = typeFile('author', { name: { type: 'string' } })
const article = typeFile('article', {
  title: { type: 'string', required: true },
  body: { type: 'text' },
  author: { type: 'relation', relation: 'manyToOne', target: 'author' },
})
const seo = { uid: 'shared.seo', category: 'shared', info: { displayName: 'SEO' }, attributes: {} }

function typeFile(name: string, attributes: object, more: object = {}) {
  return {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes,
    ...more,
  }
}

describe('schema files by request', () => {
  let service: TestService
  let folder: string

  before(async () => {
    service = await startService({
      schemas: { 'author.json': author, 'article.json': article, 'components/shared.seo.json': seo },
    })
    folder = join(service.workingDirectory, 'schemas')
  })
  after(() => service.stop())

  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  const read = async () => (await service.admin.get('/api/admin/schemas')).body.data
  const check = (files: object) => service.admin.post('/api/admin/schemas/check', { files })
  const write = async (files: object, version?: string) =>
    service.admin.request('PUT', '/api/admin/schemas', {
      body: { files },
      headers: { 'if-match': `"${version ?? (await read()).version}"` },
    })

  it('are read with what can stand in them', async () => {
    const answer = await service.admin.get('/api/admin/schemas')
    const { version, isWritable, reason, isInUse, files, fieldTypes } = answer.body.data
    assert.equal(answer.headers.get('etag')?.startsWith(`"${version}-`), true)
    assert.deepEqual({ isWritable, reason, isInUse }, { isWritable: true, reason: null, isInUse: true })
    assert.deepEqual(
      files.map(({ path, kind, name }: Record<string, string>) => [path, kind, name]),
      [
        ['article.json', 'content-type', 'article'],
        ['author.json', 'content-type', 'author'],
        ['components/shared.seo.json', 'component', 'shared.seo'],
      ],
    )
    assert.deepEqual(files[1].content, author)
    const string = fieldTypes.find(({ name }: { name: string }) => name === 'string')
    assert.equal(string.schema.properties.maxLength.type, 'integer')
  })

  it('are checked as the start checks them: all problems, each at its place', async () => {
    const answer = await check({
      'article.json': typeFile('article', {
        title: { type: 'string', maxLenght: 3 },
        body: { type: 'text', renamedFrom: 'title' },
        author: { type: 'relation', relation: 'manyToOne', target: 'autor' },
      }),
      'components/shared.seo.json': null,
      'page.json': typeFile('page', { seo: { type: 'component', component: 'shared.seo' } }),
      'task.json': typeFile(
        'task',
        { title: { type: 'string' } },
        {
          options: { workflow: { enabled: true, initialState: 'no', states: [{ name: 'open' }] } },
        },
      ),
    })
    assert.equal(answer.status, 200)
    const places = answer.body.data.problems.map(
      (each: Record<string, string>) => `${each.file} ${each.pointer}`,
    )
    assert.deepEqual(places.sort(), [
      'article.json /attributes/author/target',
      'article.json /attributes/body/renamedFrom',
      'article.json /attributes/title/maxLenght',
      'page.json /attributes/seo/component',
    ])
    assert.deepEqual(answer.body.data.sync, [], 'nobody knows what sync would do with them')
    const later = await check({
      'task.json': typeFile(
        'task',
        { title: { type: 'string' } },
        {
          options: { workflow: { enabled: true, initialState: 'no', states: [{ name: 'open' }] } },
        },
      ),
      'note.json': typeFile(
        'note',
        {
          tags: { type: 'relation', relation: 'oneToMany', target: 'author' },
        },
        { options: { i18n: { enabled: true } } },
      ),
    })
    assert.deepEqual(
      later.body.data.problems.map((each: Record<string, string>) => `${each.file} ${each.pointer}`).sort(),
      ['note.json /attributes/tags', 'task.json /options/workflow/initialState'],
      'plugins have demands of their own',
    )
  })

  it('are previewed: what the next start does, and what it leaves undone because it would lose something', async () => {
    await service.admin.post('/api/content/article', { title: 'A', body: 'kept' })
    const { body: _, ...attributes } = article.attributes as Record<string, object>
    const { body } = await check({
      'article.json': { ...article, attributes: { ...attributes, text: { type: 'text' } } },
      'author.json': {
        ...author,
        attributes: {
          ...author.attributes,
          fullName: { type: 'string', renamedFrom: 'name' },
          name: undefined,
        },
      },
      'tag.json': typeFile('tag', { name: { type: 'string' } }),
    })
    assert.deepEqual(body.data.problems, [])
    const sync = body.data.sync.map(
      (each: Record<string, unknown>) => `${each.change} ${each.table}.${each.column} ${each.safe}`,
    )
    assert.ok(sync.includes('create-table content_tag.null true'), sync.join('\n'))
    assert.ok(sync.includes('add-column content_article.text true'), sync.join('\n'))
    assert.ok(sync.includes('drop-column content_article.body false'), sync.join('\n'))
    assert.ok(sync.includes('rename-column content_author.full_name true'), sync.join('\n'))
    const paths = body.data.files.map(({ path }: { path: string }) => path)
    assert.deepEqual(paths, ['article.json', 'author.json', 'tag.json'])
    assert.deepEqual((await check({ 'article.json': article })).body.data.files, [], 'the same is no change')
  })

  it('are written together, as they are laid out, and recorded', async () => {
    writeFileSync(
      join(folder, 'author.json'),
      text('author.json').replace('{"type":"string"}', '{ "type": "string" }'),
    )
    const books = { type: 'relation', relation: 'oneToMany', target: 'book', mappedBy: 'author' }
    const answer = await write({
      'author.json': { ...author, attributes: { ...author.attributes, books } },
      'book.json': typeFile('book', {
        title: { type: 'string' },
        author: { type: 'relation', relation: 'manyToOne', target: 'author', inversedBy: 'books' },
      }),
      'components/shared.seo.json': null,
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.deepEqual(JSON.parse(text('author.json')).attributes.books, books)
    assert.match(text('book.json'), /^\{\n {2}"kind": "collectionType",\n {2}"info": \{\n/)
    assert.deepEqual(readdirSync(join(folder, 'components')), [], 'also no temporary file')
    assert.equal((await read()).isInUse, false, 'the service has not started again')
    const { body } = await service.admin.get('/api/admin/audit-logs?action=schema.write')
    assert.deepEqual(body.data[0].details, {
      written: ['author.json', 'book.json'],
      removed: ['components/shared.seo.json'],
    })
  })

  it('are not written over a change of somebody else, or by two writers at once', async () => {
    const { version } = await read()
    writeFileSync(join(folder, 'note.json'), JSON.stringify(typeFile('note', { body: { type: 'text' } })))
    assert.equal((await write({ 'tag.json': typeFile('tag', {}) }, version)).status, 412)
    const now = (await read()).version
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((name) => write({ [`${name}.json`]: typeFile(name, {}) }, now)),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412])
    const without = await service.admin.put('/api/admin/schemas', {
      files: { 'tag.json': typeFile('tag', {}) },
    })
    assert.equal(without.status, 400)
    assert.equal(without.body.error.details[0].path, 'If-Match')
  })

  it('are not written if the service would not start with them', async () => {
    const earlier = readdirSync(folder).join()
    const answer = await write({
      'fine.json': typeFile('fine', {}),
      'broken.json': typeFile('broken', {
        constructed: { type: 'nothing' },
        hasOwnProperty: { type: 'string' },
      }),
    })
    assert.equal(answer.status, 400)
    assert.deepEqual(
      answer.body.error.details.map(({ path }: { path: string }) => path),
      ['schemas/broken.json: attributes.constructed.type', 'schemas/broken.json: attributes.hasOwnProperty'],
    )
    assert.equal(readdirSync(folder).join(), earlier)
  })

  it('are nothing else than schema files, and nowhere else', async () => {
    const outside = join(service.workingDirectory, 'outside')
    mkdirSync(outside)
    writeFileSync(join(outside, 'linked.json'), JSON.stringify(typeFile('linked', {})))
    const paths = [
      '../outside/linked.json',
      '/etc/passwd.json',
      'components/../../outside/a.b.json',
      'components\\a.b.json',
      '.hidden.json',
      '.schema/content-type.json',
      'components/deep/a.b.json',
      'a.txt',
      'a.json\u0000.txt',
      'plugins/x/schemas/y.json',
    ]
    for (const path of paths) {
      const { status } = await write({ [path]: typeFile('a', {}) })
      assert.equal(status, 400, path)
    }
    symlinkSync(join(outside, 'linked.json'), join(folder, 'linked.json'))
    assert.equal((await write({ 'linked.json': typeFile('linked', { a: { type: 'text' } }) })).status, 409)
    assert.equal((await write({ 'linked.json': null })).status, 409)
    rmSync(join(folder, 'linked.json'))
    rmSync(join(folder, 'components'), { recursive: true })
    symlinkSync(outside, join(folder, 'components'))
    const component = { ...seo, uid: 'shared.x' }
    // Node tells of a linked folder as a link, so its files are not read either.
    assert.equal((await write({ 'components/shared.x.json': component })).status, 409)
    rmSync(join(folder, 'components'))
    assert.deepEqual(readdirSync(outside), ['linked.json'])
    assert.deepEqual(
      (await write({ 'Article.json': typeFile('Article', {}) })).body.error.details.map(
        ({ path }: { path: string }) => path,
      ),
      ['files.Article.json'],
    )
    const pair = { 'Tag.json': typeFile('Tag', {}), 'tAg.json': typeFile('tAg', {}) }
    assert.equal((await write(pair)).status, 400)
    assert.equal((await write({ 'missing.json': null })).status, 400)
    const proto = await service.admin.request('PUT', '/api/admin/schemas', {
      body: '{"files":{"a.json":{"__proto__":{"x":1},"attributes":{}}}}',
      headers: { 'if-match': '"x"', 'content-type': 'application/json' },
    })
    assert.equal(proto.status, 400)
  })

  it('are bounded', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`f${at}`, { type: 'string', x: 1 }]),
    )
    assert.equal((await check({ 'big.json': typeFile('big', many) })).status, 400)
    const wide = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`f${at}`, { type: 'string' }]))
    const manyFiles = Array.from({ length: 9 }, (_, at) => [`w${at}.json`, typeFile(`w${at}`, wide)])
    const tooMany = await check(Object.fromEntries(manyFiles))
    assert.deepEqual([tooMany.status, tooMany.body.error?.details[0].path], [400, 'files'])
    const files = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`t${at}.json`, {}]))
    assert.equal((await check(files)).status, 400)
    assert.equal((await check({ 'big.json': { info: 'x'.repeat(1_100_000) } })).status, 413)
    const unknown = Object.fromEntries(Array.from({ length: 3_900 }, (_, at) => [`k${at}`, 0]))
    assert.equal((await check({ 'big.json': unknown })).status, 200, 'as many problems as there can be')
  })

  it('are for administrators', async () => {
    const sent = { files: { 'tag.json': typeFile('tag', {}) } }
    const headers = { 'if-match': '"x"' }
    const { client: editor } = await newAdmin(service, 'editor')
    const { client: reader } = await newApiToken(service, ['admin:schemas:read'])
    const { client: other } = await newApiToken(service, ['content:write', 'admin:config:write'])
    assert.equal((await reader.get('/api/admin/schemas')).status, 200)
    assert.equal((await reader.put('/api/admin/schemas', sent, { headers })).status, 403)
    for (const client of [editor, other]) {
      assert.equal((await client.get('/api/admin/schemas')).status, 403)
      assert.equal((await client.post('/api/admin/schemas/check', sent)).status, 403)
      assert.equal((await client.put('/api/admin/schemas', {}, { headers })).status, 403, 'rights come first')
    }
    assert.equal((await service.get('/api/admin/schemas')).status, 401)
  })
})

describe('schema files where schemas.writable is off', () => {
  it('are read and checked, and not written', async () => {
    const service = await startService({
      schemas: { 'author.json': author },
      env: { SVC_SCHEMAS_WRITABLE: 'false' },
    })
    try {
      const { body } = await service.admin.get('/api/admin/schemas')
      assert.equal(body.data.isWritable, false)
      assert.match(body.data.reason, /schemas\.writable.*SVC_SCHEMAS_WRITABLE/)
      const files = { 'tag.json': typeFile('tag', {}) }
      assert.equal((await service.admin.post('/api/admin/schemas/check', { files })).status, 200)
      const answer = await service.admin.request('PUT', '/api/admin/schemas', {
        body: { files },
        headers: { 'if-match': `"${body.data.version}"` },
      })
      assert.equal(answer.status, 403)
      assert.match(answer.body.error.message, /schemas\.writable/)
      assert.deepEqual(readdirSync(join(service.workingDirectory, 'schemas')), ['author.json'])
    } finally {
      await service.stop()
    }
  })
})
