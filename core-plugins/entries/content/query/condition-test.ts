import type { ColumnKind } from '../../../foundation/database/database.ts'
import {
  type Comparable,
  type ComparingOperator,
  filterOperators,
  isReference,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { ColumnField } from '../entry/entry-model.ts'
import type { Image } from '../read-observer.ts'
import type { Condition, ReferenceField } from './condition.ts'
import { isInArea } from './place-test.ts'

/** The context in which a condition is tested, besides the entry. */
export interface TestScope {
  /** The value of a slot. */
  value(slot: string): unknown
  /** Whether entries of the type may be hidden from the caller. */
  hidesSome(type: string): boolean
}

/**
 * Whether an entry with these values satisfies a condition, as the database would decide; undefined if the values are not enough
 * to know, or if databases compare them differently from JavaScript.
 */
export function testCondition(condition: Condition, image: Image, scope: TestScope): boolean | undefined {
  switch (condition.kind) {
    case 'and':
      return all(condition.conditions, (part) => testCondition(part, image, scope))
    case 'or':
      return opposite(all(condition.conditions, (part) => opposite(testCondition(part, image, scope))))
    case 'not':
      return opposite(testCondition(condition.condition, image, scope))
    case 'compare':
      return testComparison(condition, image, scope)
    case 'place':
      return condition.at === undefined
        ? isInArea(image[condition.field.name], condition, scope.value)
        : testInside(condition.field, image)
    case 'null':
      return condition.at === undefined
        ? testNull(condition.field, image, scope)
        : opposite(testInside(condition.field, image))
    case 'related':
      return condition.at === undefined
        ? testRelated(condition, image, scope)
        : testInside(condition.field, image)
    case 'items':
      return testInside(condition.field, image)
    case 'meta':
      return undefined
  }
}

/** Images contain no JSON documents; but if the field is null, there is nothing in it to match. */
function testInside({ name }: ReferenceField, image: Image): boolean | undefined {
  return image[name] === null ? false : undefined
}

function opposite(truth: boolean | undefined): boolean | undefined {
  return truth === undefined ? undefined : !truth
}

function all<T>(parts: readonly T[], test: (part: T) => boolean | undefined): boolean | undefined {
  let result: boolean | undefined = true
  for (const part of parts) {
    const truth = test(part)
    if (truth === false) return false
    if (truth === undefined) result = undefined
  }
  return result
}

type Comparison = Extract<Condition, { kind: 'compare' }>

function testComparison(
  { field, comparison, slots, at }: Comparison,
  image: Image,
  scope: TestScope,
): boolean | undefined {
  if (at !== undefined) return testInside(field, image)
  return compare({ value: image[field.name], kind: field.kind }, comparison, slots.map(scope.value))
}

interface Compared {
  readonly value: unknown
  readonly kind: ColumnKind
}

function compare(
  { value, kind }: Compared,
  comparison: Comparison['comparison'],
  operands: readonly unknown[],
): boolean | undefined {
  if (value === null) return false
  const { question, holds }: ComparingOperator = filterOperators[comparison]
  const comparables = [value, ...operands.flat()]
  if (holds === undefined || !comparables.every((each) => comparesAlike(each, kind, question)))
    return undefined
  const [first, ...rest] = comparables as [Comparable, ...Comparable[]]
  return holds(first, rest)
}

const wholeNumbers: ReadonlySet<ColumnKind> = new Set(['id', 'reference', 'integer', 'bigint', 'decimal'])
const times: ReadonlySet<ColumnKind> = new Set(['date', 'datetime'])
const texts: ReadonlySet<ColumnKind> = new Set(['string', 'text'])

/** Databases order texts by code points, JavaScript by UTF-16 units; and long numbers are strings in JavaScript. */
function comparesAlike(value: unknown, kind: ColumnKind, question: string): boolean {
  if (wholeNumbers.has(kind)) return typeof value === 'number' && question !== 'text'
  if (times.has(kind)) return typeof value === 'string' && /^\d/.test(value) && question !== 'text'
  if (texts.has(kind)) return typeof value === 'string' && question !== 'order'
  return kind === 'boolean' && typeof value === 'boolean' && question === 'equality'
}

/** The ids in a field, as stored; undefined if they are not known or stored elsewhere. */
function storedIds(field: ReferenceField, image: Image): readonly unknown[] | undefined {
  const value = image[field.name]
  if (value === null) return []
  if (typeof value === 'number') return [value]
  return Array.isArray(value) ? value : undefined
}

function testNull(field: ReferenceField, image: Image, scope: TestScope): boolean | undefined {
  const { attribute } = field
  if (!isReference(attribute)) {
    const value = image[field.name]
    return value === undefined ? undefined : value === null
  }
  const ids = storedIds(field, image)
  if (ids === undefined) return undefined
  // The referenced entries may be hidden, and then the relation counts as null.
  if (ids.length > 0) return scope.hidesSome(targetNameOf(attribute)) ? undefined : false
  return true
}

/**
 * The field itself answers conditions on ids. For conditions on other values of the related entry, it only answers whether there
 * is a related entry at all.
 */
function testRelated(
  { field, condition }: Extract<Condition, { kind: 'related' }>,
  image: Image,
  scope: TestScope,
): boolean | undefined {
  const ids = storedIds(field, image)
  if (ids === undefined) return undefined
  if (ids.length === 0) return false
  const { attribute } = field
  if (!isAboutId(condition) || !isReference(attribute)) return undefined
  const operands = condition.slots.map(scope.value)
  const found = ids.map((value) => compare({ value, kind: 'id' }, condition.comparison, operands))
  if (found.every((each) => each === false)) return false
  return found.includes(true) && !scope.hidesSome(targetNameOf(attribute)) ? true : undefined
}

function isAboutId(condition: Condition): condition is Comparison & { readonly field: ColumnField } {
  return condition.kind === 'compare' && condition.field.name === 'id'
}

/** Collects the fields that a condition depends on. */
export interface ConditionFields {
  /** Names of fields of the entry itself. */
  readonly own: Set<string>
  /** Names of fields of related entries, by type. */
  readonly related: Map<string, Set<string>>
}

/** Adds the fields that a condition on entries of a type depends on. */
export function addFieldsOf(
  condition: Condition,
  own: Set<string>,
  related: ConditionFields['related'],
): void {
  switch (condition.kind) {
    case 'and':
    case 'or':
      for (const part of condition.conditions) addFieldsOf(part, own, related)
      return
    case 'not':
      addFieldsOf(condition.condition, own, related)
      return
    case 'compare':
    case 'place':
    case 'null':
      own.add(condition.field.name)
      if (condition.kind === 'null') addTarget(condition.field, related)
      return
    case 'related':
      own.add(condition.field.name)
      addFieldsOf(condition.condition, addTarget(condition.field, related), related)
      return
    case 'items':
      own.add(condition.field.name)
      addFieldsOf(condition.condition, own, related)
      return
    case 'meta':
      return
  }
}

/** The collected fields of a related type. Adds the fields that decide whether its entries are visible. */
function addTarget(field: ReferenceField, related: ConditionFields['related']): Set<string> {
  if (!isReference(field.attribute)) return new Set()
  const type = targetNameOf(field.attribute)
  const fields = related.get(type) ?? new Set()
  related.set(type, fields)
  fields.add('published_at')
  if ('owner' in field) fields.add(field.owner.name)
  return fields
}
