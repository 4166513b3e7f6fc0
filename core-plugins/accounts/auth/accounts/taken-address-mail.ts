import {
  type ExtensionPoint,
  extensionPoint,
  type Log,
  type PluginContext,
} from '../../../../kernel/index.ts'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { attemptSubject, type LoginAttempts } from '../sign-in/login-attempts.ts'
import { type Accounts, normalizeEmail } from './accounts.ts'

/** The owner of an address with which a caller tried to register. */
export interface TakenAddress {
  readonly email: string
  readonly username: string
}

/** Sends a mail to the owner. Called in a transaction: the mail is sent if and only if that is committed. */
export type TakenAddressMail = (tx: Transaction, owner: TakenAddress) => Promise<void>

export const takenAddressMail: ExtensionPoint<TakenAddressMail> = extensionPoint('takenAddressMail')

export interface OwnersOptions {
  readonly accounts: Accounts
  readonly attempts: LoginAttempts
  readonly database: Database
  readonly context: Pick<PluginContext, 'contributions'> & { readonly log: Log }
}

/** Notifies the owner of a taken address after the response, with the same rate limit as for other links. */
export function createOwnerNotice({ accounts, attempts, database, context }: OwnersOptions) {
  async function tell(email: string): Promise<void> {
    const mailers = context.contributions(takenAddressMail)
    const owner = mailers.length === 0 ? undefined : await accounts.findByIdentifier(email)
    if (owner === undefined || owner.blocked) return
    // Each counts as an attempt, so that a mailbox cannot be flooded.
    await attempts.attempt(attemptSubject('user-taken', normalizeEmail(email)), async () => {
      await database.transaction(async (tx) => {
        for (const mail of mailers) await mail(tx, { email: owner.email, username: owner.username })
      })
      return undefined
    })
  }

  return (email: string): void => {
    tell(email).catch((error) => {
      if (error instanceof AppError) return
      context.log.error({ err: error }, 'the owner of an address could not be told of a registration')
    })
  }
}
