import type { TSchema } from 'typebox'
import type { Transaction } from '../../database/database.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type { ContentType } from '../../schemas/schemas.ts'
import type { Value } from '../canonical.ts'

/** What a plugin keeps beside the entries of a type, such as their states in a workflow: it travels with them. */
export interface EntryCompanion {
  /** What `--without` calls it: `workflow`. */
  readonly name: string
  matches(type: ContentType): boolean
  /** The form of its values. */
  readonly valueSchema: TSchema
  /**
   * By the ids of entries, with few queries; those of which there is nothing to tell, because they are as entries are made,
   * are left out. Locked until the end of the transaction, if there is one.
   */
  read(
    type: ContentType,
    ids: readonly number[],
    tx: Transaction | undefined,
  ): Promise<ReadonlyMap<number, Value>>
  /** The rights that a change takes and the caller lacks, in words: `the right to publish`. */
  missingRights(principal: Principal, type: ContentType, change: CompanionChange): Iterable<string>
  /** Writes what differs, after all entries of the package were written. @throws AppError */
  write(type: ContentType, changes: readonly CompanionWrite[], by: CompanionWriter): Promise<void>
}

/** Undefined: there is nothing to tell. */
export interface CompanionChange {
  readonly value: Value | undefined
  readonly present: Value | undefined
}

/** A change of what is kept beside an entry. */
export interface CompanionWrite extends CompanionChange {
  readonly id: number
  /** The entry as problems name it: `content:article:0198…`. */
  readonly name: string
}

/** Who applies a package, and in which transaction. */
export interface CompanionWriter {
  readonly tx: Transaction
  readonly principal: Principal
  /** The client's address. */
  readonly ip: string | undefined
}

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
