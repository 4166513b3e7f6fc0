import { createHash, randomUUID } from 'node:crypto'
import {
  assertDecided,
  comparedSections,
  comparisonBetween,
  type OnMissing,
  openRemoteSide,
  type PlanOptions,
  planTransfer,
  type Selection,
  sendFiles,
  type TransferSide,
  transferService,
  writePackage,
} from '../../core-plugins/administration/transfer/transfer.ts'
import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import { type ItemName, nameOf } from '../../core-plugins/foundation/sections/sections.ts'
import { expectStatus } from '../api/auth-callers.ts'
import { type MediaService, startMediaService } from '../api/media-support.ts'
import { createClient } from '../support/client.ts'

const text = (more = {}) => ({ type: 'string', ...more })
export const type = (name: string, attributes: object, options: object = {}, kind = 'collectionType') => ({
  kind,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options,
  attributes,
})

/** Types with everything that travels. */
export const schemas = {
  'author.json': type('author', { name: text({ required: true }), mentor: relation('author') }),
  'article.json': type(
    'article',
    {
      title: text({ required: true }),
      slug: text({ unique: true }),
      price: { type: 'decimal' },
      facts: { type: 'json' },
      author: { ...relation('author'), required: true },
      related: { type: 'relation', relation: 'manyToMany', target: 'article' },
      cover: { type: 'media' },
      seo: { type: 'component', component: 'test.seo' },
    },
    { draftAndPublish: true, softDelete: true },
  ),
  'page.json': type(
    'page',
    { title: text({ pluginOptions: { i18n: { localized: true } } }), layout: text(), next: relation('page') },
    { i18n: { enabled: true, locales: ['en', 'de'] } },
  ),
  'memo.json': type('memo', { body: text() }, { draftAndPublish: true, draftOverlay: true }),
  'home.json': type('home', { title: text(), lead: relation('article') }, {}, 'singleType'),
  'components/test.seo.json': {
    ...{ uid: 'test.seo', category: 'test', info: { displayName: 'SEO' } },
    attributes: { text: text(), isShown: { type: 'boolean', default: true }, author: relation('author') },
  },
}

function relation(target: string) {
  return { type: 'relation', relation: 'manyToOne', target }
}

export interface TransferOptions extends PlanOptions {
  readonly onMissing?: OnMissing
  readonly without?: readonly string[]
}

/** One of the two environments. */
export interface Place {
  readonly service: MediaService
  readonly side: TransferSide
  create(type: string, data: object): Promise<{ id: number } & Record<string, unknown>>
  update(type: string, id: number, data: object): Promise<void>
  publish(type: string, id: number): Promise<void>
  /** Adds a version of a page. */
  translate(id: number, data: object): Promise<void>
  /** The entries as people see them, by title, name or body, with UUIDs. */
  list(type: string, query?: string): Promise<Record<string, unknown>[]>
  uuidOf(type: string, id: number): Promise<string>
}

const scopes = ['admin:*']
const locales = { 'localization.locales': ['en', 'de'] }

export async function startPlace(
  database: DialectName,
  env: Record<string, string> = {},
  moreSchemas: object = {},
): Promise<Place> {
  const files = { 'mortise.config.json': JSON.stringify(locales) }
  const service = await startMediaService({ database, schemas: { ...schemas, ...moreSchemas }, files, env })
  const list: Place['list'] = async (type, query = '') => {
    const { body } = await service.admin.get(`/api/content/${type}?limit=100${query}`)
    return body.data
  }
  return {
    service,
    side: service.kernel.get(transferService).side,
    async create(type, data) {
      return expectStatus(await service.admin.post(`/api/content/${type}`, data), 201).body.data
    },
    async update(type, id, data) {
      expectStatus(await service.admin.put(`/api/content/${type}/${id}`, data), 200)
    },
    list,
    async publish(type, id) {
      expectStatus(await service.admin.put(`/api/content/${type}/${id}/publish`), 200)
    },
    async translate(id, data) {
      expectStatus(await service.admin.post(`/api/content/page/${id}/localizations`, data), 201)
    },
    async uuidOf(type, id) {
      const { body } = await service.admin.get(`/api/content/${type}/${id}?fields=uuid`)
      return body.data.uuid
    },
  }
}

/** A place as its own side, with all rights. */
export const transferSideOf = ({ service }: Place): TransferSide => service.kernel.get(transferService).side

/** A token of a place, with its maker's rights. */
export async function tokenOf(
  { service }: Place,
  tokenScopes: readonly string[] = scopes,
  by = service.admin,
) {
  const made = await by.post('/api/admin/api-tokens', { name: randomUUID(), scopes: tokenScopes })
  return expectStatus(made, 201).body.data.token as string
}

export async function remoteOf(place: Place, tokenScopes?: readonly string[]): Promise<TransferSide> {
  return openRemoteSide({ url: place.service.url, token: await tokenOf(place, tokenScopes) })
}

export const comparing = comparisonBetween

const everything: Selection = {}

/** `added content:article:0198…`, by what it is. */
export async function differencesBetween(
  source: TransferSide,
  target: TransferSide,
  selection = everything,
  without: readonly string[] = [],
) {
  const { sections } = await comparedSections(await comparing(source, target, without), selection)
  return sections.flatMap(({ differences }) =>
    differences.map((item) => `${item.difference} ${nameOf(item)}`),
  )
}

/** Transfers what is selected; the package stays on the disk until the service stops. */
export async function transfer(
  place: Place,
  source: TransferSide,
  target: TransferSide,
  { onMissing = 'refuse', without = [], ...options }: Partial<TransferOptions> = {},
  selection = everything,
) {
  const comparison = await comparing(source, target, without)
  const compared = await comparedSections(comparison, selection)
  const plan = planTransfer(compared, { isDeleting: false, ...options })
  assertDecided(plan)
  const path = await place.service.kernel.get(transferService).newPath()
  const written = await writePackage(comparison, plan, { path, onMissing })
  await sendFiles(comparison, written.files)
  return { written, result: await target.apply(written) }
}

/** What a caller sends as a package, whatever it is. */
export async function sendPackage(place: Place, token: string, lines: readonly unknown[], id?: string) {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  const name = id ?? createHash('sha256').update(text).digest('hex')
  const client = createClient(place.service.url, token)
  const path = `/api/admin/transfer/packages/${name}`
  const sent = await client.put(`${path}?offset=0`, text)
  const applied = await client.post(`${path}/apply`)
  if (applied.status !== 200) await client.delete(path)
  return { sent, applied }
}

export const named = (section: string, key: string): ItemName => ({ section, key })
