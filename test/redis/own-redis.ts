import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { Redis } from 'ioredis'
import { canStart, startRedis, type TestServer } from '../support/database-servers.ts'
import { skipWithout } from '../support/scope.ts'

/** A Redis of the test's own, with accounts. */
export interface OwnRedis {
  readonly server: TestServer
  readonly admin: Redis
  /** Makes or changes an account. @returns its address */
  account(name: string, rules: readonly string[]): Promise<string>
  /** Runs `ACL SETUSER …`. @returns the address of its account */
  setUser(command: string): Promise<string>
}

const password = 'a-password'

/** What is not there may only be missing where nobody insists on it. */
export function needed<T>(server: T | undefined): T {
  if (server === undefined) throw new Error('redis-server is not installed')
  return server
}

export const accountUrl = ({ port }: TestServer, name: string, secret = password) =>
  `redis://${name}:${secret}@127.0.0.1:${port}`

const skip = skipWithout('redis-server', canStart.redis())

/** Declares a `describe` block with a Redis of its own; skipped where none is installed. */
export function withOwnRedis(name: string, declare: (redis: () => OwnRedis) => void): void {
  describe(name, { skip }, () => {
    let redis: OwnRedis
    before(async () => {
      const server = needed(await startRedis())
      const admin = new Redis(server.url)
      redis = {
        server,
        admin,
        async account(user, rules) {
          await admin.acl('SETUSER', user, 'reset', 'on', `>${password}`, ...rules)
          return accountUrl(server, user)
        },
        async setUser(command) {
          const [, , user = '', ...rules] = command.split(' ')
          const secret = rules.find((rule) => rule.startsWith('>'))?.slice(1)
          await admin.acl('SETUSER', user, ...rules)
          return accountUrl(server, user, secret)
        },
      }
    })
    after(async () => {
      redis.admin.disconnect()
      await redis.server.stop()
    })
    declare(() => redis)
  })
}

/** The line of docs/redis.md that makes an account. */
export function documentedAccount(): string {
  const page = readFileSync(join(import.meta.dirname, '../../docs/redis.md'), 'utf8')
  const [line] = page.match(/^ACL SETUSER .*$/m) ?? []
  if (line === undefined) throw new Error('docs/redis.md shows no account')
  return line
}
