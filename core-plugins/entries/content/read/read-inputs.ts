import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import type { EntryModel, InverseField } from '../entry/entry-model.ts'
import type { Condition } from '../query/condition.ts'
import { addFieldsOf, testCondition } from '../query/condition-test.ts'
import type { PickedEntries } from '../query/populate.ts'
import type { ReadQuery } from '../query/read-query.ts'
import { referencedTypes } from '../query/referenced-types.ts'
import { addFieldsOfSort, type SortKey } from '../query/sort.ts'
import { isClosed, type Visibility } from '../query/visibility.ts'
import type { HiddenType, Image, ReadObserver, ReadSelection } from '../read-observer.ts'

/** What the answers to queries of one shape depend on, for callers with the same visibility. */
export interface ReadInputs {
  /** Why changes do not tell when such an answer is wrong. */
  readonly opaque: string | undefined
  /** Types of which ids of hidden entries are left out. */
  readonly hidden: readonly HiddenType[]
  /** Types of which entries appear when the time of their publication comes. */
  readonly timed: readonly string[]
  /** The fields of related entries that filters look at, by type. */
  readonly related: ReadonlyMap<string, ReadonlySet<string>>
  /** What restrictions depend on besides entries. */
  readonly others: readonly string[]
}

interface InputDeps {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Schemas
}

/** The part that does not depend on values; compiled with the statements. */
export function compileInputs(query: ReadQuery, visibility: Visibility, deps: InputDeps): ReadInputs {
  const { model, condition } = query
  const related = new Map<string, Set<string>>()
  if (condition !== undefined) addFieldsOf(condition, new Set(), related)
  addFieldsOfSort(query.sort, new Set(), related)
  const touched = [model, ...[...related.keys()].flatMap((name) => deps.models.get(name) ?? [])]
  const hidden = new Set(touched.flatMap((each) => hiddenIn(each, visibility, deps)))
  // An entry that is found by what it shares with others may be another one when those come and go.
  if (query.restrictions.some(({ restriction }) => restriction.sharing !== undefined))
    hidden.add(model.type.name)
  const timed = [...touched.map(({ type }) => type.name), ...hidden].filter((name) => {
    const type = deps.models.get(name)?.type
    return type !== undefined && isTimed(type, visibility)
  })
  if (query.published !== undefined && model.type.options.draftAndPublish) timed.push(model.type.name)
  return {
    opaque: opaqueness(query),
    hidden: hiddenTypes([...hidden], visibility, deps),
    timed: [...new Set(timed)],
    related,
    others: query.restrictions.flatMap(({ restriction }) => restriction.dependsOn ?? []),
  }
}

/** Types that entries of a type refer to, some of whose entries are hidden from the caller at times. */
export function hiddenIn(
  model: EntryModel,
  visibility: Visibility,
  { models, schemas }: InputDeps,
): string[] {
  return [...referencedTypes(model, schemas)].filter((name) => {
    const type = models.get(name)?.type
    return type !== undefined && !isClosed(type, visibility) && hidesSome(type, visibility)
  })
}

/** What it depends on to show entries of a type inside of others. */
export function shownInputs(
  model: EntryModel,
  visibility: Visibility,
  deps: InputDeps,
): Pick<ReadInputs, 'hidden' | 'timed'> {
  const hidden = hiddenIn(model, visibility, deps)
  const types = [model.type.name, ...hidden].flatMap((name) => deps.models.get(name)?.type ?? [])
  const timed = types.filter((type) => isTimed(type, visibility)).map(({ name }) => name)
  return { hidden: hiddenTypes(hidden, visibility, deps), timed }
}

/** Whether entries of a type become visible to the caller without a write. */
export function isTimed(type: ContentType, visibility: Visibility): boolean {
  return type.options.draftAndPublish && !type.system && !visibility.seesDrafts(type)
}

function hiddenTypes(
  names: readonly string[],
  visibility: Visibility,
  { models }: InputDeps,
): readonly HiddenType[] {
  return names.flatMap((name) => {
    const type = models.get(name)?.type
    return type === undefined ? [] : [{ type: name, isPublicOnly: isTimed(type, visibility) }]
  })
}

function hidesSome(type: ContentType, visibility: Visibility): boolean {
  return type.options.softDelete || isTimed(type, visibility)
}

