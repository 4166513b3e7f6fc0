import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { andThen } from '../../../../kernel/index.ts'
import { type Entry, jsonBytes } from '../../../entries/content/content.ts'
import { AppError, bodyValidator } from '../../../foundation/http/http.ts'
import { type AskedFields, EntryReference } from '../features.ts'
import { admit } from '../root-access.ts'
import type { FeatureRootMeaning } from '../schema/meaning.ts'
import { entryTypeOf } from '../schema/object-types.ts'
import { allArgumentsOf } from './arguments.ts'
import type { Call, RunRoot } from './call.ts'
import { statementCost, writtenEntryCost } from './cost.ts'
import { findEntries } from './find-entries.ts'
import { type Item, project } from './projection.ts'
import { type FieldNodes, subfields } from './selected-fields.ts'
import { type CompileContext, isList, reckonedItems } from './selection.ts'
import { type AssertReadable, compileNamedTypes, compileSlot, type Slot } from './slots.ts'
import { asksUuid, readUuids } from './written-uuids.ts'

/** How to build a value of the response. */
type Shape =
  | { readonly kind: 'leaf' }
  | { readonly kind: 'object'; readonly members: readonly Member[] }
  | { readonly kind: 'entry'; readonly slots: ReadonlyMap<string, Slot> }

interface Member {
  /** The response key and the name of the field. */
  readonly key: string
  readonly name: string
  readonly value: Shape | { readonly kind: 'constant'; readonly value: unknown }
}

/** The entries found for each slot, by id. */
type Found = ReadonlyMap<Slot, ReadonlyMap<number, Entry>>

/** Compiles a field of a feature, and the selections of the entries in its result. */
export function compileFeatureRoot(
  root: FeatureRootMeaning,
  field: GraphQLField<unknown, unknown>,
  nodes: FieldNodes,
  deps: CompileContext,
): RunRoot {
  const { takes, nullable = [], resolve, effort } = root.definition
  const given = allArgumentsOf(field, nodes, deps)
  const args = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== null || nullable.includes(name)),
  )
  const asked = askedFields(field.type, nodes, deps)
  const { statements = 0, writes = 0 } = effort?.(args, asked) ?? {}
  deps.cost.add(statementCost + Math.max(0, statements * statementCost + writes * writtenEntryCost))
  if (root.definition.isObserved !== true) deps.seen.unobserved = true
  const slots: Slot[] = []
  const named: AssertReadable[] = []
  const items = reckonedItems(field, { type: root.type, limit: args.limit }, deps)
  const shape = compileShape(field.type, nodes, { weight: 1, items, slots, named, deps })
  const problems = takes === undefined ? [] : bodyValidator(takes)(structuredClone(args))
  return (call) =>
    andThen(admit(root, call.principal), async () => {
      for (const assertReadable of named) assertReadable(call)
      if (problems.length > 0) throw AppError.invalid(problems)
      const complete = root.isMutation
        ? await completions(slots, { type: root.type, id: Number(args.id) }, call)
        : undefined
      const { principal, recipient, ip } = call
      const value = await resolve(structuredClone(args), { principal, recipient, ip, asked })
      return answerWith(value, shape, await findAll(value, shape, { call, complete }), call)
    })
}

interface Compiling {
  readonly weight: number
  /** The assumed length of a list. */
  readonly items: number
  readonly slots: Slot[]
  readonly named: AssertReadable[]
  readonly deps: CompileContext
}

function compileShape(of: GraphQLOutputType, nodes: FieldNodes, compiling: Compiling): Shape {
  const { deps, slots, items } = compiling
  const named = getNamedType(of)
  const weight = isList(of) ? compiling.weight * items : compiling.weight
  if (isUnionType(named) || (isObjectType(named) && entryTypeOf(named) !== undefined)) {
    const members = isUnionType(named) ? deps.schema.getPossibleTypes(named) : [named]
    const found = new Map<string, Slot>()
    deps.cost.add(statementCost)
    deps.cost.dearest(
      members.map((member) => () => {
        const slot = compileSlot(member, nodes, weight, deps)
        found.set(slot.type, slot)
      }),
    )
    if (isUnionType(named)) compiling.named.push(compileNamedTypes(named, nodes, deps))
    slots.push(...found.values())
    return { kind: 'entry', slots: found }
  }
  if (!isObjectType(named)) return { kind: 'leaf' }
  return { kind: 'object', members: compileMembers(named, nodes, { ...compiling, weight }) }
}

function compileMembers(of: GraphQLObjectType, nodes: FieldNodes, compiling: Compiling): Member[] {
  const { deps, weight } = compiling
  return [...subfields(of, nodes, deps)].map(([key, same]): Member => {
    const name = same[0].name.value
    deps.cost.add(weight)
    const field = of.getFields()[name]
    if (field === undefined) return { key, name, value: { kind: 'constant', value: of.name } }
    return { key, name, value: compileShape(field.type, same, compiling) }
  })
}

