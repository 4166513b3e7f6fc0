import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { DialectName } from '../../core-plugins/foundation/database/database.ts'
import type { Plugin } from '../../kernel/index.ts'
import type { Answer, Client } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { type Receiver, type Responder, startReceiver } from './receiver.ts'

const collection = (singularName: string, pluralName: string, rest: object) => ({
  kind: 'collectionType',
  info: { singularName, pluralName, displayName: singularName },
  ...rest,
})

export const schemas = {
  'note.json': collection('note', 'notes', {
    attributes: {
      text: { type: 'string', required: true },
      size: { type: 'decimal' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'tag' },
      shelf: { type: 'relation', relation: 'manyToOne', target: 'shelf', onDelete: 'CASCADE' },
    },
  }),
  'tag.json': collection('tag', 'tags', {
    options: { timestamps: false },
    attributes: { name: { type: 'string' } },
  }),
  'book.json': collection('book', 'books', {
    options: { draftAndPublish: true, softDelete: true },
    attributes: { title: { type: 'string', required: true } },
  }),
  'shelf.json': collection('shelf', 'shelves', { attributes: { name: { type: 'string' } } }),
  'home.json': {
    kind: 'singleType',
    info: { singularName: 'home', pluralName: 'homes', displayName: 'Home' },
    attributes: { title: { type: 'string' } },
  },
}

/** Retries that tests do not have to wait for. */
export const hasty = { SVC_WEBHOOKS_RETRY_DELAYS: '[10, 10, 10, 10]' }

export interface WebhooksWorld {
  readonly service: TestService
  readonly admin: Client
}

export interface WorldOptions {
  readonly database?: DialectName
  readonly env?: Readonly<Record<string, string>>
  readonly plugins?: readonly Plugin[]
}

/** One service for all tests of the present `describe` block; to be used inside of tests only. */
export function useWebhooks({
  database = 'sqlite',
  env = {},
  plugins = [],
}: WorldOptions = {}): WebhooksWorld {
  const world = {} as { -readonly [Key in keyof WebhooksWorld]: WebhooksWorld[Key] }
  before(async () => {
    world.service = await startService({ database, schemas, plugins, env: { ...hasty, ...env } })
    world.admin = world.service.admin
  })
  after(() => world.service?.stop())
  return world
}

/** A receiver that is closed when the work has ended. */
export async function withReceiver<T>(
  work: (receiver: Receiver) => Promise<T>,
  responder?: Responder,
): Promise<T> {
  const receiver = await startReceiver(responder)
  try {
    return await work(receiver)
  } finally {
    await receiver.close()
  }
}

export function dataOf({ status, body }: Answer, expected = 200) {
  assert.equal(status, expected, JSON.stringify(body))
  return body.data
}

/** Makes a webhook and removes it when the work has ended, so that tests do not hear of each other. */
export async function withWebhook<T>(
  admin: Client,
  fields: { readonly url: string } & Readonly<Record<string, unknown>>,
  work: (id: number) => Promise<T>,
): Promise<T> {
  const all = { name: 'a test', events: ['entry.create', 'entry.update', 'entry.delete'], ...fields }
  const { id } = dataOf(await admin.post('/api/webhooks', all), 201)
  try {
    return await work(id)
  } finally {
    await admin.delete(`/api/webhooks/${id}`)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function logsOf(admin: Client, id: number, query = ''): Promise<any[]> {
  return dataOf(await admin.get(`/api/webhooks/${id}/logs${query}`))
}

/** Waits until the log of a webhook has so many deliveries with a status; answers them, newest first. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export async function logged(admin: Client, id: number, status: string, count = 1): Promise<any[]> {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  let found: any[] = []
  await until(async () => {
    found = await logsOf(admin, id, `?status=${status}&limit=100`)
    return found.length >= count
  })
  return found
}

/** Creates a note. */
export async function createNote(admin: Client, text: string, more: object = {}) {
  return dataOf(await admin.post('/api/content/note', { text, ...more }), 201)
}
