import { Type } from 'typebox'
import { defineJob, type JobKind, UnretriableJobError } from '../../background/jobs/jobs.ts'
import type { Config } from '../../foundation/config/config.ts'
import { MailError } from './mail-error.ts'
import type { MailStore } from './mail-store.ts'
import { isConfigured } from './settings.ts'
import type { Transport } from './transport.ts'

/** Refers to a mail; the job does not contain its text. */
export interface SendJob {
  readonly email: number
}

const concurrency = 5
const maxAttempts = 10
const timeoutMs = 120_000

export function createSendJob(config: Config, mails: MailStore, transport: Transport): JobKind<SendJob> {
  return defineJob({
    name: 'email.send',
    payload: Type.Object({ email: Type.Integer() }),
    ...{ concurrency, maxAttempts, timeoutMs },
    async run({ email }) {
      const mail = await mails.find(email)
      if (mail === undefined) return { status: 'gone' }
      if (Date.parse(mail.expiresAt) < Date.now()) {
        await mails.remove(email)
        return { status: 'expired' }
      }
      if (!isConfigured(config))
        throw new Error('mail is switched off, or email.host or email.from is missing')
      await transport.send({ ...mail, to: mail.recipient }).catch(giveUpIfFinal)
      await mails.remove(email)
      return { status: 'sent' }
    },
  })
}

function giveUpIfFinal(error: unknown): never {
  if (error instanceof MailError && error.isFinal)
    throw new UnretriableJobError(error.message, { cause: error })
  throw error
}

/** Deletes expired mails. */
export function createExpiryJob(mails: MailStore): JobKind<object> {
  return defineJob({
    name: 'email.expire',
    payload: Type.Object({}),
    run: async () => ({ removed: await mails.removeExpired() }),
  })
}