/** The requested fields of the plugin's own types. Entries appear only as present, without their fields. */
function askedFields(of: GraphQLOutputType, nodes: FieldNodes, deps: CompileContext): AskedFields {
  const named = getNamedType(of)
  if (!isObjectType(named) || entryTypeOf(named) !== undefined) return {}
  const asked: Record<string, AskedFields> = {}
  for (const same of subfields(named, nodes, deps).values()) {
    const name = same[0].name.value
    const field = named.getFields()[name]
    if (field !== undefined) asked[name] = { ...asked[name], ...askedFields(field.type, same, deps) }
  }
  return asked
}

/** Completes an entry that a write returned; undefined if it must be read. */
type Complete = (slot: Slot, entry: Entry) => Promise<Entry | undefined>

/** Checks the selections before anything is written. @throws AppError 400, 403 */
async function completions(
  slots: readonly Slot[],
  { type, id }: { readonly type: string | undefined; readonly id: number },
  call: Call,
): Promise<Complete> {
  const { reads, principal, schemas } = call
  const expanding = slots.filter(({ query }) => (query.populate ?? []).length > 0)
  const isSystem = ({ type }: Slot) => schemas.allTypes.get(type)?.system === true
  const prepared = new Map(
    expanding
      .filter((slot) => !isSystem(slot))
      .map((slot) => [slot, reads.populateInto(slot.type, slot.query, principal)]),
  )
  const isChanged = (slot: Slot) => slot.type === type && asksUuid(slot.query) && !Number.isNaN(id)
  // Read first, since the entry may be deleted by the write.
  const before = type !== undefined && slots.some(isChanged) ? await readUuids(type, [id], call) : []

  /** Copies the entry, since others hold the written object, for example hooks. */
  async function withUuid(slot: Slot, written: Entry): Promise<Entry> {
    const isWritten = (entry: Entry) => entry.id === written.id
    const known = before.find(isWritten) ?? (await readUuids(slot.type, [written.id], call))[0]
    return { ...structuredClone(written), uuid: known?.uuid ?? null }
  }

  return async (slot, written) => {
    const isExpanding = expanding.includes(slot)
    const expand = prepared.get(slot)
    if (isExpanding && expand === undefined) return undefined
    if (!isExpanding && !asksUuid(slot.query)) return written
    const entry = asksUuid(slot.query) ? await withUuid(slot, written) : structuredClone(written)
    await expand?.(entry)
    return entry
  }
}

interface Finding {
  readonly call: Call
  readonly complete: Complete | undefined
}

/** One read per slot. Deleted entries are shown as the write returned them. */
async function findAll(value: unknown, shape: Shape, { call, complete }: Finding): Promise<Found> {
  const wanted = new Map<Slot, Map<number, EntryReference>>()
  collect(value, shape, wanted)
  const found = [...wanted].map(async ([slot, references]) => {
    const entries = new Map<number, Entry>()
    const unread: number[] = []
    for (const { id, written } of references.values()) {
      const shown = written && (await complete?.(slot, written))
      if (shown === undefined) unread.push(id)
      if (shown !== undefined || written !== undefined) entries.set(id, shown ?? (written as Entry))
    }
    const read = await findEntries({ type: slot.type, key: 'id', values: unread, query: slot.query }, call)
    for (const entry of read) entries.set(entry.id, entry)
    return [slot, entries] as const
  })
  return new Map(await Promise.all(found))
}

function collect(value: unknown, shape: Shape, wanted: Map<Slot, Map<number, EntryReference>>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, shape, wanted)
  else if (shape.kind === 'entry') {
    if (!(value instanceof EntryReference)) return
    const slot = shape.slots.get(value.type)
    if (slot === undefined) return
    const references = wanted.get(slot) ?? new Map<number, EntryReference>()
    wanted.set(slot, references.set(value.id, value))
  } else if (shape.kind === 'object' && typeof value === 'object' && value !== null) {
    for (const { name, value: inside } of shape.members) {
      if (inside.kind !== 'constant') collect((value as Item)[name], inside, wanted)
    }
  }
}

function answerWith(value: unknown, shape: Shape, found: Found, call: Call): unknown {
  if (Array.isArray(value)) {
    const answered = value.map((item) => answerWith(item, shape, found, call))
    return shape.kind === 'entry' ? answered.filter((item) => item !== null) : answered
  }
  if (value === undefined || value === null) return null
  if (shape.kind === 'leaf') {
    call.count(1, jsonBytes(value))
    return value
  }
  if (shape.kind === 'entry') {
    if (!(value instanceof EntryReference)) return null
    const slot = shape.slots.get(value.type)
    const entry = slot && found.get(slot)?.get(value.id)
    return slot === undefined || entry === undefined ? null : project(entry, slot.steps, call.count)
  }
  call.count(1, 2)
  return Object.fromEntries(
    shape.members.map(({ key, name, value: inside }) => [
      key,
      inside.kind === 'constant' ? inside.value : answerWith((value as Item)[name], inside, found, call),
    ]),
  )
}
