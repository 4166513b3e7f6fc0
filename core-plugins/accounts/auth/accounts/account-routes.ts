import { type TSchema, Type } from 'typebox'
import {
  AppError,
  defineRoute,
  idParams,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
} from '../../../foundation/http/http.ts'
import type { AccountInput } from './account-input.ts'
import type { AccountSystem } from './account-system.ts'

export interface AccountRoutesOptions {
  readonly system: AccountSystem
  /** For example `admin:users`, for routes named `admin:users.list` and so on. */
  readonly name: string
  /** For example `/admin/users`. */
  readonly path: string
  readonly tag: string
  /** The name of this kind of account in summaries: `admin user`. */
  readonly noun: string
  /** The fields of an update, all of them optional. */
  readonly changeBody: TSchema
  /** Converts a payload to account input. */
  toInput(payload: Readonly<Record<string, unknown>>): Partial<AccountInput>
}

/** The routes to manage accounts of either kind. */
export function createAccountRoutes(options: AccountRoutesOptions): Route[] {
  return [listAccounts(options), readAccount(options), updateAccount(options), deleteAccount(options)]
}

const read = { access: 'area', scope: 'admin:users:read' } as const
const write = { access: 'area', scope: 'admin:users:write' } as const

const listQuery = Type.Object(
  {
    ...rangeQuery,
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Part of the e-mail address or username' }),
    ),
    role: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Those who have it' })),
  },
  strict,
)

const listAccounts = ({ system, name, path, tag, noun }: AccountRoutesOptions) =>
  defineRoute({
    ...read,
    tag,
    name: `${name}.list`,
    method: 'GET',
    path,
    summary: `List ${noun}s`,
    query: listQuery,
    response: Type.Array(system.managed.schema),
    isPaginated: true,
    async handler({ query }) {
      const range = rangeOf(query)
      const { search, role } = query
      const { accounts, total } = await system.accounts.list({ ...range, search, role })
      return rangePage(accounts.map(system.managed.present), total, range)
    },
  })

const readAccount = ({ system, name, path, tag, noun }: AccountRoutesOptions) =>
  defineRoute({
    ...read,
    tag,
    name: `${name}.read`,
    method: 'GET',
    path: `${path}/:id`,
    summary: `One ${noun}`,
    params: idParams,
    response: system.managed.schema,
    async handler({ params }) {
      const account = await system.accounts.find(params.id)
      if (account === undefined) throw AppError.notFound(noun)
      return system.managed.present(account)
    },
  })

const withArticle = (noun: string) => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun}`

const updateAccount = ({ system, name, path, tag, noun, changeBody, toInput }: AccountRoutesOptions) =>
  defineRoute({
    ...write,
    tag,
    name: `${name}.update`,
    method: 'PUT',
    path: `${path}/:id`,
    summary: `Change ${withArticle(noun)}`,
    description: 'A new role or password, or a block, ends the sessions of the account.',
    params: idParams,
    body: changeBody,
    response: system.managed.schema,
    furtherProblems: ({ params, body, principal }) =>
      system.changes.problemsOf(toInput(body), principal, params.id),
    async handler({ params, body, principal }) {
      const input = toInput(body as Record<string, unknown>)
      return system.managed.present(await system.changes.update(params.id, input, principal))
    },
  })

const deleteAccount = ({ system, name, path, tag, noun }: AccountRoutesOptions) =>
  defineRoute({
    ...write,
    tag,
    name: `${name}.delete`,
    method: 'DELETE',
    path: `${path}/:id`,
    summary: `Delete ${withArticle(noun)}`,
    params: idParams,
    response: Type.Object({ id: Type.Integer() }, strict),
    async handler({ params, principal }) {
      await system.changes.remove(params.id, principal)
      return { id: params.id }
    },
  })
