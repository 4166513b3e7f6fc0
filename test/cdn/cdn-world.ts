import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { createPurgeStore } from '../../core-plugins/delivery/cdn/purge-store.ts'
import { changeLogService } from '../../core-plugins/entries/changes/changes.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus } from '../api/auth-callers.ts'
import type { Client } from '../support/client.ts'
import type { TestService } from '../support/service.ts'
import { secret } from './cdn-double.ts'

/** For a service in front of which a double stands. */
export const doubleEnv = (url: string): Readonly<Record<string, string>> => ({
  JWT_SECRET: 'a-secret-that-all-of-the-processes-share',
  SVC_CDN_PROVIDER: 'signed',
  SVC_CDN_URL: `${url}/purge`,
  SVC_CDN_TOKEN: secret,
})

type SchemaFiles = Readonly<Record<string, { readonly info?: unknown; readonly options?: object }>>

/** The same content types, with a policy for caches. */
export function withPolicy(files: Readonly<Record<string, unknown>>, cache: object): SchemaFiles {
  return Object.fromEntries(
    Object.entries(files as SchemaFiles).map(([path, file]) =>
      path.startsWith('components/')
        ? [path, file]
        : [path, { ...file, options: { ...file.options, cache } }],
    ),
  )
}

/** Lets everybody read content types. */
export async function letAllRead(admin: Client, types: readonly string[]): Promise<void> {
  const content = Object.fromEntries(types.map((type) => [type, { read: true }]))
  const roles = expectStatus(await admin.get('/api/admin/roles'), 200).body.data
  const { id } = roles.find(({ name }: { name: string }) => name === 'public')
  expectStatus(await admin.put(`/api/admin/roles/${id}`, { permissions: { content, media: {} } }), 200)
}

/** Whether nothing is left to purge, and nothing is going to change by itself. */
export async function isQuiet({ kernel }: TestService): Promise<boolean> {
  const { byName } = await kernel.get(jobsService).stats()
  const open = ['cdn.purge', 'changes.notePublication'].map((name) => byName[name])
  if (open.some((counts) => counts && counts.waiting + counts.delayed + counts.active > 0)) return false
  const { position, asked, done } = await createPurgeStore(kernel.get(databaseService)).state()
  return asked === done && position >= (await kernel.get(changeLogService).head())
}
