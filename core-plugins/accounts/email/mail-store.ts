import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  column,
  type Database,
  defineTable,
  type Queries,
  type RowOf,
} from '../../foundation/database/database.ts'
import type { EmailMessage } from './email.ts'

/** Mails waiting to be sent. Separate from the jobs, which are kept and shown to administrators. */
export const mailsTable = defineTable(
  'svc_emails',
  {
    id: column.id(),
    // The same for every attempt, so that duplicates can be recognised.
    messageId: column.string(36),
    recipient: column.string(),
    subject: column.text(),
    text: column.text(),
    html: column.text().nullable(),
    expiresAt: column.datetime(),
  },
  { indexes: [{ columns: ['expiresAt'], type: 'index' }] },
)

export type StoredMail = RowOf<typeof mailsTable>

export interface MailStore {
  /** @returns its id */
  add(message: EmailMessage, tx: Queries): Promise<number>
  find(id: number): Promise<StoredMail | undefined>
  remove(id: number): Promise<void>
  removeExpired(): Promise<number>
}

const lifetimeMs = 7 * 24 * 60 * 60_000

export function createMailStore(database: Database): MailStore {
  const mails = mailsTable.on(database)
  const { expiresAt } = mailsTable.columns
  const insert = mails.insert()
  const select = mails.find(['id'])
  const removal = mails.delete(['id'])
  const expiry = mails.delete((value) => sql`${expiresAt} < ${value(expiresAt, 'now')}`)
  return {
    async add({ to, subject, text, html = null, expiresAt }, tx) {
      const lasting = expiresAt ?? new Date(Date.now() + lifetimeMs).toISOString()
      const row = { messageId: randomUUID(), recipient: to, subject, text, html, expiresAt: lasting }
      return (await insert.run(row, tx)).insertId
    },
    find: (id) => select.get({ id }),
    async remove(id) {
      await removal.run({ id })
    },
    async removeExpired() {
      return (await expiry.run({ now: new Date().toISOString() })).changes
    },
  }
}
