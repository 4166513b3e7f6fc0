import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import {
  type ContentType,
  type ReferenceAttribute,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import { type ItemName, nameOf, type Value } from '../../../foundation/sections/sections.ts'
import type { EntryKeys } from '../sections/entry-keys.ts'
import { referenceIn } from '../sections/hidden-references.ts'
import { mapValues } from '../sections/map-values.ts'
import { idIn, referencesIn } from '../sections/references-in.ts'
import { sectionOfType } from '../sections/section-names.ts'
import type { ApplyContext } from './apply-context.ts'
import { type VisibleIdsDeps, visibleIds } from './visible-ids.ts'

/** Values with the ids of this environment, and the references whose targets are missing. */
export interface ResolvedValues {
  readonly values: Readonly<Record<string, unknown>>
  readonly missing: readonly ItemName[]
}

export interface ResolveDeps extends VisibleIdsDeps {
  readonly schemas: Schemas
  readonly keys: EntryKeys
}

/** Values to write, of entries of a type. */
export interface Referring {
  readonly type: ContentType
  /** The keys of the entries that the values belong to. */
  readonly keys: readonly string[]
  readonly values: readonly Value[]
}

/** Ids by key, by the name of the type. */
export type KnownIds = ReadonlyMap<string, ReadonlyMap<string, number>>

/** The caller that writes references, and the transaction. */
export type Referrer = Pick<ApplyContext, 'principal' | 'tx'>

/**
 * Looks up everything that the values refer to, with one query for each type. Targets that the caller may not see count as
 * missing, unless the entries refer to them already.
 */
export async function findReferenced(
  deps: ResolveDeps,
  referring: Referring,
  { principal, tx }: Referrer,
): Promise<KnownIds> {
  const { schemas, keys } = deps
  const wanted = referencesIn(schemas, referring, (value) => referenceIn(value)?.key)
  const known = new Map<string, ReadonlyMap<string, number>>()
  let present: ReadonlyMap<string, ReadonlySet<number>> | undefined
  for (const [name, ofTarget] of wanted) {
    const target = schemas.allTypes.get(name)
    if (target === undefined) continue
    const here = await keys.idsOf(target, [...ofTarget], tx)
    const visible = await visibleIds(deps, target, [...here.values()], { principal, on: tx })
    if (visible.size < here.size) present ??= await presentReferences(deps, referring, tx)
    const isKnown = (id: number) => visible.has(id) || present?.get(name)?.has(id) === true
    known.set(name, new Map([...here].filter(([, id]) => isKnown(id))))
  }
  return known
}

/** The ids that the entries refer to at present, by the name of the referenced type. */
async function presentReferences(
  { schemas, keys, storedEntries }: ResolveDeps,
  { type, keys: own }: Referring,
  tx: Transaction,
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const ids = [...(await keys.idsOf(type, own, tx)).values()]
  if (ids.length === 0) return new Map()
  const rows = await storedEntries.read(type.name, ids, tx)
  const drafts = await storedEntries.drafts(type.name, ids, tx)
  const stored = [...rows, ...[...drafts.values()].map(({ values }) => values)]
  return referencesIn(schemas, { type, values: stored }, idIn)
}

/**
 * Replaces keys by ids. Unknown attributes are kept, so that the write reports them. An attribute whose reference is hidden at the source and
 * whose target is missing here is left out, so that its value does not change.
 */
export function resolveValues(
  { schemas }: ResolveDeps,
  type: ContentType,
  values: Value,
  known: KnownIds,
): ResolvedValues {
  const missing: ItemName[] = []
  const refer = (attribute: ReferenceAttribute, value: unknown) => {
    const target = targetNameOf(attribute)
    const reference = referenceIn(value)
    if (reference === undefined) return value
    const { key, isHidden } = reference
    const id = known.get(target)?.get(key)
    if (id === undefined && !isHidden) missing.push({ section: sectionOfType(target), key })
    return id
  }
  const resolved = mapValues(type, values, { components: schemas.components, refer })
  const isLeft = (name: string) => resolved[name] === null && referenceIn(values[name])?.isHidden === true
  const written = Object.entries(resolved).filter(([name]) => !isLeft(name))
  const unknown = Object.entries(values).filter(([name]) => !type.attributes.has(name))
  return { values: Object.fromEntries([...unknown, ...written]), missing }
}

/** @throws AppError 409 */
export function missingFrom(item: ItemName, missing: readonly ItemName[]): AppError {
  return refusal(missingProblems(item, missing))
}

/** Problems for the missing references of an item. */
export function missingProblems(item: ItemName, missing: readonly ItemName[]): ErrorDetail[] {
  return missing.map((each) => ({
    path: nameOf(item),
    code: 'reference',
    message: `refers to ${nameOf(each)}, which is not here; transfer that, too, or drop what is missing`,
  }))
}

const maxProblems = 100

/** A 409 error whose message contains the first problem. */
export function refusal(details: readonly ErrorDetail[]): AppError {
  const [first] = details
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  return new AppError('CONFLICT', `${first?.path} ${first?.message}${more}`, {
    details: details.slice(0, maxProblems),
  })
}
