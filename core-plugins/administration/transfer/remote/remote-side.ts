import { Type } from 'typebox'
import { AppError, bodyValidator, whenNeeded } from '../../../foundation/http/http.ts'
import type { ItemName, ItemVersion, TransferItem } from '../../../foundation/sections/sections.ts'
import type { Agreement } from '../agreements.ts'
import {
  agreementsSchema,
  descriptionSchema,
  nameSchema,
  recordsSchema,
  versionsSchema,
} from '../answer-schemas.ts'
import { itemsAtOnce, pageSize, type SideDescription, type TransferSide } from '../plan/side.ts'
import type { SomeItems } from '../reads.ts'
import {
  createRemoteClient,
  type RemoteClient,
  type RemoteOptions,
  type RemoteRequest,
} from './remote-client.ts'
import { sendFile } from './send-file.ts'
import { sendPackage } from './send-package.ts'

/** The other side is not trusted, so its answers are checked like any request. */
const checks = {
  description: whenNeeded(() => bodyValidator(descriptionSchema)),
  versions: whenNeeded(() => bodyValidator(versionsSchema)),
  records: whenNeeded(() => bodyValidator(recordsSchema)),
  agreements: whenNeeded(() => bodyValidator(agreementsSchema)),
  names: whenNeeded(() => bodyValidator(Type.Array(nameSchema))),
}

type Check = (typeof checks)[keyof typeof checks]

function checked<T>({ name }: RemoteClient, check: Check, answer: unknown): T {
  const [problem] = check(answer)
  if (problem === undefined) return answer as T
  throw new AppError(
    'BAD_GATEWAY',
    `${name} does not answer like Mortise of this version: ${problem.path} ${problem.message}`,
  )
}

/** Another environment, over HTTP. */
export function openRemoteSide(options: RemoteOptions): TransferSide {
  const client = createRemoteClient(options)
  const get = async <T>(check: Check, path: string, query: RemoteRequest['query'] = {}) =>
    checked<T>(client, check, await client.json('GET', path, { query }))
  const post = async <T>(check: Check, path: string, body: unknown) =>
    checked<T>(client, check, await client.json('POST', path, { body }))

  const find: TransferSide['find'] = async (section, keys, beside = []) => {
    const items: TransferItem[] = []
    let rest = keys
    while (rest.length > 0) {
      const wanted = rest.slice(0, itemsAtOnce)
      const answer = await post<SomeItems>(checks.records, '/records', { section, keys: wanted, beside })
      items.push(...answer.items)
      assertProgress(wanted, answer)
      rest = [...answer.rest, ...rest.slice(itemsAtOnce)]
    }
    return items
  }

  return {
    name: client.name,
    describe: () => get<SideDescription>(checks.description, ''),
    page: (section, after, beside = []) =>
      get<ItemVersion[]>(checks.versions, '/items', { section, after, limit: pageSize, beside }),
    find,
    agreements: (peer, section, after) =>
      get<Agreement[]>(checks.agreements, '/agreements', { peer, section, after, limit: pageSize }),
    agreementsOn: (peer, section, keys) =>
      post<Agreement[]>(checks.agreements, '/agreements/find', { peer, section, keys }),
    async remember(peer, agreements, agreedAt) {
      await client.json('PUT', '/agreements', { body: { peer, agreedAt, agreements } })
    },
    readFile: ({ item, file }, offset) =>
      client.bytes('/file', { query: { ...item, offset }, maxBytes: file.size - offset }),
    putFile: (file, read) => sendFile(client, file, read),
    apply: (written) => sendPackage(client, written),
    release: (id) => get<ItemName[]>(checks.names, `/releases/${id}`),
  }
}

/** Refuses an answer without progress, or the same items would be requested forever. */
function assertProgress(wanted: readonly string[], { rest }: SomeItems): void {
  const left = new Set(wanted)
  if (rest.length < wanted.length && rest.every((key) => left.has(key))) return
  throw new AppError('BAD_GATEWAY', 'the other environment does not answer what it is asked for')
}
