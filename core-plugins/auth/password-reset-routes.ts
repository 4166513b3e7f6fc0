import { type Static, Type } from 'typebox'
import type { Log } from '../../kernel/index.ts'
import {
  AppError,
  clientOf,
  defineRoute,
  type ErrorDetail,
  expectValid,
  type Route,
  strict,
} from '../http/http.ts'
import { emailSchema, passwordSchema } from './account-payloads.ts'
import type { AccountSystem } from './account-system.ts'
import { type Account, normalizeEmail } from './accounts.ts'
import type { PasswordResetDelivery } from './auth.ts'
import { attemptSubject, type LoginAttempts } from './login-attempts.ts'
import { invalidToken, type PasswordResets } from './password-resets.ts'
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

const resetBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 255 }),
    password: passwordSchema,
    passwordConfirmation: passwordSchema,
  },
  strict,
)
type ResetBody = Static<typeof resetBody>

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

  /** The account that is meant, and all that is wrong with what was sent. */
  async function judge({ token, password, passwordConfirmation }: Partial<ResetBody>) {
    const account = token === undefined ? undefined : await resets.accountOf(token)
    const areBoth = password !== undefined && passwordConfirmation !== undefined
    const isJudged = account !== undefined && password !== undefined
    const problems = [
      ...(token !== undefined && account === undefined ? [invalidToken] : []),
      ...(areBoth && password !== passwordConfirmation ? [notTheSame] : []),
      ...(isJudged ? await system.changes.judgePassword({ account, password, path: 'password' }) : []),
    ]
    return { account, problems }
  }

  const reset = defineRoute({
    name: 'auth:password.reset',
    method: 'POST',
    path: '/auth/reset-password',
    summary: 'Set a new password with a reset token',
    description: 'The token works once; all tokens of the account are revoked.',
    tag,
    access: 'open',
    body: resetBody,
    response: system.schema,
    judgeRefused: async ({ body }) => (await judge(body)).problems,
    async handler({ ip, body }) {
      const { token, password } = body
      const { account, problems } = await judge(body)
      expectValid(problems)
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

  return [forgot, reset]
}

const notTheSame: ErrorDetail = {
  path: 'passwordConfirmation',
  code: 'mismatch',
  message: 'is not the same as the password',
}
