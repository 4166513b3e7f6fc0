import { Type } from 'typebox'
import type { Log } from '../../../../kernel/index.ts'
import { AppError, defineRoute, type Route, strict } from '../../../foundation/http/http.ts'
import { emailSchema, maxCredentialBytes } from '../accounts/account-payloads.ts'
import type { AccountSystem } from '../accounts/account-system.ts'
import { type Account, normalizeEmail } from '../accounts/accounts.ts'
import { attemptSubject, type LoginAttempts } from '../sign-in/login-attempts.ts'
import type { LoginRate } from '../sign-in/login-rate.ts'
import type { PasswordResetDelivery } from './password-reset-delivery.ts'
import type { PasswordTokens } from './password-tokens.ts'

export interface ForgotPasswordRouteOptions {
  readonly name: string
  readonly path: string
  readonly tag: string
  readonly system: AccountSystem
  readonly tokens: PasswordTokens
  readonly attempts: LoginAttempts
  readonly rate: LoginRate
  readonly log: Log
  /** Returns the token in the response: in development and tests. */
  readonly answersToken: boolean
  /** Sends the token to its owner. */
  readonly deliver: PasswordResetDelivery
  /** @throws AppError if tokens cannot be delivered at all */
  assertDeliverable?(): void
  onIssued(account: Account, token: string, ip: string): unknown
}

/** A route to request a token for setting a forgotten password. */
export const createForgotPasswordRoute = (options: ForgotPasswordRouteOptions): Route =>
  defineRoute({
    name: options.name,
    method: 'POST',
    path: options.path,
    summary: 'Ask for a password reset token',
    description: 'Answers the same whether or not there is such an account.',
    tag: options.tag,
    access: 'open',
    body: Type.Object({ email: emailSchema }, strict),
    maxBodyBytes: maxCredentialBytes,
    response: Type.Object({ resetToken: Type.Optional(Type.String()) }, strict),
    async handler({ body, ip }) {
      options.assertDeliverable?.()
      options.rate.begin(ip)
      const issued = issueQuietly(options, body.email, ip)
      // Not awaited otherwise, since the response time would reveal whether the account exists.
      const resetToken = options.answersToken ? await issued : undefined
      return resetToken === undefined ? {} : { resetToken }
    },
  })

async function issueQuietly(
  options: ForgotPasswordRouteOptions,
  email: string,
  ip: string,
): Promise<string | undefined> {
  try {
    return await issue(options, email, ip)
  } catch (error) {
    if (!(error instanceof AppError)) options.log.error({ err: error }, 'failed to issue a password reset')
    return undefined
  }
}

// Each call counts as an attempt, so that a mailbox cannot be flooded.
async function issue(
  { attempts, tokens, system, deliver, onIssued }: ForgotPasswordRouteOptions,
  email: string,
  ip: string,
): Promise<string | undefined> {
  let token: string | undefined
  await attempts.attempt(attemptSubject(`${system.kind}-forgot`, normalizeEmail(email)), async () => {
    const issued = await tokens.issue(email, deliver)
    if (issued !== undefined) await onIssued(issued.account, issued.token, ip)
    token = issued?.token
    return undefined
  })
  return token
}
