import type { Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { StoredEntries } from '../content/content.ts'
import type { UsageKind, Vanished } from './usage-kind.ts'

interface Mending {
  readonly type: ContentType
  readonly id: number
  readonly gone: ReadonlySet<number>
  readonly principal: Principal
  readonly tx: Transaction
}

/** Removes references to things that are gone from an entry, which gets a new version. */
export async function takeOut(
  { without }: Pick<Vanished<never>, 'without'>,
  storedEntries: StoredEntries,
  { type, id, gone, principal, tx }: Mending,
): Promise<void> {
  await storedEntries.repair({ type: type.name, id, principal, tx }, (entry) => without(type, entry, gone))
}

export function namesSome<Place>(
  { vanished }: UsageKind<Place>,
  place: Place,
  gone: ReadonlySet<number>,
): boolean {
  const id = vanished?.idIn(place)
  return id !== undefined && gone.has(id)
}
