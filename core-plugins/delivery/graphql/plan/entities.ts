import { type GraphQLField, type GraphQLUnionType, getNamedType, isUnionType } from 'graphql'
import type { Entry } from '../../../entries/content/content.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import { entryTypeOf } from '../schema/object-types.ts'
import { argumentsOf } from './arguments.ts'
import { assertAllowed, type Call, type RunRoot } from './call.ts'
import { statementCost } from './cost.ts'
import { findEntries } from './find-entries.ts'
import { project } from './projection.ts'
import type { FieldNodes } from './selected-fields.ts'
import type { CompileContext } from './selection.ts'
import { compileNamedTypes, compileSlot, type Slot } from './slots.ts'

/** Gateways must split larger sets into several requests. */
const maxRepresentations = 1_000

const maxProblems = 20

/** A reference to an entry from another subgraph. */
interface Representation {
  /** The name of its type in the schema. The type may be missing because it is hidden from the caller. */
  readonly typeName: string
  readonly key: 'id' | 'uuid'
  readonly value: number | string
}

/**
 * Compiles the field through which a gateway requests entries that other subgraphs reference, with one read for each type and
 * key.
 */
export function compileEntities(
  field: GraphQLField<unknown, unknown>,
  nodes: FieldNodes,
  deps: CompileContext,
): RunRoot {
  const { representations: given } = argumentsOf(field, nodes, deps) as { representations: unknown[] }
  const { representations, typeNames, problems } = readRepresentations(given)
  const union = getNamedType(field.type)
  if (!isUnionType(union)) throw new Error(`${field.name} does not answer entries`)
  const slots = compileSlots(representations, union, nodes, deps)
  const assertNamed = compileNamedTypes(union, nodes, deps)
  return async (call) => {
    assertNamed(call)
    assertReadable(typeNames, union, call)
    if (problems.length > 0) throw AppError.invalid(problems)
    const found = await findAll(representations, slots, call)
    return representations.map(({ typeName, key, value }) => {
      const slot = slots.get(typeName)
      const entry = found.get(keyOf(typeName, key))?.get(value)
      return slot === undefined || entry === undefined ? null : project(entry, slot.steps, call.count)
    })
  }
}

function readRepresentations(given: readonly unknown[]) {
  const problems: ErrorDetail[] = []
  const representations: Representation[] = []
  const typeNames = new Set<string>()
  const refuse = (path: string, code: string, message: string) => {
    if (problems.length < maxProblems) problems.push({ path, code, message })
  }
  if (given.length > maxRepresentations) {
    refuse('representations', 'maxItems', `takes at most ${maxRepresentations} entries`)
  }
  for (const [index, each] of given.slice(0, maxRepresentations).entries()) {
    const path = `representations.${index}`
    const { __typename: typeName, id, uuid } = Object(each) as Record<string, unknown>
    if (typeof typeName !== 'string') {
      refuse(path, 'required', 'names its type in __typename')
      continue
    }
    typeNames.add(typeName)
    if (isId(id)) representations.push({ typeName, key: 'id', value: Number(id) })
    else if (id === undefined && typeof uuid === 'string') {
      representations.push({ typeName, key: 'uuid', value: uuid })
    } else refuse(path, 'key', 'takes an id, a positive whole number, or a uuid')
  }
  return { representations, typeNames, problems }
}

function isId(value: unknown): boolean {
  if (typeof value === 'string') return /^[1-9]\d{0,15}$/.test(value) && Number.isSafeInteger(Number(value))
  return Number.isSafeInteger(value) && (value as number) > 0
}

/** By type name. */
type Slots = ReadonlyMap<string, Slot>

function compileSlots(
  representations: readonly Representation[],
  union: GraphQLUnionType,
  nodes: FieldNodes,
  deps: CompileContext,
): Slots {
  const slots = new Map<string, Slot>()
  for (const member of deps.schema.getPossibleTypes(union)) {
    const asked = representations.filter(({ typeName }) => typeName === member.name)
    const keys = new Set(asked.map(({ key }) => key))
    if (keys.size === 0) continue
    // Looking for missing entries costs as much.
    deps.cost.add(statementCost * keys.size + asked.length)
    const slot = compileSlot(member, nodes, asked.length, deps)
    const fields = [...(slot.query.fields ?? []), ...keys]
    slots.set(member.name, { ...slot, query: { ...slot.query, fields } })
  }
  return slots
}

/** Callers who may not read all types get the same error for hidden and for unknown types. @throws AppError 400, 401, 403 */
function assertReadable(names: Iterable<string>, union: GraphQLUnionType, call: Call): void {
  const types = new Map(union.getTypes().map((member) => [member.name, entryTypeOf(member)]))
  for (const name of names) {
    const type = types.get(name)
    assertAllowed(call, type ?? '', 'read')
    if (type !== undefined) continue
    const message = `there is no type ${name.slice(0, 100)} with entries`
    throw AppError.invalid([{ path: 'representations', code: 'unknown', message }])
  }
}

const keyOf = (typeName: string, key: Representation['key']) => `${typeName} ${key}`

type Found = ReadonlyMap<string, ReadonlyMap<number | string, Entry>>

async function findAll(representations: readonly Representation[], slots: Slots, call: Call): Promise<Found> {
  const wanted = new Map<string, { readonly first: Representation; readonly values: Set<number | string> }>()
  for (const each of representations) {
    const place = keyOf(each.typeName, each.key)
    const same = wanted.get(place) ?? { first: each, values: new Set() }
    same.values.add(each.value)
    wanted.set(place, same)
  }
  const found = [...wanted].map(async ([place, { first, values }]) => {
    const { key, typeName } = first
    const slot = slots.get(typeName)
    if (slot === undefined) throw new Error(`${typeName} was not compiled`)
    const entries = await findEntries({ type: slot.type, key, values: [...values], query: slot.query }, call)
    return [place, new Map(entries.map((entry) => [entry[key] as number | string, entry]))] as const
  })
  return new Map(await Promise.all(found))
}
