import { randomBytes } from 'node:crypto'
import type { Permissions } from '../core-plugins/accounts/auth/auth.ts'
import { type AnyJson, createClient, expectStatus, signIn, type TestClient } from './client.ts'

/** An account that has signed in. */
export interface TestAccount {
  readonly id: number
  readonly email: string
  readonly username: string
  readonly password: string
  readonly client: TestClient
}

/** The rights of an account: an existing role, or the permissions of a new one. */
export type TestRights = { readonly role: string } | { readonly permissions: Partial<Permissions> }

export interface CreateOptions {
  /** Whether to publish the entry, for types with drafts. */
  readonly publish?: boolean
}

/**
 * Creates what tests need in a service; each function throws an AssertionError with the service's answer if it
 * refuses.
 */
export interface Fixtures {
  /**
   * Creates an entry through the API, as the first super-admin: it is validated, and visible to plugins, like any
   * other. Use `create<Article>('article', …)` for a typed result.
   */
  create<Entry = AnyJson>(type: string, values: object, options?: CreateOptions): Promise<Entry>
  /** An admin user: `{ role: 'editor' }`, or `{ permissions: { content: { article: { read: true } } } }`. */
  createAdminUser(rights: TestRights): Promise<TestAccount>
  /** A content user, with the role `authenticated` unless other rights are given. */
  createContentUser(rights?: TestRights): Promise<TestAccount>
  /** An API token with these scopes: `createToken('content:read', 'media:read')`. */
  createToken(...scopes: string[]): Promise<{
    readonly id: number
    readonly token: string
    readonly client: TestClient
  }>
  /** Sets the permissions of a role; `public`, for example, applies to callers without an account. */
  permit(role: string, permissions: Partial<Permissions>): Promise<void>
}

export interface FixturesOptions {
  readonly url: string
  /** `/api`, unless the service is configured differently. */
  readonly apiPrefix: string
  /** A client signed in as a super-admin. */
  readonly admin: TestClient
}

export function createFixtures({ url, apiPrefix: api, admin }: FixturesOptions): Fixtures {
  async function roleOf(rights: TestRights): Promise<string> {
    if ('role' in rights) return rights.role
    const role = { name: newName(), permissions: rights.permissions }
    return expectStatus(await admin.post(`${api}/admin/roles`, role), 201).body.data.name
  }

  async function newAccount(route: string, system: string, rights: TestRights): Promise<TestAccount> {
    const username = newName()
    const account = { email: `${username}@example.com`, username, password: 'correct horse battery' }
    const answer = await admin.post(api + route, { ...account, role: await roleOf(rights) })
    const { id } = expectStatus(answer, 201).body.data
    const { email, password } = account
    return { id, ...account, client: await signIn(url, email, password, `${api}${system}/login`) }
  }

  return {
    async create(type, values, { publish = false } = {}) {
      const path = `${api}/content/${type}`
      const entry = expectStatus(await admin.post(path, values), 201).body.data
      if (!publish) return entry
      return expectStatus(await admin.put(`${path}/${entry.id}/publish`), 200).body.data
    },
    createAdminUser: (rights) => newAccount('/admin/auth/register', '/admin/auth', rights),
    createContentUser: (rights = { role: 'authenticated' }) =>
      newAccount('/admin/content-users', '/auth', rights),
    async createToken(...scopes) {
      const answer = await admin.post(`${api}/admin/api-tokens`, { name: newName(), scopes })
      const { id, token } = expectStatus(answer, 201).body.data
      return { id, token, client: createClient(url, token) }
    },
    async permit(name, permissions) {
      const roles: { id: number; name: string }[] = expectStatus(await admin.get(`${api}/admin/roles`), 200)
        .body.data
      const role = roles.find((each) => each.name === name)
      if (role === undefined)
        throw new Error(`there is no role ${name}, only ${roles.map((each) => each.name).join(', ')}`)
      expectStatus(await admin.put(`${api}/admin/roles/${role.id}`, { permissions }), 200)
    },
  }
}

const newName = () => `test-${randomBytes(6).toString('hex')}`
