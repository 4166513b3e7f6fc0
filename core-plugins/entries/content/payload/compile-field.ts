import {
  type Attribute,
  holdsComponents,
  isInverse,
  isList,
  isReference,
  isToMany,
  type Schemas,
} from '../../../foundation/schemas/schemas.ts'
import { compileComponent, compileZone, type FieldSetOf } from './component.ts'
import { compileCondition } from './condition.ts'
import type { Field, FieldSet } from './field-set.ts'
import { compileInverse, compileReference } from './reference.ts'
import { type FieldCheck, PayloadReport } from './report.ts'

/**
 * Compiles the attributes of a type or component; components have no columns, so all their values go into one
 * object.
 */
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

/** Compiles each component once, on first use. */
export function componentFieldSets(schemas: Schemas): FieldSetOf {
  const sets = new Map<string, FieldSet>()
  return function fieldSetOf(uid) {
    const known = sets.get(uid)
    if (known !== undefined) return known
    const component = schemas.components.get(uid)
    if (component === undefined) throw new Error(`the component ${uid} is not declared`)
    // Registered before its fields are compiled, because a component may contain itself.
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
  const place = isInverse(attribute) ? 'nowhere' : owner === 'entry' && isToMany(attribute) ? 'link' : 'value'
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

function compileCheck(attribute: Attribute, fieldSetOf: FieldSetOf): FieldCheck {
  if (isInverse(attribute)) return compileInverse(attribute)
  if (isReference(attribute)) return compileReference(attribute)
  if (!holdsComponents(attribute)) return attribute.definition.compileCheck(attribute)
  return attribute.type === 'component'
    ? compileComponent(attribute, fieldSetOf)
    : compileZone(attribute, fieldSetOf)
}

function compileDefault(attribute: Attribute, check: FieldCheck): Field['defaultOf'] {
  if (isReference(attribute) || holdsComponents(attribute)) return () => undefined
  const worked = attribute.definition.compileDefault?.(attribute)
  if (worked !== undefined) return worked
  const value = attribute.default ?? undefined
  if (value === undefined) return () => undefined
  const report = new PayloadReport()
  report.enter(attribute.name)
  const checked = check(value, report)
  report.throwIfInvalid()
  // A fresh copy for each entry, because middleware may modify it.
  return typeof checked === 'object' ? () => structuredClone(checked) : () => checked
}
