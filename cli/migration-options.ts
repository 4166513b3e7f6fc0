import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { MigrationSource } from '../core-plugins/administration/migrations/migrations.ts'

/** What all commands that bring in content of other systems take. */
export const migrationOptions = {
  dryRun: {
    type: 'boolean',
    summary: 'checks everything as it would be brought in, and changes nothing',
  },
  force: { type: 'boolean', summary: 'replaces schema files that differ, without asking' },
  again: {
    type: 'boolean',
    summary: 'brings in once more what was brought in before, and may have been changed here',
  },
} as const

/** The same for the same content, so that an interrupted import is found again. */
export async function migrationName(
  { system }: MigrationSource,
  path: string,
  types: readonly string[] | undefined,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(types ?? null))
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return `${system}:${hash.digest('hex').slice(0, 32)}`
}
