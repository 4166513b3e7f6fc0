import { type Static, Type } from 'typebox'
import {
  AppError,
  assertValid,
  clientOf,
  defineRoute,
  type ErrorDetail,
  type Route,
  strict,
} from '../../../foundation/http/http.ts'
import { maxCredentialBytes, passwordSchema } from '../accounts/account-payloads.ts'
import type { AccountSystem } from '../accounts/account-system.ts'
import type { Account } from '../accounts/accounts.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { invalidToken, type PasswordTokens } from './password-tokens.ts'

export interface PasswordTokenRouteOptions {
  readonly name: string
  readonly path: string
  readonly summary: string
  readonly tag: string
  readonly system: AccountSystem
  readonly tokens: PasswordTokens
  readonly signIn: SignIn
  /** Called after the account has set its password. */
  onSet(account: Account, ip: string): Promise<void>
}

const body = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 255 }),
    password: passwordSchema,
    passwordConfirmation: passwordSchema,
  },
  strict,
)

/** A route to set the password of an account with a token. */
export const createPasswordTokenRoute = (options: PasswordTokenRouteOptions): Route =>
  defineRoute({
    name: options.name,
    method: 'POST',
    path: options.path,
    summary: options.summary,
    description: 'The token works once; all sessions of the account end.',
    tag: options.tag,
    access: 'open',
    body,
    maxBodyBytes: maxCredentialBytes,
    response: options.system.own.schema,
    furtherProblems: async ({ body }) => (await check(options, body)).problems,
    async handler({ ip, body }) {
      const { system, tokens, signIn, onSet } = options
      const { token, password } = body
      const { account, problems } = await check(options, body)
      assertValid(problems)
      if (account === undefined) throw AppError.invalid([invalidToken])
      const changed = await system.changes.replacePassword({
        account,
        password,
        path: 'password',
        source: clientOf(ip),
        within: (tx) => tokens.consume(token, account, tx),
      })
      await signIn.forgive(system, changed)
      await onSet(changed, ip)
      return system.own.present(changed)
    },
  })

/** The account, and all problems of the request. */
async function check(
  { tokens, system }: PasswordTokenRouteOptions,
  { token, password, passwordConfirmation }: Partial<Static<typeof body>>,
) {
  const account = token === undefined ? undefined : await tokens.accountOf(token)
  const areBoth = password !== undefined && passwordConfirmation !== undefined
  const isChecked = account !== undefined && password !== undefined
  const problems = [
    ...(token !== undefined && account === undefined ? [invalidToken] : []),
    ...(areBoth && password !== passwordConfirmation ? [notTheSame] : []),
    ...(isChecked ? await system.changes.checkPassword({ account, password, path: 'password' }) : []),
  ]
  return { account, problems }
}

const notTheSame: ErrorDetail = {
  path: 'passwordConfirmation',
  code: 'mismatch',
  message: 'is not the same as the password',
}
