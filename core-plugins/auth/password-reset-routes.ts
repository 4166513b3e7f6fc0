import { type Static, Type } from 'typebox'
import type { Log } from '../../kernel/index.ts'
import {
  AppError,
  assertValid,
  clientOf,
  defineRoute,
  type ErrorDetail,
  type Route,
  strict,
} from '../http/http.ts'
import { emailSchema, passwordSchema } from './account-payloads.ts'
import type { AccountSystem } from './account-system.ts'
import { type Account, normalizeEmail } from './accounts.ts'
import { attemptSubject, type LoginAttempts } from './login-attempts.ts'
import type { PasswordResetDelivery } from './password-reset-delivery.ts'
import { invalidToken, type PasswordResets } from './password-resets.ts'
import type { SignIn } from './sign-in.ts'

export interface PasswordResetRoutesOptions {
  readonly system: AccountSystem
  readonly resets: PasswordResets
  readonly attempts: LoginAttempts
  readonly signIn: SignIn
  readonly log: Log
  /** Returns the token in the response: in development and tests. */
  readonly answersToken: boolean
  /** Sends the token to its owner. */
  readonly deliver: PasswordResetDelivery
  onIssued(account: Account, token: string): void
  onReset(account: Account, ip: string): Promise<void>
}

const tag = 'Content-user authentication'

const resetBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 255 }),
    password: passwordSchema,
    passwordConfirmation: passwordSchema,
  },
  strict,
)
type ResetBody = Static<typeof resetBody>

/** Specification, "Content-user authentication". */
export function createPasswordResetRoutes(options: PasswordResetRoutesOptions): Route[] {
  return [forgotPassword(options), resetPassword(options)]
}

const forgotPassword = (options: PasswordResetRoutesOptions) =>
  defineRoute({
    name: 'auth:password.forgot',
    method: 'POST',
    path: '/auth/forgot-password',
    summary: 'Ask for a password reset token',
    description: 'Answers the same whether or not there is such an account.',
    tag,
    access: 'open',
    body: Type.Object({ email: emailSchema }, strict),
    response: Type.Object({ resetToken: Type.Optional(Type.String()) }, strict),
    async handler({ body }) {
      const issued = issueQuietly(options, body.email)
      // Waiting for it would reveal by the timing whether the account exists.
      const resetToken = options.answersToken ? await issued : undefined
      return resetToken === undefined ? {} : { resetToken }
    },
  })

const resetPassword = (options: PasswordResetRoutesOptions) =>
  defineRoute({
    name: 'auth:password.reset',
    method: 'POST',
    path: '/auth/reset-password',
    summary: 'Set a new password with a reset token',
    description: 'The token works once; all tokens of the account are revoked.',
    tag,
    access: 'open',
    body: resetBody,
    response: options.system.schema,
    furtherProblems: async ({ body }) => (await checkReset(options, body)).problems,
    async handler({ ip, body }) {
      const { system, resets, signIn, onReset } = options
      const { token, password } = body
      const { account, problems } = await checkReset(options, body)
      assertValid(problems)
      if (account === undefined) throw AppError.invalid([invalidToken])
      const changed = await system.changes.replacePassword({
        account,
        password,
        path: 'password',
        source: clientOf(ip),
        within: (tx) => resets.consume(token, account, tx),
      })
      await signIn.forgive(system, changed)
      await onReset(changed, ip)
      return system.present(changed)
    },
  })

async function issueQuietly(options: PasswordResetRoutesOptions, email: string): Promise<string | undefined> {
  try {
    return await issue(options, email)
  } catch (error) {
    if (!(error instanceof AppError)) options.log.error({ err: error }, 'failed to issue a password reset')
    return undefined
  }
}

// Each call counts as an attempt, so that nobody's mailbox can be flooded.
async function issue(
  { attempts, resets, deliver, onIssued }: PasswordResetRoutesOptions,
  email: string,
): Promise<string | undefined> {
  let token: string | undefined
  await attempts.attempt(attemptSubject('user-forgot', normalizeEmail(email)), async () => {
    const issued = await resets.issue(email, deliver)
    if (issued !== undefined) onIssued(issued.account, issued.token)
    token = issued?.token
    return undefined
  })
  return token
}

/** The account, and all problems of the request. */
async function checkReset(
  { resets, system }: PasswordResetRoutesOptions,
  { token, password, passwordConfirmation }: Partial<ResetBody>,
) {
  const account = token === undefined ? undefined : await resets.accountOf(token)
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
