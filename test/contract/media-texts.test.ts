import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { mediaService } from '../../core-plugins/delivery/media/media.ts'
import { createFilesInTexts } from '../../core-plugins/delivery/media/usages/files-in-texts.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus, newAdmin, newApiToken } from '../api/auth-callers.ts'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { typeFile } from '../support/type-file.ts'

const schemas = Object.fromEntries([
  typeFile(
    'page',
    {
      title: { type: 'string' },
      body: { type: 'richtext' },
      markdown: { type: 'text' },
      link: { type: 'string', maxLength: 500 },
      editor: { type: 'json' },
      cover: { type: 'media' },
      teaser: { type: 'component', component: 'part.teaser' },
      blocks: { type: 'dynamicZone', components: ['part.teaser', 'part.picture'] },
    },
    { draftAndPublish: true, draftOverlay: true, softDelete: true },
  ),
  typeFile(
    'note',
    { text: { type: 'richtext', pluginOptions: { i18n: { localized: true } } } },
    { i18n: { enabled: true, locales: ['en', 'de'] } },
  ),
])
const components = {
  'components/part.teaser.json': {
    uid: 'part.teaser',
    category: 'part',
    info: { displayName: 'Teaser' },
    attributes: {
      text: { type: 'richtext' },
      more: { type: 'component', component: 'part.picture', repeatable: true },
    },
  },
  // Called like a text of the other component.
  'components/part.picture.json': {
    uid: 'part.picture',
    category: 'part',
    info: { displayName: 'Picture' },
    attributes: { text: { type: 'media' }, caption: { type: 'text' } },
  },
}

interface File {
  readonly id: number
  readonly url: string
  readonly filename: string
  readonly formats: Record<string, { readonly url: string }>
}

const picture = (url: string) => `<p>Look:</p><img src="${url}" alt="">`

