import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import {
  type Columns,
  type Database,
  insertInto,
  type Queries,
  query,
  selectList,
  type TableSpec,
} from '../database/database.ts'
import type { EmailMessage } from './email.ts'

/** Mails that are still to be sent. Apart from the jobs, which are kept and shown to administrators. */
export const mailsTable: TableSpec = {
  name: 'svc_emails',
  columns: [
    { name: 'id', kind: 'id' },
    { name: 'message_id', kind: 'string', length: 36 },
    { name: 'recipient', kind: 'string' },
    { name: 'subject', kind: 'text' },
    { name: 'text', kind: 'text' },
    { name: 'html', kind: 'text', nullable: true },
    { name: 'expires_at', kind: 'datetime' },
  ],
  indexes: [{ columns: ['expires_at'], type: 'index' }],
}

export interface StoredMail {
  readonly id: number
  /** The same for every attempt, so that a mail that came twice can be told. */
  readonly messageId: string
  readonly recipient: string
  readonly subject: string
  readonly text: string
  readonly html: string | null
  readonly expiresAt: string
}

export interface MailStore {
  /** @returns its id */
  add(message: EmailMessage, tx: Queries): Promise<number>
  find(id: number): Promise<StoredMail | undefined>
  remove(id: number): Promise<void>
  removeExpired(): Promise<number>
}

const columns = {
  id: { column: 'id', kind: 'id' },
  messageId: { column: 'message_id', kind: 'string' },
  recipient: { column: 'recipient', kind: 'string' },
  subject: { column: 'subject', kind: 'text' },
  text: { column: 'text', kind: 'text' },
  html: { column: 'html', kind: 'text' },
  expiresAt: { column: 'expires_at', kind: 'datetime' },
} as const satisfies Columns

const lifetimeMs = 7 * 24 * 60 * 60_000

export function createMailStore(database: Database): MailStore {
  const table = sql`svc_emails`
  const insert = query(database, (value) => insertInto('svc_emails', columns, value))
  const select = query<StoredMail>(
    database,
    (value) => sql`select ${selectList(database, columns)} from ${table} where id = ${value('id', 'id')}`,
    columns,
  )
  const removal = query(database, (value) => sql`delete from ${table} where id = ${value('id', 'id')}`)
  const expiry = query(
    database,
    (value) => sql`delete from ${table} where expires_at < ${value('now', 'datetime')}`,
  )
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
