import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { EntryCompanion, Value } from '../../../foundation/sections/sections.ts'

/** The values of an entry's companions, by name of the companion. */
export type Beside = Readonly<Record<string, Value>>

/** The companions with these names. @throws AppError 400 for an unknown name */
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

/** The companions' values by id of the entry, without entries that have none. */
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
