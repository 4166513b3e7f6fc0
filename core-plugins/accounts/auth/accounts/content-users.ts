import { type TSchema, Type } from 'typebox'
import type { Config } from '../../../foundation/config/config.ts'
import {
  AppError,
  clientOf,
  created,
  defineRoute,
  ignored,
  type Principal,
  presenterOf,
  type Route,
  strict,
} from '../../../foundation/http/http.ts'
import { authenticated } from '../roles/built-in-roles.ts'
import { registrationEnabled } from '../settings.ts'
import type { RegistrationRate } from '../sign-in/registration-rate.ts'
import type { AccountInput } from './account-input.ts'
import { accountShape, emailSchema, passwordSchema, usernameSchema } from './account-payloads.ts'
import { createAccountRoutes } from './account-routes.ts'
import type { AccountSystem, AccountView } from './account-system.ts'
import type { Account } from './accounts.ts'
import type { UserAttributes } from './user-attributes.ts'

/** A content user in responses, with the deployment's own attributes. */
export function contentUserViews(attributes: UserAttributes): Pick<AccountSystem, 'own' | 'managed'> {
  const { readable, manageable, present, presentAll } = attributes
  return { own: contentUserView(readable, present), managed: contentUserView(manageable, presentAll) }
}

function contentUserView(
  extra: Readonly<Record<string, TSchema>>,
  presentExtra: (account: Account) => Record<string, unknown>,
): AccountView {
  return {
    schema: Type.Object({ ...accountShape, ...extra }, strict),
    present: (account) => ({ ...presentAccount(account), ...presentExtra(account) }),
  }
}

const presentAccount = presenterOf(Type.Object(accountShape))

const newUserBody = { email: emailSchema, username: usernameSchema, password: passwordSchema }
const managedBody = { role: Type.String({ minLength: 1, maxLength: 255 }), blocked: Type.Boolean() }

export interface RegistrationParts {
  readonly config: Config
  readonly rate: RegistrationRate
  /** Notifies the owner of an address that a caller tried to register with it. */
  tellOwner(email: string): void
}

/** Registration, and the management of content users. */
export function createContentUserRoutes(
  system: AccountSystem,
  attributes: UserAttributes,
  { config, rate, tellOwner }: RegistrationParts,
): Route[] {
  const toInput = (payload: Readonly<Record<string, unknown>>) => inputOf(payload, attributes)
  const create = async (
    payload: Readonly<Record<string, unknown>>,
    by: Principal,
    options?: { readonly source: string },
  ) => {
    const { extra, ...given } = toInput(payload)
    const input = { role: authenticated, ...given, extra: { ...attributes.defaults(), ...extra } }
    return system.changes.create(input as AccountInput, by, options)
  }

  const problemsOf = (payload: Readonly<Record<string, unknown>>, by: Principal) =>
    system.changes.problemsOf({ role: authenticated, ...toInput(payload) }, by)

  const register = defineRoute({
    name: 'auth:users.register',
    method: 'POST',
    path: '/auth/register',
    summary: 'Register as a content user',
    tag: 'Content-user authentication',
    access: 'open',
    body: Type.Object({ ...newUserBody, ...attributes.required }, strict),
    response: system.own.schema,
    successStatus: 201,
    furtherProblems({ body, principal }) {
      assertOpen(config)
      return problemsOf(body, principal)
    },
    async handler({ body, principal, ip }) {
      assertOpen(config)
      const register = () => create(body, principal, { source: clientOf(ip) })
      const account = await rate.limit(ip, register).catch((error) => refused(error, body.email, tellOwner))
      return created(system.own.present(account))
    },
  })

  const add = defineRoute({
    name: 'admin:content-users.create',
    method: 'POST',
    path: '/admin/content-users',
    summary: 'Create a content user',
    tag: 'Content users',
    access: 'area',
    scope: 'admin:users:write',
    body: Type.Object(
      { ...newUserBody, ...optional(managedBody), ...attributes.writable, ...attributes.required },
      strict,
    ),
    response: system.managed.schema,
    successStatus: 201,
    furtherProblems: ({ body, principal }) => problemsOf(body, principal),
    handler: async ({ body, principal }) =>
      created(system.managed.present(await create(body as Record<string, unknown>, principal))),
  })

  const others = createAccountRoutes({
    system,
    name: 'admin:content-users',
    path: '/admin/content-users',
    tag: 'Content users',
    noun: 'content user',
    changeBody: Type.Object(
      {
        ...optional({ ...newUserBody, ...managedBody }),
        ...attributes.writable,
        ...ignored('id', 'created_at', 'updated_at'),
      },
      strict,
    ),
    toInput,
  })
  return [register, add, ...others]
}

/** @throws AppError 403 */
function assertOpen(config: Config): void {
  if (!config.get(registrationEnabled)) throw AppError.forbidden('registration is closed')
}

/** Notifies the owner of an address that is taken, and rethrows the error. */
function refused(error: unknown, email: string, tellOwner: RegistrationParts['tellOwner']): never {
  const isConflict = error instanceof AppError && error.code === 'CONFLICT'
  if (isConflict && error.details?.some(({ path }) => path === 'email')) tellOwner(email)
  throw error
}

function optional(fields: Readonly<Record<string, TSchema>>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)]))
}

function inputOf(
  payload: Readonly<Record<string, unknown>>,
  attributes: UserAttributes,
): Partial<AccountInput> {
  const core = ['email', 'username', 'password', 'role', 'blocked']
  const input = Object.fromEntries(
    core.filter((name) => name in payload).map((name) => [name, payload[name]]),
  )
  return { ...input, extra: attributes.toColumns(payload) }
}
