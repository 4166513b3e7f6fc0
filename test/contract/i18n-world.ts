import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import type { Answer, Client } from '../support/client.ts'
import { type StartOptions, startService, type TestService } from '../support/service.ts'

const localized = { pluginOptions: { i18n: { localized: true } } }

export const typeFile = (
  name: string,
  options: object,
  attributes: object,
  more: { readonly kind?: string; readonly indexes?: readonly object[] } = {},
) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    ...more,
    attributes,
  },
})

/** The types of the tests: pages with drafts, notes that are deleted softly, a single type, and what they refer to. */
export const i18nSchemas = {
  ...typeFile(
    'page',
    { draftAndPublish: true, i18n: { enabled: true, locales: ['en', 'de', 'fr', 'it'] } },
    {
      title: { type: 'string', required: true, ...localized },
      slug: { type: 'string', unique: true, ...localized },
      rank: { type: 'integer', required: true },
      sku: { type: 'string', unique: true },
      author: { type: 'relation', relation: 'manyToOne', target: 'person' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
      friends: { type: 'relation', relation: 'manyToMany', target: 'person', ...localized },
      hint: { type: 'component', component: 'part.hint' },
      body: { type: 'dynamicZone', components: ['part.hint'], ...localized },
    },
  ),
  ...typeFile(
    'note',
    { softDelete: true, i18n: { enabled: true } },
    {
      text: { type: 'text', ...localized },
      code: { type: 'string', unique: true },
      weight: { type: 'integer' },
    },
  ),
  ...typeFile(
    'home',
    { i18n: { enabled: true } },
    { title: { type: 'string', required: true, ...localized }, color: { type: 'string' } },
    { kind: 'singleType' },
  ),
  ...typeFile('person', { draftAndPublish: true }, { name: { type: 'string' } }),
  ...typeFile('tag', {}, { name: { type: 'string' } }),
  'components/part.hint.json': {
    uid: 'part.hint',
    category: 'part',
    info: { displayName: 'Hint' },
    attributes: { text: { type: 'string', required: true } },
  },
}

export const i18nEnv = { SVC_LOCALIZATION_LOCALES: '["en","de","fr"]' }

export type Entry = Record<string, unknown> & { id: number }

export const dataOf = (answer: Answer, status = 200) => expectStatus(answer, status).body.data
const path = (type: string, rest: string | number = '') =>
  `/api/content/${type}${rest === '' ? '' : `/${rest}`}`

/** Short words for what tests do over and over. */
export function speak(client: Client) {
  return {
    create: async (type: string, data: object): Promise<Entry> =>
      dataOf(await client.post(path(type), data), 201),
    read: async (type: string, id: number, query = ''): Promise<Entry> =>
      dataOf(await client.get(`${path(type, id)}${query}`)),
    list: async (type: string, query = ''): Promise<Entry[]> =>
      dataOf(await client.get(`${path(type)}${query}`)),
    update: async (type: string, id: number, data: object): Promise<Entry> =>
      dataOf(await client.put(path(type, id), data)),
    publish: async (type: string, id: number): Promise<Entry> =>
      dataOf(await client.put(path(type, `${id}/publish`))),
    localize: async (type: string, id: number, data: object): Promise<Entry> =>
      dataOf(await client.post(path(type, `${id}/localizations`), data), 201),
    versions: async (type: string, id: number) => dataOf(await client.get(path(type, `${id}/localizations`))),
    statuses: async (type: string, id: number): Promise<Record<string, string>> => {
      const { translationMeta } = dataOf(await client.get(path(type, `${id}/localizations`)))
      const metas = Object.entries(translationMeta as Record<string, { status: string }>)
      return Object.fromEntries(metas.map(([locale, { status }]) => [locale, status]))
    },
  }
}

export function startLocalised(
  database: DialectName | { readonly url: string },
  options: StartOptions = {},
): Promise<TestService> {
  return startService({ database, schemas: i18nSchemas, ...options, env: { ...i18nEnv, ...options.env } })
}
