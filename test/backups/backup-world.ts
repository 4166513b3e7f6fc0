import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import type { Answer } from '../support/client.ts'
import type { StartOptions } from '../support/service.ts'

/** Types that refer to each other, to themselves, to files and to users. */
export const schemas = {
  'author.json': {
    kind: 'collectionType',
    info: { singularName: 'author', pluralName: 'authors', displayName: 'Author' },
    attributes: {
      name: { type: 'string', required: true, unique: true },
      favourite: { type: 'relation', relation: 'manyToOne', target: 'book' },
      account: { type: 'relation', relation: 'manyToOne', target: 'user' },
    },
  },
  'book.json': {
    kind: 'collectionType',
    info: { singularName: 'book', pluralName: 'books', displayName: 'Book' },
    options: { draftAndPublish: true, softDelete: true },
    attributes: {
      title: { type: 'string', required: true },
      isbn: { type: 'bigint' },
      price: { type: 'decimal' },
      released: { type: 'date' },
      soldAt: { type: 'datetime' },
      rare: { type: 'boolean' },
      text: { type: 'richtext' },
      data: { type: 'json' },
      place: { type: 'point' },
      author: { type: 'relation', relation: 'manyToOne', target: 'author', onDelete: 'RESTRICT' },
      sequelOf: { type: 'relation', relation: 'manyToOne', target: 'book' },
      similar: { type: 'relation', relation: 'manyToMany', target: 'book' },
      cover: { type: 'media' },
      gallery: { type: 'media', multiple: true },
      blocks: { type: 'component', component: 'shared.quote', repeatable: true },
    },
  },
  'settings.json': {
    kind: 'singleType',
    info: { singularName: 'settings', pluralName: 'settings-all', displayName: 'Settings' },
    attributes: { motto: { type: 'string' } },
  },
  'components/shared.quote.json': {
    uid: 'shared.quote',
    category: 'shared',
    info: { displayName: 'Quote' },
    attributes: { text: { type: 'text' }, picture: { type: 'media' } },
  },
}

export interface BackupWorld extends MediaService {
  /** Makes a backup that must be completed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
  backUp(body?: object): Promise<any>
  download(id: number): Promise<Uint8Array<ArrayBuffer>>
  uploadBackup(file: Uint8Array<ArrayBuffer>): Promise<Answer>
  /** Uploads what must be accepted, and answers its id. */
  take(file: Uint8Array<ArrayBuffer>): Promise<number>
  restore(id: number, body?: object): Promise<Answer>
  /** Everything that a restore is to bring back, as the API tells it. */
  contents(): Promise<unknown>
  /** Files in the folder of backups. */
  backupFiles(): string[]
}

export async function startBackupWorld(options: StartOptions = {}): Promise<BackupWorld> {
  const service = await startMediaService({ schemas, ...options })
  const { admin, send } = service
  const directory = join(service.workingDirectory, 'data/backups')
  const world: BackupWorld = {
    ...service,
    async backUp(body = {}) {
      const { status, body: answer } = await admin.post('/api/admin/backups', body)
      assert.equal(status, 201, JSON.stringify(answer))
      return answer.data
    },
    async download(id) {
      const token = await tokenOf(service)
      const response = await fetch(`${service.url}/api/admin/backups/${id}/download`, {
        headers: { authorization: `Bearer ${token}` },
      })
      assert.equal(response.status, 200)
      return new Uint8Array(await response.arrayBuffer())
    },
    uploadBackup: (file) =>
      send('POST', '/api/admin/backups/upload', [{ name: 'file', content: file, filename: 'backup.tar' }]),
    async take(file) {
      const { status, body } = await world.uploadBackup(file)
      assert.equal(status, 201, JSON.stringify(body))
      return body.data.id
    },
    restore: (id, body = {}) => admin.post(`/api/admin/backups/${id}/restore`, body),
    contents: () => contentsOf(service),
    backupFiles: () => readdirSync(directory),
  }
  return world
}

async function tokenOf(service: MediaService): Promise<string> {
  const { body } = await service.post('/api/admin/auth/login', {
    identifier: 'admin@example.com',
    password: 'a long password for tests',
  })
  return body.data.token
}

async function contentsOf({ admin, files, workingDirectory }: MediaService): Promise<unknown> {
  const list = async (path: string) => {
    const { status, body } = await admin.get(path)
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`)
    return body.data
  }
  return {
    authors: await list('/api/content/author?sort=id&populate=*'),
    books: await list('/api/content/book?sort=id&populate=*'),
    settings: await list('/api/content/settings'),
    media: await list('/api/media?sort=id'),
    folders: await list('/api/media-folders/tree'),
    users: await list('/api/admin/content-users'),
    files: files()
      .sort()
      .map((name) => [name, readFileSync(join(workingDirectory, 'uploads', name)).length]),
  }
}

/** Content of every kind; answers ids of some of it. */
export async function fill(world: BackupWorld) {
  const { admin } = world
  const make = async (path: string, body: object) => {
    const answer = await admin.post(path, body)
    assert.equal(answer.status, 201, `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const folder = await make('/api/media-folders', { name: 'Covers' })
  const inner = await make('/api/media-folders', { name: 'Old', parent: folder.id })
  const cover = await world.add(await image(900, 500), 'cover.png')
  const other = await world.add(await image(40, 40), 'small.png')
  const note = await world.add('just a note', 'note.txt')
  await admin.put(`/api/media/${cover.id}`, { folder: inner.id })
  const user = await make('/api/admin/content-users', {
    email: 'reader@example.com',
    username: 'reader',
    password: 'a long password of a reader',
  })
  const author = await make('/api/content/author', { name: 'Ada Łęcka 🦉', account: user.id })
  const first = await make('/api/content/book', {
    title: 'First',
    isbn: '9007199254740993',
    price: '12345678901234567890.0123456789',
    released: '1999-12-31',
    soldAt: '2026-01-31T08:00:00.123Z',
    rare: true,
    text: '<p>line one\nline two – “quoted” \u2028</p>',
    place: { lat: -17.7134, lng: 178.065 },
    data: { b: 1, a: [null, 'x\ny', { deep: '🦉' }], 10: 'ten' },
    author: author.id,
    cover: cover.id,
    gallery: [other.id, cover.id],
    blocks: [{ text: 'a', picture: note.id }, { text: 'b' }],
  })
  await make(`/api/content/book/${first.id}/publish`, {}).catch(() => undefined)
  const second = await make('/api/content/book', {
    title: 'Second',
    sequelOf: first.id,
    similar: [first.id],
    author: author.id,
    rare: false,
  })
  await admin.put(`/api/content/book/${first.id}`, { similar: [second.id] })
  await admin.put(`/api/content/author/${author.id}`, { favourite: second.id })
  await admin.put('/api/content/settings', { motto: 'Read' })
  return { folder, inner, cover, other, note, user, author, first, second }
}
