import type { Transaction } from '../../database/database.ts'
import { AppError, type ErrorDetail } from '../../http/http.ts'
import {
  type ContentType,
  type ReferenceAttribute,
  type Schemas,
  targetNameOf,
} from '../../schemas/schemas.ts'
import type { Value } from '../canonical.ts'
import type { EntryKeys } from '../sections/entry-keys.ts'
import { mapValues } from '../sections/map-values.ts'
import { sectionOfType } from '../sections/section-names.ts'
import { type ItemName, nameOf } from '../transfer-item.ts'

/** Values with the ids of this environment, and what they refer to in vain. */
export interface ResolvedValues {
  readonly values: Readonly<Record<string, unknown>>
  readonly missing: readonly ItemName[]
}

export interface ResolveDeps {
  readonly schemas: Schemas
  readonly keys: EntryKeys
}

/** Ids by key, by the name of the type. */
export type KnownIds = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Looks up everything that some values of a type refer to, with a query for each type. */
export async function findReferenced(
  { schemas, keys }: ResolveDeps,
  type: ContentType,
  all: readonly Value[],
  tx: Transaction,
): Promise<KnownIds> {
  const wanted = new Map<string, Set<string>>()
  const collect = (attribute: ReferenceAttribute, key: unknown) => {
    const target = targetNameOf(attribute)
    const ofTarget = wanted.get(target) ?? new Set<string>()
    wanted.set(target, ofTarget)
    if (typeof key === 'string') ofTarget.add(key)
    return undefined
  }
  for (const values of all) mapValues(type, values, { components: schemas.components, refer: collect })
  const known = new Map<string, ReadonlyMap<string, number>>()
  for (const [name, ofTarget] of wanted) {
    const target = schemas.allTypes.get(name)
    if (target !== undefined) known.set(name, await keys.idsOf(target, [...ofTarget], tx))
  }
  return known
}

/** Attributes that this environment does not have stay as they are, so that the write names them. */
export function resolveValues(
  { schemas }: ResolveDeps,
  type: ContentType,
  values: Value,
  known: KnownIds,
): ResolvedValues {
  const missing: ItemName[] = []
  const refer = (attribute: ReferenceAttribute, key: unknown) => {
    const target = targetNameOf(attribute)
    if (typeof key !== 'string') return key
    const id = known.get(target)?.get(key)
    if (id === undefined) missing.push({ section: sectionOfType(target), key })
    return id
  }
  const resolved = mapValues(type, values, { components: schemas.components, refer })
  const unknown = Object.entries(values).filter(([name]) => !type.attributes.has(name))
  return { values: { ...Object.fromEntries(unknown), ...resolved }, missing }
}

/** @throws AppError 409 */
export function missingFrom(item: ItemName, missing: readonly ItemName[]): AppError {
  return refusal(missingProblems(item, missing))
}

/** What an item refers to in vain. */
export function missingProblems(item: ItemName, missing: readonly ItemName[]): ErrorDetail[] {
  return missing.map((each) => ({
    path: nameOf(item),
    code: 'reference',
    message: `refers to ${nameOf(each)}, which is not here; transfer that, too, or drop what is missing`,
  }))
}

const maxProblems = 100

/** 409 with the first of some problems in its message. */
export function refusal(details: readonly ErrorDetail[]): AppError {
  const [first] = details
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  return new AppError('CONFLICT', `${first?.path} ${first?.message}${more}`, {
    details: details.slice(0, maxProblems),
  })
}
