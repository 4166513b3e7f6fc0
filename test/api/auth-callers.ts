import { randomUUID } from 'node:crypto'
import { type Answer, type Client, createClient, expectStatus } from '../support/client.ts'
import type { TestService } from '../support/service.ts'

export { expectStatus }

/** An account of a test's own, signed in. */
export interface Caller {
  readonly id: number
  readonly email: string
  readonly username: string
  readonly password: string
  readonly token: string
  readonly client: Client
}

export const goodPassword = 'correct horse battery'

/** Names that no other test has. */
export function newNames() {
  const name = `u-${randomUUID()}`
  return { email: `${name}@example.com`, username: name }
}

/** A service where accounts are made, of which the first super-admin is signed in. */
export type SigningIn = Pick<TestService, 'url' | 'admin' | 'post'>

/** The codes of the details of a failure, by path. */
export function problemsOf(answer: Answer): Record<string, string> {
  const details: { path: string; code: string }[] = answer.body.error.details ?? []
  return Object.fromEntries(details.map(({ path, code }) => [path, code]))
}

/** An admin user with a role. */
export async function newAdmin(service: SigningIn, role: string): Promise<Caller> {
  const account = { ...newNames(), password: goodPassword }
  const made = await service.admin.post('/api/admin/auth/register', { ...account, role })
  const { id } = expectStatus(made, 201).body.data
  return { id, ...account, ...(await login(service, 'admin/auth', account)) }
}

/** A content user, with another role than `authenticated` where one is given. */
export async function newUser(service: SigningIn, role?: string): Promise<Caller> {
  const account = { ...newNames(), password: goodPassword }
  const made = await service.post('/api/auth/register', account)
  const { id } = expectStatus(made, 201).body.data
  if (role !== undefined) {
    expectStatus(await service.admin.put(`/api/admin/content-users/${id}`, { role }), 200)
  }
  return { id, ...account, ...(await login(service, 'auth', account)) }
}

/** Signs an account in again. */
export async function login(
  service: Pick<TestService, 'url'>,
  system: 'admin/auth' | 'auth',
  account: { readonly email: string; readonly password: string },
): Promise<{ token: string; client: Client }> {
  const { email: identifier, password } = account
  const answer = await createClient(service.url).post(`/api/${system}/login`, { identifier, password })
  const { token } = expectStatus(answer, 200).body.data
  return { token, client: createClient(service.url, token) }
}

/** A client with a new API token. */
export async function newApiToken(
  service: SigningIn,
  scopes: readonly string[],
  more: object = {},
): Promise<{ id: number; token: string; client: Client }> {
  const answer = await service.admin.post('/api/admin/api-tokens', { name: 'test', scopes, ...more })
  const { id, token } = expectStatus(answer, 201).body.data
  return { id, token, client: createClient(service.url, token) }
}
