import assert from 'node:assert/strict'
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import type { Client } from '../support/client.ts'
import type { CrashWorld } from './crash-test.ts'

/** A record as the service answers it. */
export interface ShownMedia {
  readonly id: number
  readonly originalName: string
  readonly size: number
  readonly url: string
  readonly filename: string
  readonly width: number | null
  readonly formats: Readonly<Record<string, { readonly url: string; readonly width: number }>>
}

/** The files of a project's library, as they lie there. */
export interface UploadFolder {
  /** Lets the next start find what was left behind as if it had been there for long. */
  age(): Promise<void>
  /** @throws AssertionError unless every record has its files, and every file a record or somebody who will remove it */
  check(records: readonly ShownMedia[]): Promise<void>
  /** @throws AssertionError where anything is left of uploads that have died */
  checkSwept(): Promise<void>
}

/** What nobody has touched for so long is swept away. */
const longAgo = new Date(Date.now() - 2 * 60 * 60_000)

export function createUploadFolder({ project, look }: CrashWorld): UploadFolder {
  const directory = join(project.workingDirectory, 'uploads')
  const spool = join(directory, '.incoming')

  return {
    async age() {
      await look(ageAnnouncements)
      for (const name of readdirSync(spool)) utimesSync(join(spool, name), longAgo, longAgo)
    },
    async check(records) {
      const named = records.flatMap(keysOf)
      const expected = new Set([...named, ...(await look(announcedKeys))])
      const stored = readdirSync(directory).filter((name) => name !== '.incoming')
      const there = new Set(stored)
      const missing = named.filter((key) => !there.has(key))
      const stray = stored.filter((key) => !expected.has(key))
      assert.deepEqual({ missing, stray }, { missing: [], stray: [] })
    },
    async checkSwept() {
      assert.deepEqual(readdirSync(spool), [], 'files of uploads that have died')
      assert.deepEqual(await look(announcedKeys), [], 'files that nobody will name')
    },
  }
}

const keysOf = ({ filename, formats }: ShownMedia) => [
  filename,
  ...Object.values(formats).map(({ url }) => url.slice(url.lastIndexOf('/') + 1)),
]

/** The body of an upload with its header. */
export async function uploadForm(
  field: string,
  files: readonly { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }[],
) {
  const data = new FormData()
  for (const { name, bytes } of files) data.append(field, new Blob([bytes]), name)
  const encoded = new Response(data)
  const contentType = encoded.headers.get('content-type') ?? ''
  const body = new Uint8Array(await encoded.arrayBuffer())
  return { body, headers: { 'content-type': contentType } }
}

export async function fetchBytes(url: string, token: string): Promise<Uint8Array> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200, url)
  return new Uint8Array(await response.arrayBuffer())
}

export async function allMedia(client: Client): Promise<ShownMedia[]> {
  const found: ShownMedia[] = []
  for (;;) {
    const { status, body } = await client.get(`/api/media?limit=100&offset=${found.length}&sort=id`)
    assert.equal(status, 200, JSON.stringify(body))
    found.push(...body.data)
    if (body.data.length < 100) return found
  }
}

async function announcedKeys(database: Driver): Promise<string[]> {
  const name = sql.identifier('key')
  const statement = database.prepare<{ key: string }>(
    sql`select file_key as ${name} from svc_media_pending_files`,
  )
  return (await database.all(statement)).map(({ key }) => key)
}

async function ageAnnouncements(database: Driver): Promise<void> {
  const { dialect } = database
  const statement = database.prepare(
    sql`update svc_media_pending_files set created_at = ${dialect.placeholder('at', 'datetime')}`,
  )
  await database.run(statement, { at: dialect.bind(longAgo.toISOString(), 'datetime') })
}
