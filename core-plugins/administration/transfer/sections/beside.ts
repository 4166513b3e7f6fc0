import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { EntryCompanion, Value } from '../../../foundation/sections/sections.ts'

/** What is kept beside an entry, by the names of companions. */
export type Beside = Readonly<Record<string, Value>>

/** Those with some names. @throws AppError 400 for a name that is none of theirs */
export function companionsNamed(
  companions: readonly EntryCompanion[],
  names: readonly string[],
): readonly EntryCompanion[] {
  return names.map((name) => {
    const found = companions.find((companion) => companion.name === name)
    if (found !== undefined) return found
    throw AppError.invalid([{ path: 'beside', code: 'unknown', message: `has no ${name} here` }])
  })
}

/** By id, what companions keep beside entries; those of which there is nothing to tell are left out. */
export async function readBeside(
  companions: readonly EntryCompanion[],
  type: ContentType,
  { ids, tx }: { readonly ids: readonly number[]; readonly tx: Transaction | undefined },
): Promise<ReadonlyMap<number, Beside>> {
  const byId = new Map<number, Record<string, Value>>()
  for (const companion of companions) {
    for (const [id, value] of await companion.read(type, ids, tx)) {
      const beside = byId.get(id) ?? {}
      byId.set(id, beside)
      beside[companion.name] = value
    }
  }
  return byId
}
