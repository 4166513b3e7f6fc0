import type { Attribute, RelationAttribute, Schemas } from '../../schemas/schemas.ts'
import { compileDate } from './calendar.ts'
import { compileComponent, compileZone, type FieldSetOf } from './component.ts'
import { compileCondition } from './condition.ts'
import { compileDecimal } from './decimal.ts'
import type { Field, FieldSet } from './field-set.ts'
import { checkJson } from './json.ts'
import { compileBigint, compileInteger } from './number.ts'
import { compileInverse, compileReference } from './reference.ts'
import { PayloadReport, type ValueCheck } from './report.ts'
import { compileEnum, compileText } from './text.ts'

/** Compiles the attributes of a type, or of a component: those have no columns, all is in one object. */
export function compileFields(
  attributes: Iterable<Attribute>,
  owner: 'entry' | 'component',
  fieldSetOf: FieldSetOf,
): Map<string, Field> {
  const fields = new Map<string, Field>()
  for (const attribute of attributes) {
    if (!attribute.private) fields.set(attribute.name, compileField(attribute, owner, fieldSetOf))
  }
  return fields
}

/** Compiles each component once, when it is first asked for. */
export function componentFieldSets(schemas: Schemas): FieldSetOf {
  const sets = new Map<string, FieldSet>()
  return function fieldSetOf(uid) {
    const known = sets.get(uid)
    if (known !== undefined) return known
    const component = schemas.components.get(uid)
    if (component === undefined) throw new Error(`the component ${uid} is not declared`)
    // Known before its fields are, since a component may hold itself.
    const fields = new Map<string, Field>()
    const set = { owner: `component ${uid}`, fields }
    sets.set(uid, set)
    for (const [name, field] of compileFields(component.attributes.values(), 'component', fieldSetOf)) {
      fields.set(name, field)
    }
    return set
  }
}

function compileField(attribute: Attribute, owner: 'entry' | 'component', fieldSetOf: FieldSetOf): Field {
  const check = compileCheck(attribute, fieldSetOf)
  const place = isInverse(attribute) ? 'nowhere' : owner === 'entry' && hasLinks(attribute) ? 'link' : 'value'
  return {
    name: attribute.name,
    key: owner === 'entry' && place === 'value' ? attribute.column : attribute.name,
    place,
    required: attribute.required && place !== 'nowhere',
    isList: isList(attribute),
    check,
    defaultOf: compileDefault(attribute, check),
    isVisible: attribute.condition === undefined ? () => true : compileCondition(attribute.condition),
    conditionField: attribute.condition?.field,
  }
}

function compileCheck(attribute: Attribute, fieldSetOf: FieldSetOf): ValueCheck {
  switch (attribute.type) {
    case 'integer':
      return compileInteger(attribute)
    case 'bigint':
      return compileBigint(attribute)
    case 'decimal':
      return compileDecimal(attribute)
    case 'boolean':
      return (value, report) =>
        typeof value === 'boolean' ? value : report.problem('type', 'must be true or false')
    case 'date':
    case 'datetime':
      return compileDate(attribute)
    case 'json':
      return checkJson
    case 'enum':
      return compileEnum(attribute)
    case 'media':
      return compileReference(attribute)
    case 'relation':
      return isInverse(attribute) ? compileInverse(attribute) : compileReference(attribute)
    case 'component':
      return compileComponent(attribute, fieldSetOf)
    case 'dynamicZone':
      return compileZone(attribute, fieldSetOf)
    default:
      return compileText(attribute)
  }
}

function compileDefault(attribute: Attribute, check: ValueCheck): Field['defaultOf'] {
  const value = 'default' in attribute ? attribute.default : undefined
  if (value === undefined || value === null) return () => undefined
  if (attribute.type === 'datetime' && value === 'now') return (report) => report.now
  const report = new PayloadReport()
  report.enter(attribute.name)
  const checked = check(value, report)
  report.throwIfInvalid()
  // Each entry gets one of its own: middleware may change what it is given.
  return typeof checked === 'object' ? () => structuredClone(checked) : () => checked
}

/** Whether an attribute is the other side of a relation, without a value of its own. */
export function isInverse(attribute: Attribute): attribute is RelationAttribute {
  return attribute.type === 'relation' && attribute.side === 'inverse'
}

function hasLinks(attribute: Attribute): boolean {
  return attribute.type === 'relation' ? attribute.many : attribute.type === 'media' && attribute.multiple
}

/**
 * Whether having no value means an empty array. A component with a `min` stays null: an empty array, read and sent
 * back, would have too few items.
 */
export function isList(attribute: Attribute): boolean {
  if (attribute.type === 'component') return attribute.repeatable && (attribute.min ?? 0) === 0
  return attribute.type === 'dynamicZone' || hasLinks(attribute)
}
