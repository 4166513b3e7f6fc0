import assert from 'node:assert/strict'
import { type Entry, storedEntriesService } from '../../core-plugins/entries/content/content.ts'
import { type DialectName, databaseService } from '../../core-plugins/foundation/database/database.ts'
import { type Caller, expectStatus, newAdmin, newUser } from '../api/auth-callers.ts'
import type { Answer, Client } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

const toOne = (target: string) => ({ type: 'relation', relation: 'manyToOne', target })
const toMany = (target: string) => ({ type: 'relation', relation: 'manyToMany', target })

/** To each of the types that has entries which somebody does not see. */
const links = {
  vault: toOne('vault'),
  vaults: toMany('vault'),
  leaf: toOne('leaf'),
  leaves: toMany('leaf'),
  bin: toOne('bin'),
  bins: toMany('bin'),
}
const whole = (localized: object = {}) => ({
  code: { type: 'string', unique: true },
  title: { type: 'string', ...localized },
  ...links,
  part: { type: 'component', component: 'x.part' },
  parts: { type: 'component', component: 'x.part', repeatable: true },
  zone: { type: 'dynamicZone', components: ['x.part', 'x.other'] },
})
const type = (name: string, attributes: object, options: object = {}, more: object = {}) => ({
  [`${name}.json`]: {
    ...{ kind: 'collectionType', info: { singularName: name, pluralName: `${name}s`, displayName: name } },
    ...{ options, attributes, ...more },
  },
})
const component = (name: string, attributes: object) => ({
  [`components/x.${name}.json`]: { uid: `x.${name}`, category: 'x', info: { displayName: name }, attributes },
})
const localized = { pluginOptions: { i18n: { localized: true } } }

export const schemas = {
  ...type('vault', { name: { type: 'string' } }),
  ...type('leaf', { name: { type: 'string' } }, { draftAndPublish: true }),
  ...type('bin', { name: { type: 'string' } }, { softDelete: true }),
  ...type('note', whole()),
  ...type('page', whole(), { draftAndPublish: true, draftOverlay: true }),
  ...type('text', whole(localized), { i18n: { enabled: true } }, localized),
  ...type('front', whole(), {}, { kind: 'singleType' }),
  ...type('strict', {
    title: { type: 'string' },
    vault: { ...toOne('vault'), required: true },
    bin: { ...toOne('bin'), required: true, onDelete: 'RESTRICT' },
    part: { type: 'component', component: 'x.strict', required: true },
  }),
  ...component('part', {
    label: { type: 'string' },
    text: { type: 'text' },
    isOn: { type: 'boolean', default: true },
    ...links,
    inner: { type: 'component', component: 'x.inner' },
  }),
  ...component('inner', { label: { type: 'string' }, vault: toOne('vault') }),
  ...component('other', { label: { type: 'string' }, vault: toOne('vault') }),
  ...component('strict', {
    label: { type: 'string' },
    vault: { ...toOne('vault'), required: true },
    bins: { ...toMany('bin'), required: true },
  }),
}

export interface HiddenLinksWorld {
  readonly service: TestService
  /** Reads and writes everything but vaults, and sees no drafts. */
  readonly writer: Caller
  /** An admin user with the same rights, who sees drafts. */
  readonly editor: Caller
  /** Of each type an entry that is hidden from somebody (a vault, a draft, what is in the trash), and one that is not. */
  readonly ids: Readonly<Record<'vault' | 'draft' | 'leaf' | 'trashed' | 'bin', number>>
  create(type: string, data: object): Promise<number>
  /** The entry as it is stored, without its version. */
  stored(type: string, id: number): Promise<Record<string, unknown>>
  /** Its pending draft. */
  draft(type: string, id: number): Promise<Readonly<Record<string, unknown>> | undefined>
  read(client: Client, path: string): Promise<Entry>
  put(client: Client, path: string, data: object): Promise<Entry>
}

export const path = (name: string, rest: string | number = '') =>
  `/api/content/${name}${rest === '' ? '' : `/${rest}`}`
export const dataOf = (answer: Answer, status = 200) => expectStatus(answer, status).body.data

export async function startHiddenLinks(database: DialectName): Promise<HiddenLinksWorld> {
  const service = await startService({ database, schemas, env: { SVC_LOCALIZATION_LOCALES: '["en","de"]' } })
  const { admin } = service
  const rights = { read: true, create: true, update: true, publish: true }
  const content = Object.fromEntries(
    ['leaf', 'bin', 'note', 'page', 'text', 'front', 'strict'].map((name) => [name, rights]),
  )
  const role = { name: 'writer', permissions: { content, media: {} } }
  expectStatus(await admin.post('/api/admin/roles', role), 201)
  const writer = await newUser(service, 'writer')
  const editor = await newAdmin(service, 'writer')
  const create = async (name: string, data: object): Promise<number> =>
    dataOf(await admin.post(path(name), data), 201).id
  const ids = {
    vault: await create('vault', { name: 'Vault' }),
    draft: await create('leaf', { name: 'Draft' }),
    leaf: await create('leaf', { name: 'Leaf' }),
    trashed: await create('bin', { name: 'Trashed' }),
    bin: await create('bin', { name: 'Bin' }),
  }
  dataOf(await admin.put(path('leaf', `${ids.leaf}/publish`)))
  const stored = service.kernel.get(storedEntriesService)
  const queries = service.kernel.get(databaseService)
  return {
    ...{ service, writer, editor, ids, create },
    async stored(name, id) {
      const [entry] = await stored.read(name, [id], queries)
      assert.ok(entry !== undefined)
      const { updated_at: _version, published_at: _published, ...values } = entry
      return values
    },
    draft: async (name, id) => (await stored.drafts(name, [id], queries)).get(id)?.values,
    read: async (client, of) => dataOf(await client.get(of)),
    put: async (client, of, data) => dataOf(await client.put(of, data)),
  }
}

/** An entry that leads to hidden ones wherever it can, beside others. */
export function fullEntry({ ids: { vault, draft, leaf, trashed, bin } }: HiddenLinksWorld) {
  const all = {
    ...{ vault, vaults: [vault], leaf: draft, leaves: [draft, leaf], bin: trashed, bins: [bin, trashed] },
  }
  const part = { label: 'p', text: 't', isOn: false, ...all, inner: { label: 'i', vault } }
  return {
    ...all,
    part,
    parts: [part, { ...part, label: 'q', vault: null }, { label: 'r', bins: [trashed, bin] }],
    zone: [
      { __component: 'x.part', ...part },
      { __component: 'x.other', label: 'o', vault },
      { __component: 'x.part', ...part, label: 'z' },
    ],
  }
}
