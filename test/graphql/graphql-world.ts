import assert from 'node:assert/strict'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import type { Answer, Client } from '../support/client.ts'
import type { TestService } from '../support/service.ts'

/** An answer of the endpoint, whatever its status. */
export function post(client: Client, query: string, variables?: object): Promise<Answer> {
  return client.post('/api/graphql', { query, ...(variables === undefined ? {} : { variables }) })
}

/** The data of an operation that must succeed as a whole. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function ask(client: Client, query: string, variables?: object): Promise<any> {
  const { status, body } = await post(client, query, variables)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.errors, undefined, JSON.stringify(body.errors))
  return body.data
}

/** The codes of an operation's errors. */
export const codesIn = ({ body }: Answer): string[] =>
  (body.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code)

/**
 * Tells how many statements about content `work` sends to the database. It is run several times, since the service does
 * something by itself now and then, and the fewest count.
 */
export async function countStatements(service: TestService, work: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  for (let run = 0; run < 4; run++) counts.push(await countOnce(service, work))
  return Math.min(...counts)
}

async function countOnce(service: TestService, work: () => Promise<unknown>): Promise<number> {
  const database = service.kernel.get(databaseService)
  const { all, get } = database
  let count = 0
  const counted =
    <Method extends typeof all | typeof get>(method: Method) =>
    (...args: Parameters<Method>) => {
      if (/\b(content_|link_|svc_media\b)/.test(args[0].text)) count++
      return Reflect.apply(method, database, args)
    }
  Object.assign(database, { all: counted(all), get: counted(get) })
  try {
    await work()
  } finally {
    Object.assign(database, { all, get })
  }
  return count
}
