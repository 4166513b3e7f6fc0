import { isObject } from '../../../kernel/index.ts'
import type { ErrorDetail } from '../../foundation/http/http.ts'
import {
  type Attribute,
  type ContentType,
  componentsOf,
  holdsComponents,
  isInverse,
  isReference,
  type Schemas,
} from '../../foundation/schemas/schemas.ts'

type Fields = Readonly<Record<string, unknown>>
type Attributes = ReadonlyMap<string, Attribute>

/** The unsaved fields of a form, and the relations that the page wants populated. */
export interface UnsavedFields {
  readonly fields: Fields
  /** As in a query string. */
  readonly populate: string
}

/** More references than fit into a response. */
const maxReferences = 1000

/** Limits the number of components, since each takes time; more than anybody would view. */
const maxItems = 20_000

/**
 * The problems of fields to be populated. Only ids and components are checked, since nothing else is used, and the other
 * fields may still be incomplete.
 */
export function problemsOf(type: ContentType, schemas: Schemas, fields: Fields): readonly ErrorDetail[] {
  const problems: ErrorDetail[] = []
  let references = 0
  let items = 0
  const report = (path: string, message: string) => problems.push({ path, code: 'type', message })

  function check(attributes: Attributes, holder: Fields, path: string): void {
    for (const attribute of attributes.values()) {
      const value = holder[attribute.name]
      const at = `${path}.${attribute.name}`
      if (value === null || value === undefined) continue
      if (isReference(attribute)) checkIds(value, at)
      else if (holdsComponents(attribute)) checkItems(attribute, value, at)
    }
  }

  function checkIds(value: unknown, path: string): void {
    const ids = Array.isArray(value) ? value : [value]
    references += ids.length
    if (!ids.every(isId)) report(path, 'must be an id, or an array of ids')
  }

  function checkItems(attribute: Attribute, value: unknown, path: string): void {
    const uids = componentsOf(attribute)
    const held: readonly unknown[] = Array.isArray(value) ? value : [value]
    items += held.length
    if (items > maxItems) return
    for (const [index, item] of held.entries()) {
      const at = Array.isArray(value) ? `${path}.${index}` : path
      const uid = attribute.type === 'component' ? attribute.component : isObject(item) && item.__component
      const component = uids.find((each) => each === uid)
      if (!isObject(item) || component === undefined)
        report(at, 'must be an item of a component of this field')
      else check(schemas.components.get(component)?.attributes ?? new Map(), item, at)
    }
  }

  for (const name of Object.keys(fields)) {
    const attribute = type.attributes.get(name)
    if (attribute === undefined || isInverse(attribute)) {
      problems.push({ path: `fields.${name}`, code: 'unknown', message: `${type.name} stores no such field` })
    }
  }
  if (problems.length === 0) check(type.attributes, fields, 'fields')
  if (references > maxReferences) {
    const message = `refers to ${references} entries and files, of which a preview shows ${maxReferences} at most`
    problems.push({ path: 'fields', code: 'maxItems', message })
  }
  if (items > maxItems) {
    const message = `holds more components than a preview shows, which are ${maxItems}`
    problems.push({ path: 'fields', code: 'maxItems', message })
  }
  return problems
}

/** The part of `populate` that begins with one of the given fields. */
export function populateOf(type: ContentType, { fields, populate }: UnsavedFields): string {
  const references = Object.keys(fields).filter((name) => isReference(type.attributes.get(name)))
  return populate
    .split(',')
    .map((path) => path.trim())
    .flatMap((path) => (/^\*(?=\.|$)/.test(path) ? references.map((name) => name + path.slice(1)) : [path]))
    .filter((path) => Object.hasOwn(fields, path.split('.')[0] ?? ''))
    .join(',')
}

const isId = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0