eachDatabase(({ name }) => {
  let service: MediaService
  let png: Uint8Array<ArrayBuffer>
  before(async () => {
    png = await image(900, 700)
    service = await startMediaService({ database: name, schemas: { ...schemas, ...components } })
  })
  after(() => service.stop())

  const add = (): Promise<File> => service.add(png, 'a.png')
  const create = async (data: Record<string, unknown>, type = 'page') =>
    expectStatus(await service.admin.post(`/api/content/${type}`, data), 201).body.data
  const update = async (id: number, data: Record<string, unknown>) =>
    expectStatus(await service.admin.put(`/api/content/page/${id}`, data), 200)
  const publish = async (id: number) =>
    expectStatus(await service.admin.put(`/api/content/page/${id}/publish`), 200)
  const usageOf = async (id: number, client = service.admin) =>
    expectStatus(await client.get(`/api/media/${id}/usage`), 200).body
  const fieldsOf = async (id: number, client = service.admin): Promise<string[]> =>
    (await usageOf(id, client)).data.map(
      (usage: { id: number; field: string }) => `${usage.id} ${usage.field}`,
    )
  const replace = async (id: number, width = 60): Promise<File> => {
    const part = { name: 'file', content: await image(width, 60), filename: 'next.png' }
    return expectStatus(await service.send('PUT', `/api/media/${id}/file`, [part]), 200).body.data
  }

  it(
    'texts of every kind use the files that they name, whatever stands before their names',
    slow,
    async () => {
      const file = await add()
      const small = file.formats.small?.url ?? ''
      const { id } = await create({
        title: 'Everywhere',
        body: `${picture(file.url)}${picture(file.url)}`,
        markdown: `![a](https://cdn.example.com/x/${file.filename}?a=1)`,
        link: small,
        editor: [{ type: 'image', attributes: { src: `${file.url}/w640.webp` } }],
        teaser: { text: picture(small), more: [{ caption: file.url }] },
        blocks: [{ __component: 'part.teaser', text: picture(file.url) }],
      })
      const { data, pagination } = await usageOf(file.id)
      const fields = [
        'blocks.text',
        'body',
        'editor',
        'link',
        'markdown',
        'teaser.more.caption',
        'teaser.text',
      ]
      assert.deepEqual(
        data,
        fields.map((field) => ({ type: 'page', id, field, title: 'Everywhere' })),
      )
      assert.equal(pagination.total, fields.length)
      await update(id, { body: '', markdown: null, link: null, editor: null, blocks: [], teaser: null })
      assert.deepEqual(await fieldsOf(file.id), [])
    },
  )

  it('names of other files, and what only looks like one, are no use', async () => {
    const file = await add()
    const base = file.filename.split('.')[0] ?? ''
    const unknown = 'f'.repeat(32)
    const { id } = await create({
      body: `${picture(`/api/uploads/${unknown}.png`)} a${file.filename} ${base} ${base}.PNG ${base}.pdf`,
      markdown: `${unknown}_small.webp`,
    })
    assert.deepEqual(await fieldsOf(file.id), [])
    await update(id, { body: `${unknown}.png, ${file.filename}.` })
    assert.deepEqual(await fieldsOf(file.id), [`${id} body`])
    await update(id, { body: '', link: `/_next/image?url=${encodeURIComponent(file.url)}&w=640` })
    assert.deepEqual(await fieldsOf(file.id), [`${id} link`])
  })

  it('a text full of addresses is looked through whole', async () => {
    const files = [await add(), await add()]
    const many = Array.from({ length: 1_200 }, (_, index) => `${index.toString(16).padStart(32, '0')}_s.webp`)
    const [first, last] = files.map(({ url }) => url)
    const { id } = await create({ body: [first, ...many, last].join(' ') })
    for (const file of files) assert.deepEqual(await fieldsOf(file.id), [`${id} body`])
  })

  it('a field that refers to a file and a text of the same name are one place, which is emptied', async () => {
    const file = await add()
    const { id } = await create({
      blocks: [
        { __component: 'part.teaser', text: file.url },
        { __component: 'part.picture', text: file.id },
      ],
    })
    assert.deepEqual(await fieldsOf(file.id), [`${id} blocks.text`])
    expectStatus(await service.admin.delete(`/api/media/${file.id}`), 200)
    const { blocks } = expectStatus(await service.admin.get(`/api/content/page/${id}`), 200).body.data
    assert.deepEqual([blocks[0].text, blocks[1].text], [file.url, null])
  })

  it('drafts count, for those who see them', async () => {
    const file = await add()
    const { id } = await create({ title: 'Public', body: 'none' })
    await publish(id)
    await update(id, { body: picture(file.url) })
    const reader = await newApiToken(service, ['media:read', 'content:read'])
    const blind = await newApiToken(service, ['media:read'])
    assert.deepEqual(await fieldsOf(file.id), [`${id} body`])
    assert.deepEqual(await fieldsOf(file.id, reader.client), [])
    await publish(id)
    assert.deepEqual(await fieldsOf(file.id, reader.client), [`${id} body`])
    assert.equal((await usageOf(file.id, blind.client)).pagination.total, 0)
    await update(id, { body: 'none again' })
    assert.deepEqual(await fieldsOf(file.id), [`${id} body`])
    await publish(id)
    assert.deepEqual(await fieldsOf(file.id), [])
  })

  it('each localisation has its own texts', async () => {
    const [english, german] = [await add(), await add()]
    const first = await create({ text: picture(english.url), locale: 'en' }, 'note')
    const second = expectStatus(
      await service.admin.post(`/api/content/note/${first.id}/localizations`, {
        locale: 'de',
        text: picture(german.url),
      }),
      201,
    ).body.data
    assert.deepEqual(await fieldsOf(english.id), [`${first.id} text`])
    assert.deepEqual(await fieldsOf(german.id), [`${second.id} text`])
  })

  it('a file is used by its former addresses, too, and restored entries count again', async () => {
    const file = await add()
    const { id } = await create({ body: picture(file.url) })
    const second = await replace(file.id)
    assert.deepEqual(await fieldsOf(file.id), [`${id} body`])
    const third = await replace(file.id, 50)
    const other = await create({ body: `${picture(file.formats.small?.url ?? '')} ${second.url}` })
    const newest = await create({ body: picture(third.url) })
    const all = [id, other.id, newest.id].map((each) => `${each} body`)
    assert.deepEqual(await fieldsOf(file.id), all)
    expectStatus(await service.admin.delete(`/api/content/page/${id}`), 200)
    assert.deepEqual(await fieldsOf(file.id), all.slice(1))
    expectStatus(await service.admin.post(`/api/content/page/${id}/restore`), 200)
    assert.deepEqual(await fieldsOf(file.id), all)
  })

  it('deleting a file leaves texts, and their entries, as they are; replacing it by another kind is no matter', async () => {
    const file = await add()
    const page = await create({ title: 'Kept', body: picture(file.url) })
    const text = { name: 'file', content: 'text', filename: 'b.txt' }
    expectStatus(await service.send('PUT', `/api/media/${file.id}/file`, [text]), 200)
    expectStatus(await service.admin.delete(`/api/media/${file.id}`), 200)
    const { body, updated_at } = expectStatus(await service.admin.get(`/api/content/page/${page.id}`), 200)
      .body.data
    assert.deepEqual([body, updated_at], [page.body, page.updated_at])
    await update(page.id, { title: 'Changed' })
    expectStatus(await service.admin.delete(`/api/content/page/${page.id}`), 200)
    expectStatus(await service.admin.post(`/api/content/page/${page.id}/restore`), 200)
  })

  it('writing a text while its file is deleted is never refused', async () => {
    for (let round = 0; round < 8; round++) {
      const file = await add()
      const { id } = await create({ body: 'none' })
      const answers = await Promise.all([
        service.admin.put(`/api/content/page/${id}`, { body: picture(file.url) }),
        service.admin.delete(`/api/media/${file.id}`),
        service.admin.post('/api/content/page', { body: picture(file.url) }),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 201],
        JSON.stringify(answers.map(({ body }) => body)),
      )
    }
  })

  it('those who do not see an entry learn nothing of its texts', async () => {
    const file = await add()
    await create({ body: picture(file.url) })
    const media = { read: true, write: true }
    const made = { name: 'files', description: '', permissions: { content: {}, media } }
    expectStatus(await service.admin.post('/api/admin/roles', made), 201)
    assert.deepEqual(await fieldsOf(file.id, (await newAdmin(service, 'files')).client), [])
  })

  it('the index of an older version is built anew from all texts', async () => {
    const file = await add()
    const { id } = await create({ body: picture(file.url), cover: file.id })
    const draft = await create({ body: 'none' })
    await publish(draft.id)
    await update(draft.id, { markdown: file.url })
    const replaced = await replace(file.id)
    const both = await create({ body: picture(replaced.url) })
    const expected = [`${id} body`, `${id} cover`, `${draft.id} markdown`, `${both.id} body`]
    assert.deepEqual(await fieldsOf(file.id), expected)
    const database = service.kernel.get(databaseService)
    await database.run(database.prepare(sql`delete from svc_media_usages where is_text`))
    assert.deepEqual(await fieldsOf(file.id), [`${id} cover`])
    await database.transaction((tx) => service.kernel.get(mediaService).reindexUsages(tx))
    await service.kernel.get(jobsService).drain()
    assert.deepEqual(await fieldsOf(file.id), expected)
  })

  it('thousands of names in a text leave room for other work while they are looked for', async () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `${String(index).padStart(32, '0')}_small.webp`)
    const files = createFilesInTexts(service.kernel.get(databaseService))
    let [turns, isOver] = [0, false]
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    assert.equal((await files.idsOf(names, service.kernel.get(databaseService))).size, 0)
    isOver = true
    assert.ok(turns >= 7, `${turns} turns`)
  })
})
