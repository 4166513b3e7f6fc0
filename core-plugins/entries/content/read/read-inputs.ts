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
  /** Why changes alone cannot show when such an answer becomes outdated; undefined if they can. */
  readonly opaque: string | undefined
  /** Types of which the answer omits ids of hidden entries. */
  readonly hidden: readonly HiddenType[]
  /** Types whose entries appear when the time of their publication comes. */
  readonly timed: readonly string[]
  /** The fields of related entries that filters depend on, by type. */
  readonly related: ReadonlyMap<string, ReadonlySet<string>>
  /** What restrictions depend on besides entries. */
  readonly others: readonly string[]
}

interface InputDeps {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Schemas
}

/** The part that does not depend on the query's values; compiled with the statements. */
export function compileInputs(query: ReadQuery, visibility: Visibility, deps: InputDeps): ReadInputs {
  const { model, condition } = query
  const related = new Map<string, Set<string>>()
  if (condition !== undefined) addFieldsOf(condition, new Set(), related)
  addFieldsOfSort(query.sort, new Set(), related)
  const touched = [model, ...[...related.keys()].flatMap((name) => deps.models.get(name) ?? [])]
  const hidden = new Set(touched.flatMap((each) => hiddenIn(each, visibility, deps)))
  // A find by a shared value may return another entry when entries with that value are added or removed.
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

/** The types that entries of a type refer to and whose entries may be hidden from the caller. */
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

/** What an answer depends on when it shows entries of a type inside others. */
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

/** Reports what a read depends on, except for the entries that it finds. */
export function observeInputs(observer: ReadObserver, inputs: ReadInputs): void {
  const { opaque, hidden, timed, related, others } = inputs
  if (opaque !== undefined) observer.isOpaque(opaque)
  observer.hides(hidden)
  observer.waitsFor(timed)
  for (const [type, fields] of related) observer.dependsOn(type, fields)
  for (const name of others) observer.dependsOn(name)
}

type Test = (image: Image, now: string) => boolean | undefined

/** The selection of entries that a list with these values consists of. */
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
  // If a restriction depends on other entries, even an entry outside the list may affect it.
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

/** The selection that the inverse sides of some entries (undefined: any) consist of: the entries that refer to one of them. */
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
      // Whether the entry is also visible and picked is left open: that rarely changes.
      return owners === undefined || ids.some((id) => owners.has(id)) ? undefined : false
    },
    sortedBy: ownFieldsOf(picked?.sort ?? []),
  }
}
