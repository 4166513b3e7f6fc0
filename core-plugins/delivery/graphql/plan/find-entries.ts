import type { Entry, EntryQuery, ShownOfEntries } from '../../../entries/content/content.ts'
import type { Call } from './call.ts'

export interface EntriesWanted {
  readonly type: string
  /** The attribute that identifies the entries. */
  readonly key: 'id' | 'uuid'
  readonly values: readonly (number | string)[]
  readonly query: ShownOfEntries
}

/** The entries with these keys that the caller may see, in any order, with one read per page. */
export async function findEntries(
  { type, key, values, query }: EntriesWanted,
  call: Call,
): Promise<readonly Entry[]> {
  const { auth, principal, schemas, pageSize, sharedSelections } = call
  const isSystem = schemas.allTypes.get(type)?.system === true
  if (!isSystem && !auth.mayContent(principal, type, 'read')) return []
  const shown = sharedSelections(query)
  const found: Entry[] = []
  for (let from = 0; from < values.length; from += pageSize) {
    const some = values.slice(from, from + pageSize)
    const isPlain = key === 'id' && !isSystem
    found.push(
      ...(isPlain
        ? await findByIds(type, some as readonly number[], shown, call)
        : await list({ type, filters: { [key]: { $in: some } }, isSystem }, shown, call)),
    )
  }
  return found
}

/** A statement is compiled once per selection. */
function findByIds(type: string, ids: readonly number[], shown: ShownOfEntries, call: Call) {
  const { reads, principal, recipient } = call
  return reads.findMany(type, ids, { principal, shown, recipient })
}

interface Listed {
  readonly type: string
  readonly filters: object
  readonly isSystem: boolean
}

async function list({ type, filters, isSystem }: Listed, shown: ShownOfEntries, call: Call) {
  const { reads, principal, recipient, systemEntries, pageSize } = call
  const page: EntryQuery = { ...shown, filters, limit: pageSize, total: false }
  const { entries } = isSystem
    ? await systemEntries(type).list(page, principal)
    : await reads.list(type, page, principal, recipient)
  return entries
}
