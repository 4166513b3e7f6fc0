import { operator } from '../../core-plugins/accounts/auth/auth.ts'
import {
  type ImportRecord,
  type ImportReport,
  type ImportRequest,
  importService,
} from '../../core-plugins/administration/import-export/import-export.ts'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import { startService, type TestService } from '../support/service.ts'

const named = { type: 'string', required: true, unique: true }
const manyToOne = (target: string) => ({ type: 'relation', relation: 'manyToOne', target })
const manyToMany = (target: string) => ({ type: 'relation', relation: 'manyToMany', target })

const type = (name: string, attributes: object, options: object = {}, kind = 'collectionType') => [
  `${name}.json`,
  { kind, info: { singularName: name, pluralName: `${name}s`, displayName: name }, options, attributes },
]

/** Types that refer to each other in every way. */
export const importSchemas = Object.fromEntries([
  type('country', { cca2: named, name: { type: 'string' } }, { draftAndPublish: true }),
  type('city', {
    slug: named,
    name: { type: 'string', required: true, minLength: 2 },
    population: { type: 'integer' },
    country: manyToOne('country'),
    twins: manyToMany('city'),
    facts: { type: 'json' },
    cover: { type: 'media' },
    gallery: { type: 'media', multiple: true },
    place: { type: 'component', component: 'test.place' },
    blocks: { type: 'dynamicZone', components: ['test.place', 'test.note'] },
  }),
  type(
    'article',
    { slug: named, title: { type: 'string' }, author: manyToOne('person') },
    { draftAndPublish: true },
  ),
  type('person', {
    email: { type: 'email', unique: true },
    name: { type: 'string' },
    boss: manyToOne('person'),
  }),
  type('step', { code: { ...named, type: 'integer' }, next: { ...manyToOne('step'), required: true } }),
  type(
    'page',
    {
      slug: { ...named, pluginOptions: { i18n: { localized: true } } },
      title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
      rank: { type: 'integer' },
    },
    { draftAndPublish: true, i18n: { enabled: true } },
  ),
  type('home', { title: { type: 'string' }, city: manyToOne('city') }, {}, 'singleType'),
  [
    'components/test.place.json',
    {
      uid: 'test.place',
      category: 'test',
      info: { displayName: 'Place' },
      attributes: {
        label: { type: 'string' },
        country: manyToOne('country'),
        inner: { type: 'component', component: 'test.inner' },
      },
    },
  ],
  [
    'components/test.inner.json',
    {
      uid: 'test.inner',
      category: 'test',
      info: { displayName: 'Inner' },
      attributes: { label: { type: 'string' }, country: manyToOne('country') },
    },
  ],
  [
    'components/test.note.json',
    {
      uid: 'test.note',
      category: 'test',
      info: { displayName: 'Note' },
      attributes: { text: { type: 'text' }, cities: manyToMany('city') },
    },
  ],
])

export function startImports(database: DialectName, env: Record<string, string> = {}): Promise<TestService> {
  return startService({
    ...{ database, schemas: importSchemas },
    env: { SVC_LOCALIZATION_LOCALES: '["en","de","fr"]', ...env },
  })
}

export async function* recordsOf(all: readonly (object | ImportRecord)[]): AsyncGenerator<ImportRecord> {
  for (const each of all) yield 'data' in each ? (each as ImportRecord) : { data: each }
}

/** Imports records in the process of the service, as the command line does. */
export function importing({ kernel }: TestService) {
  const imports = kernel.get(importService)
  return (type: string | undefined, records: readonly object[], options: Partial<ImportRequest> = {}) =>
    imports.importRecords({ type, records: recordsOf(records), principal: operator, ...options })
}

/** What is wrong with which line. */
export const told = ({ problems }: ImportReport): string[] =>
  problems.map(({ line, path, code }) => `${line} ${path} ${code}`)

/** How many were created, updated, left as they are, and refused. */
export const counted = ({ created, updated, unchanged, refused }: ImportReport): number[] => [
  created,
  updated,
  unchanged,
  refused,
]

export const mediaTypes = {
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  csv: 'text/csv',
} as const

export interface SentFile {
  readonly status: number
  readonly data: ImportReport
  readonly body: { readonly error: { readonly message: string } }
}

/** Sends a file to import. */
export async function sendFile(
  client: Pick<TestService, 'request'>,
  path: string,
  file: string | Uint8Array,
  contentType: string = mediaTypes.ndjson,
): Promise<SentFile> {
  const headers = { 'content-type': contentType }
  const { status, body } = await client.request('POST', path, { body: Buffer.from(file as string), headers })
  return { status, data: body.data, body }
}

/** The file of an export. */
export async function exported(client: Pick<TestService, 'get'>, path: string): Promise<string> {
  const answer = await client.get(path)
  if (answer.status !== 200)
    throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
}

/** The report of a file that was imported as a job. */
export async function reportOfJob(
  { kernel }: TestService,
  { status, data }: SentFile,
): Promise<ImportReport> {
  if (status !== 202) throw new Error(`the import was answered ${status}: ${JSON.stringify(data)}`)
  const job = await kernel.get(jobsService).finished((data as unknown as { job: number }).job)
  if (job.status !== 'completed') throw new Error(`the import has ${job.status}: ${job.error}`)
  return job.result as ImportReport
}
