import assert from 'node:assert/strict'
import { expectStatus } from '../../api/auth-callers.ts'
import { type MediaService, startMediaService } from '../../api/media-support.ts'
import { type Client, signIn } from '../../support/client.ts'
import type { StartOptions } from '../../support/service.ts'
import { ada, inviteAda } from '../browser/panel-page.ts'
import { articles, changesOfFirstArticle, firstArticle, type SampleArticle } from './articles.ts'
import { drawPictures } from './draw-pictures.ts'
import { newsroomSchemas } from './newsroom-schemas.ts'

/** The service of a small newspaper. */
export interface Newsroom extends MediaService {
  /** The ids of entries by their names, of articles by their first titles. */
  readonly ids: ReadonlyMap<string, number>
}

/** A writer who may not publish. */
export const mara = { identifier: 'mara', password: 'the password of Mara L.' }
/** Somebody who may only read. */
export const guest = { identifier: 'guest', password: 'the password of a guest' }

/** Starts it, with what has been written until today. Ada is its super-admin. */
export async function startNewsroom(options: Omit<StartOptions, 'schemas'> = {}): Promise<Newsroom> {
  const service = await startMediaService({ ...options, schemas: newsroomSchemas })
  await inviteAda(service)
  await inviteColleagues(service)
  const asAda = await signIn(service.url, ada.identifier, ada.password)
  const ids = await fill(service, asAda)
  return { ...service, ids }
}

const rights = (...actions: readonly string[]) => Object.fromEntries(actions.map((action) => [action, true]))

async function inviteColleagues({ admin }: MediaService) {
  const types = Object.keys(newsroomSchemas).flatMap((file) =>
    file.startsWith('components/') ? [] : [file.replace('.json', '')],
  )
  const content = (...actions: readonly string[]) =>
    Object.fromEntries(types.map((type) => [type, rights(...actions)]))
  const roles = [
    ['writer', { content: content('read', 'create', 'update'), media: rights('read', 'write') }, mara],
    ['onlooker', { content: content('read'), media: rights('read') }, guest],
  ] as const
  for (const [name, permissions, { identifier: username, password }] of roles) {
    expectStatus(await admin.post('/api/admin/roles', { name, permissions }), 201)
    const account = { email: `${username}@example.com`, username, password, role: name }
    expectStatus(await admin.post('/api/admin/auth/register', account), 201)
  }
}

async function fill(service: MediaService, asAda: Client) {
  const ids = new Map<string, number>()
  const create = async (type: string, name: string, data: object) => {
    const { body } = expectStatus(await asAda.post(`/api/content/${type}`, data), 201)
    ids.set(name, body.data.id)
  }
  await addPictures(service, ids)
  for (const [name, colour] of sections) await create('section', name, { name, colour })
  for (const { name, ...author } of authors) {
    const portrait = ids.get(author.portrait)
    await create('author', name, { name, ...author, portrait })
  }
  // The oldest first: lists begin with what is new.
  for (const article of articles.toReversed()) await create('article', article.title, entryOf(article, ids))
  for (const article of articles) await complete(asAda, article, ids)
  for (const event of events) await create('event', event.name, event)
  await changeFirstArticle(service, asAda, ids)
  return ids
}

const sections = [
  ['Town', '#2456a6'],
  ['Economy', '#8a6d1d'],
  ['Culture', '#6f4a8f'],
  ['Sport', '#b8402f'],
  ['Nature', '#17693c'],
] as const

const authors = [
  { name: 'Mara Lindqvist', beat: 'Harbour', email: 'mara@example.com', portrait: 'mara-lindqvist.jpg' },
  { name: 'Tomas Okafor', beat: 'Town hall', email: 'tomas@example.com', portrait: 'tomas-okafor.jpg' },
  { name: 'Ines Duarte', beat: 'Culture', email: 'ines@example.com', portrait: 'ines-duarte.jpg' },
  { name: 'Jonas Petersen', beat: 'Sport', email: 'jonas@example.com', portrait: 'jonas-petersen.jpg' },
]

const events = [
  { name: 'Fish market', place: 'East quay', begins: '2222-05-02T06:00:00Z', free: true },
  { name: 'Evening of the choirs', place: 'St Clement’s', begins: '2222-05-09T18:30:00Z', free: false },
  { name: 'Open day at the shipyard', place: 'Dock 3', begins: '2222-05-16T09:00:00Z', free: true },
]

async function addPictures({ send, admin, add }: MediaService, ids: Map<string, number>) {
  const made = expectStatus(await admin.post('/api/media-folders', { name: 'Portraits' }), 201)
  for (const [name, bytes] of await drawPictures()) {
    const isPortrait = authors.some(({ portrait }) => portrait === name)
    const folder = { name: 'folderId', content: String(made.body.data.id) }
    const file = { name: 'file', content: bytes, filename: name }
    const { id } = isPortrait
      ? expectStatus(await send('POST', '/api/upload', [folder, file]), 201).body.data
      : await add(bytes, name)
    ids.set(name, id)
  }
}

const slugOf = (title: string) =>
  title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')

const entryOf = (article: SampleArticle, ids: ReadonlyMap<string, number>) => ({
  title: article.title,
  slug: slugOf(article.title),
  standfirst: article.standfirst,
  section: ids.get(article.section),
  author: ids.get(article.author),
  cover: article.cover === undefined ? null : ids.get(article.cover),
  ...(article === articles[0] ? firstArticle : {}),
})

async function complete(asAda: Client, article: SampleArticle, ids: ReadonlyMap<string, number>) {
  const path = `/api/content/article/${ids.get(article.title)}`
  if (article.state !== undefined) {
    const publishedAt = article.state === 'scheduled' ? { publishedAt: '2222-04-30T05:00:00Z' } : {}
    expectStatus(await asAda.put(`${path}/publish`, publishedAt), 200)
  }
  if (article.german !== undefined) {
    const german = { locale: 'de', title: article.german, slug: slugOf(article.german) }
    expectStatus(await asAda.post(`${path}/localizations`, german), 201)
  }
}

/** So that there is a draft beside what is public, a history, and somebody else who has worked. */
async function changeFirstArticle({ url }: MediaService, asAda: Client, ids: ReadonlyMap<string, number>) {
  const [first, second] = articles
  assert.ok(first !== undefined && second !== undefined)
  const path = `/api/content/article/${ids.get(first.title)}`
  const asMara = await signIn(url, mara.identifier, mara.password)
  const others = { related: [ids.get(second.title)] }
  expectStatus(await asMara.put(path, { ...changesOfFirstArticle, ...others }), 200)
  expectStatus(
    await asAda.put(`/api/content/event/${ids.get('Fish market')}/workflow/transition`, { to: 'desk' }),
    200,
  )
}
