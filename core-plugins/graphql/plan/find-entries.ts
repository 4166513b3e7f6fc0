import type { Entry, EntryQuery } from '../../content/content.ts'
import type { Call } from './call.ts'

export interface EntriesWanted {
  readonly type: string
  /** What they are known by. */
  readonly key: 'id' | 'uuid'
  readonly values: readonly (number | string)[]
  readonly query: Pick<EntryQuery, 'fields' | 'populate' | 'showsIds'>
}

/** The entries with these keys that the caller sees, in any order, with one read for each page of them. */
export async function findEntries(
  { type, key, values, query }: EntriesWanted,
  call: Call,
): Promise<readonly Entry[]> {
  const { auth, principal, reads, recipient, schemas, pageSize, systemEntries } = call
  const isSystem = schemas.allTypes.get(type)?.system === true
  if (!isSystem && !auth.mayContent(principal, type, 'read')) return []
  const found: Entry[] = []
  for (let from = 0; from < values.length; from += pageSize) {
    const filters = { [key]: { $in: values.slice(from, from + pageSize) } }
    const page: EntryQuery = { ...query, filters, limit: pageSize, total: false }
    const { entries } = isSystem
      ? await systemEntries(type).list(page, principal)
      : await reads.list(type, page, principal, recipient)
    found.push(...entries)
  }
  return found
}