function opaqueness({ draft, deleted, revealsMeta }: ReadQuery): string | undefined {
  if (draft) return 'it shows pending drafts'
  if (deleted) return 'it shows the trash'
  return revealsMeta ? 'it shows what plugins know of entries' : undefined
}

/** Tells an observer what a read depends on, but for the entries that it finds. */
export function observeInputs(observer: ReadObserver, inputs: ReadInputs): void {
  const { opaque, hidden, timed, related, others } = inputs
  if (opaque !== undefined) observer.isOpaque(opaque)
  observer.hides(hidden)
  observer.waitsFor(timed)
  for (const [type, fields] of related) observer.dependsOn(type, fields)
  for (const name of others) observer.dependsOn(name)
}

type Test = (image: Image, now: string) => boolean | undefined

/** Which entries a list with these values is made of. */
export function selectionOf(query: ReadQuery, visibility: Visibility, deps: InputDeps): ReadSelection {
  const { model, condition, restrictions, sort } = query
  const fields = new Set<string>()
  const tests: Test[] = []
  const publication = publicationTest(query, visibility)
  if (publication !== undefined) {
    fields.add('published_at')
    tests.push(publication)
  }
  if (condition !== undefined) {
    addFieldsOf(condition, fields, new Map())
    tests.push(conditionTest(condition, query, visibility, deps))
  }
  for (const { restriction } of restrictions) {
    for (const name of restriction.reads?.fields ?? []) fields.add(name)
    tests.push((image) => restriction.reads?.test?.(image))
  }
  // Whatever else is asked for, an entry that is not in the list itself may decide about one that is.
  const dependsOnOthers = restrictions.some(({ restriction }) => restriction.reads?.test === undefined)
  return {
    type: model.type.name,
    fields: restrictions.every(({ restriction }) => restriction.reads !== undefined) ? fields : undefined,
    test: dependsOnOthers ? () => undefined : (image, now) => satisfiesAll(tests, image, now),
    sortedBy: ownFieldsOf(sort),
  }
}

function ownFieldsOf(sort: readonly SortKey[]): ReadonlySet<string> {
  const own = new Set<string>()
  addFieldsOfSort(sort, own, new Map())
  return own
}

function conditionTest(
  condition: Condition,
  { slots }: ReadQuery,
  visibility: Visibility,
  { models }: InputDeps,
): Test {
  const values = new Map(slots.values.map(({ name, value }) => [name, value]))
  const scope = {
    value: (slot: string) => values.get(slot),
    hidesSome(name: string) {
      const type = models.get(name)?.type
      return type === undefined || isClosed(type, visibility) || hidesSome(type, visibility)
    },
  }
  return (image) => testCondition(condition, image, scope)
}

/** Undefined if entries belong to the list whether or not they are published. */
function publicationTest({ model, published }: ReadQuery, visibility: Visibility): Test | undefined {
  const { type } = model
  const isWanted = isTimed(type, visibility) ? published !== false : published
  if (!type.options.draftAndPublish || isWanted === undefined) return undefined
  return (image, now) => {
    const isPublic = isPublicAt(image, now)
    return isPublic === undefined ? undefined : isPublic === isWanted
  }
}

function isPublicAt({ published_at: publishedAt }: Image, now: string): boolean | undefined {
  if (publishedAt === undefined) return undefined
  return typeof publishedAt === 'string' && publishedAt <= now
}

function satisfiesAll(tests: readonly Test[], image: Image, now: string): boolean | undefined {
  let result: boolean | undefined = true
  for (const test of tests) {
    const truth = test(image, now)
    if (truth === false) return false
    if (truth === undefined) result = undefined
  }
  return result
}

/** What the inverse sides of some entries (undefined: any) are made of: entries that name one of them as their owner. */
export function inverseSelectionOf(
  { target, owner }: InverseField,
  owners: ReadonlySet<number> | undefined,
  picked: PickedEntries | undefined,
): ReadSelection {
  const fields = new Set([owner.name, 'published_at'])
  if (picked?.condition !== undefined) addFieldsOf(picked.condition, fields, new Map())
  return {
    type: target.name,
    fields,
    test(image) {
      const named = image[owner.name]
      if (named === undefined) return undefined
      const ids = Array.isArray(named) ? named : [named]
      // Whether it is also visible, and picked, is left open: that is rarely what changes.
      return owners === undefined || ids.some((id) => owners.has(id)) ? undefined : false
    },
    sortedBy: ownFieldsOf(picked?.sort ?? []),
  }
}
