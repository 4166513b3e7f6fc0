import { createFixtures } from '../../testing/fixtures.ts'
import type { Answer, Client } from '../support/client.ts'
import { type StartOptions, startService, type TestService } from '../support/service.ts'

const schemas = {
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { body: { type: 'text' } },
  },
}

export const notesPath = '/api/content/note'

/** Costly by its conditions, although there is next to nothing to read. */
export const dearPath = `${notesPath}?filters[$and][0][body][$containsi]=a&filters[$and][1][body][$containsi]=b`

/** A service that refuses under overload, with a note, which everybody may read. */
export interface OverloadWorld {
  readonly service: TestService
  /** May read and write. */
  readonly token: Client
  readonly tokenText: string
}

export async function startWorld(options: StartOptions = {}): Promise<OverloadWorld> {
  const env = {
    SVC_OVERLOAD_ENABLED: 'true',
    SVC_OVERLOAD_WARM_UP_MS: '0',
    // What is in memory is never refused.
    SVC_PLUGINS_DISABLED: 'cache',
    ...options.env,
  }
  const service = await startService({ schemas, ...options, env })
  const fixtures = createFixtures({ ...service, apiPrefix: '/api' })
  await fixtures.permit('public', { content: { note: { read: true } } })
  await fixtures.create('note', { body: 'a b' })
  const { client, token } = await fixtures.createToken('content:read', 'content:write')
  return { service, token: client, tokenText: token }
}

/** Whether it is a refusal of the overload plugin; other parts of the service answer 503 too. */
export function isRefused({ status, headers }: Answer): boolean {
  return status === 503 && headers.get('retry-after') !== null
}

/** Keeps the event loop late by so many milliseconds; the result lets it go. */
export function blockLoop(ms: number): () => void {
  let isOver = false
  const block = () => {
    if (isOver) return
    const endsAt = performance.now() + ms
    while (performance.now() < endsAt);
    setImmediate(block)
  }
  block()
  return () => {
    isOver = true
  }
}
