import { Type } from 'typebox'
import type { Log } from '../../kernel/index.ts'
import { AppError, clientOf, defineRoute, type Route, strict } from '../http/http.ts'
import { emailSchema, passwordSchema } from './account-payloads.ts'
import type { AccountSystem } from './account-system.ts'
import { type Account, normalizeEmail } from './accounts.ts'
import type { PasswordResetDelivery } from './auth.ts'
import { attemptSubject, type LoginAttempts } from './login-attempts.ts'
import type { PasswordResets } from './password-resets.ts'
import type { SignIn } from './sign-in.ts'

export interface PasswordResetRoutesOptions {
  readonly system: AccountSystem
  readonly resets: PasswordResets
  readonly attempts: LoginAttempts
  readonly signIn: SignIn
  readonly log: Log
  /** Answers the token itself: in development and tests. */
  readonly answersToken: boolean
  /** Has the token delivered. */
  readonly deliver: PasswordResetDelivery
  onIssued(account: Account, token: string): void
  onReset(account: Account, ip: string): Promise<void>
}

const tag = 'Content-user authentication'

/** forgot-password and reset-password; specification, "Content-user authentication". */
export function createPasswordResetRoutes(options: PasswordResetRoutesOptions): Route[] {
  const { system, resets, attempts, signIn, log, answersToken, deliver, onIssued, onReset } = options

  // Each call counts as an attempt, so that nobody's mailbox can be flooded.
  async function issue(email: string): Promise<string | undefined> {
    let token: string | undefined
    await attempts.attempt(attemptSubject('user-forgot', normalizeEmail(email)), async () => {
      const issued = await resets.issue(email, deliver)
      if (issued !== undefined) onIssued(issued.account, issued.token)
      token = issued?.token
      return undefined
    })
    return token
  }

  function issueQuietly(email: string): Promise<string | undefined> {
    return issue(email).catch((error) => {
      if (!(error instanceof AppError)) log.error({ err: error }, 'a password reset could not be issued')
      return undefined
    })
  }

  const forgot = defineRoute({
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
      const issued = issueQuietly(body.email)
      // Waiting for it would tell by the time whether the account exists.
      const resetToken = answersToken ? await issued : undefined
      return resetToken === undefined ? {} : { resetToken }
    },
  })

  const reset = defineRoute({
    name: 'auth:password.reset',
    method: 'POST',
    path: '/auth/reset-password',
    summary: 'Set a new password with a reset token',
    description: 'The token works once; all tokens of the account are revoked.',
    tag,
    access: 'open',
    body: Type.Object(
      {
        token: Type.String({ minLength: 1, maxLength: 255 }),
        password: passwordSchema,
        passwordConfirmation: passwordSchema,
      },
      strict,
    ),
    response: system.schema,
    async handler({ ip, body: { token, password, passwordConfirmation } }) {
      if (password !== passwordConfirmation) throw notTheSame()
      const account = await resets.accountOf(token)
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

  return [forgot, reset]
}

function notTheSame(): AppError {
  const message = 'is not the same as the password'
  return AppError.invalid([{ path: 'passwordConfirmation', code: 'mismatch', message }])
}
