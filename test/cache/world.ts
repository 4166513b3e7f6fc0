import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Answer, createClient } from '../../testing/client.ts'
import { expectStatus, newAdmin, newApiToken, newUser, type SigningIn } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import { createProject, type Project } from '../support/project.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const relation = (target: string, more: object = {}) => ({
  type: 'relation',
  relation: 'manyToOne',
  target,
  ...more,
})
const typeFile = (name: string, attributes: object, more: object = {}) => ({
  [`${name}.json`]: {
    kind: 'collectionType',
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    attributes,
    ...more,
  },
})

/** Types with all that may make an answer wrong: drafts, trash, locales, relations of every kind, components. */
export const schemas = {
  'components/page.teaser.json': {
    uid: 'page.teaser',
    category: 'page',
    info: { displayName: 'Teaser' },
    attributes: { text: { type: 'string' }, writer: relation('author'), about: relation('article') },
  },
  ...typeFile('author', {
    name: { type: 'string', required: true },
    bio: { type: 'text' },
    mentor: relation('author', { onDelete: 'SET NULL' }),
    account: relation('user', { onDelete: 'SET NULL' }),
    articles: { type: 'relation', relation: 'oneToMany', target: 'article', mappedBy: 'author' },
  }),
  ...typeFile('tag', { label: { type: 'string' } }, { options: { draftAndPublish: true } }),
  ...typeFile(
    'article',
    {
      title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
      body: { type: 'richtext', pluginOptions: { i18n: { localized: true } } },
      rank: { type: 'integer' },
      price: { type: 'decimal' },
      day: { type: 'date' },
      featured: { type: 'boolean' },
      author: relation('author', { onDelete: 'SET NULL', inversedBy: 'articles' }),
      tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
      teasers: { type: 'component', component: 'page.teaser', repeatable: true },
      lead: { type: 'component', component: 'page.teaser' },
      zone: { type: 'dynamicZone', components: ['page.teaser'] },
      facts: { type: 'json' },
      comments: { type: 'relation', relation: 'oneToMany', target: 'comment', mappedBy: 'article' },
      cover: { type: 'media' },
    },
    {
      options: {
        draftAndPublish: true,
        draftOverlay: true,
        softDelete: true,
        i18n: { enabled: true, locales: ['en', 'de'], defaultLocale: 'en' },
      },
    },
  ),
  ...typeFile('comment', {
    text: { type: 'string' },
    approved: { type: 'boolean' },
    article: relation('article', { onDelete: 'CASCADE' }),
  }),
  // Refers to nothing: no change of it counts for another reason.
  ...typeFile(
    'page',
    { title: { type: 'string', pluginOptions: { i18n: { localized: true } } } },
    {
      options: { draftAndPublish: true, i18n: { enabled: true, locales: ['en', 'de'], defaultLocale: 'en' } },
    },
  ),
  'home.json': {
    kind: 'singleType',
    info: { singularName: 'home', pluralName: 'homes', displayName: 'Home' },
    options: { draftAndPublish: true },
    attributes: { title: { type: 'string' }, lead: relation('article', { onDelete: 'SET NULL' }) },
  },
}

const readable = ['author', 'tag', 'article', 'comment', 'page', 'home']

export interface CacheWorld {
  /** Where all of them belong to. */
  readonly project: Project
  /** What all of them have in their environment. */
  readonly env: Readonly<Record<string, string>>
  /** Two processes that keep answers, on one database. */
  readonly cached: readonly [TestService, TestService]
  /** One that keeps none. */
  readonly plain: TestService
  /** By name: everybody who reads, for the service at an address. */
  callers(url: string): ReadonlyMap<string, Client>
  stop(): Promise<void>
}

/** Starts three services on one database, and makes those who read. */
export async function startCacheWorld(
  database: string,
  env: Readonly<Record<string, string>> = {},
): Promise<CacheWorld> {
  const project = await createProject({ database: database as 'sqlite', schemas })
  const url = project.env.DATABASE_URL ?? ''
  const shared = {
    JWT_SECRET: 'a-secret-that-all-three-of-them-share',
    SVC_LOCALIZATION_LOCALES: '["en","de"]',
  }
  const start = (more: Readonly<Record<string, string>>) =>
    startService({ database: { url }, schemas, env: { ...shared, ...more } })
  const first = await start(env)
  const second = await start(env)
  const disabled = [env.SVC_PLUGINS_DISABLED, 'cache'].filter((each) => each !== undefined)
  const plain = await start({ ...env, SVC_PLUGINS_DISABLED: disabled.join() })
  await openToReaders(first.admin)
  // Other processes hear of rights within a second.
  for (const service of [first, second, plain]) {
    await until(async () => (await service.get('/api/content/author')).status === 200, 'everybody may read')
  }
  const tokens = await makeReaders(first)
  return {
    cached: [first, second],
    plain,
    project,
    env: shared,
    callers: (at) => new Map([...tokens].map(([name, token]) => [name, createClient(at, token)])),
    async stop() {
      await Promise.all([first.stop(), second.stop(), plain.stop()])
      await project.remove()
    },
  }
}

/** Writes the schema files into a folder; answers theirs. */
export function writeSchemas(folder: string): string {
  for (const [path, schema] of Object.entries(schemas)) {
    const file = join(folder, 'schemas', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(schema))
  }
  return join(folder, 'schemas')
}

/** Lets those without an account, and those with one, read all types. */
export async function openToReaders(admin: Client): Promise<void> {
  const permissions = {
    content: Object.fromEntries(readable.map((type) => [type, { read: true }])),
    media: {},
  }
  const roles = expectStatus(await admin.get('/api/admin/roles'), 200).body.data
  const idOf = (name: string) => roles.find((role: { name: string }) => role.name === name).id
  for (const role of ['authenticated', 'public']) {
    expectStatus(await admin.put(`/api/admin/roles/${idOf(role)}`, { permissions }), 200)
  }
}

/** The tokens of everybody who reads, by name. */
export async function makeReaders(service: SigningIn): Promise<ReadonlyMap<string, string | undefined>> {
  return new Map([
    ['anonymous', undefined],
    ['user', (await newUser(service)).token],
    ['token', (await newApiToken(service, ['content:read'])).token],
    ['one type', (await newApiToken(service, ['content:read:article'])).token],
    ['drafts', (await newApiToken(service, ['content:read', 'content:drafts'])).token],
    ['writer', (await newApiToken(service, ['content:read', 'content:write'])).token],
    ['editor', (await newAdmin(service, 'editor')).token],
  ])
}

/** What an answer from memory must have in common with one that is made anew. */
export function comparable({ status, body, headers }: Answer): string {
  const names = ['content-type', 'etag', 'vary', 'cache-control']
  return JSON.stringify([status, names.map((name) => headers.get(name)), body], (key, value) =>
    key === 'requestId' ? undefined : value,
  )
}

/** `hit`, or what else became of a request. */
export const statusOf = ({ headers }: Answer): string => headers.get('cache-status')?.split('; ')[1] ?? 'none'

/** Asks until the answer comes from memory. @throws Error if it is never kept */
export async function fromMemory(client: Client, path: string): Promise<Answer> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const answer = await client.get(path)
    if (statusOf(answer) === 'hit') return answer
  }
  throw new Error(`${path} is not kept`)
}
