import type { ArchiveReader } from '../archive/read-archive.ts'
import { archivedLines, type EntryIndex } from '../archive/rows.ts'
import type { Fit, TableFit } from './fit.ts'
import { rowReader } from './row-values.ts'

/** The role of every content user who registers. */
const leastRole = 'authenticated'

/** How many content users get another role than they had, by original role. */
export type ReplacedRoles = Readonly<Record<string, number>>

/** Whether the requester could assign the role to a content user manually. */
export type MayGiveRole = (role: string) => boolean

export interface ArchivedUsers {
  readonly archive: ArchiveReader
  readonly entries: EntryIndex
  readonly fit: Fit
}

/** The roles in an archive that the requester could not assign. */
export async function findReplacedRoles(
  { archive, entries, fit }: ArchivedUsers,
  mayGive: MayGiveRole,
): Promise<ReplacedRoles> {
  const replaced = new Map<string, number>()
  for (const table of fit.tables.filter(isOfUsers)) {
    const read = rowReader(table)
    const place = rolePlace(table)
    for await (const line of archivedLines(archive, entries, table.archived)) {
      const role = String(read(line)[place])
      if (!mayGive(role)) replaced.set(role, (replaced.get(role) ?? 0) + 1)
    }
  }
  return Object.fromEntries(replaced)
}

/** Gives content users the least privileged role in place of one that the requester could not assign. */
export function allowedRoles(fit: TableFit, mayGive: MayGiveRole): ((row: unknown[]) => void) | undefined {
  if (!isOfUsers(fit)) return undefined
  const place = rolePlace(fit)
  return (row) => {
    if (!mayGive(String(row[place]))) row[place] = leastRole
  }
}

function isOfUsers({ target }: TableFit): boolean {
  return target.type === 'user'
}

function rolePlace({ columns }: TableFit): number {
  return columns.findIndex(({ name }) => name === 'role')
}
