import type { ColumnKind } from '../../database/database.ts'
import {
  type Attribute,
  holdsComponents,
  isInverse,
  isReference,
  isToMany,
  type ReferenceAttribute,
  targetNameOf,
} from '../attribute.ts'
import type { ComponentType, ContentType } from '../content-type.ts'
import { relaxedSchemas } from '../files/relaxed-schemas.ts'
import type { Schemas } from '../schemas-service.ts'
import { hasUuid } from '../uuid-column.ts'
import { filterPrelude } from './typescript-filter-prelude.ts'
import { filterType } from './typescript-filters.ts'
import { nameTypes, type TypeNames } from './typescript-names.ts'
import { componentShape, typeShape } from './typescript-shapes.ts'

/** A field that entries show besides their attributes, from a column added by a plugin. */
export interface DescribedColumn {
  readonly name: string
  readonly kind: ColumnKind
}

/** Returns the additional columns of a type. */
export type ColumnsOf = (type: ContentType) => readonly DescribedColumn[]

/**
 * TypeScript source that describes the content: entries, payloads and filters of every type and component.
 * @param columnsOf the fields that plugins add to entries
 */
export function generateTypes(declared: Schemas, columnsOf: ColumnsOf = () => []): string {
  const schemas = relaxedSchemas(declared)
  const names = nameTypes(schemas)
  return [
    '// Written by `npm run mortise -- types` from the schema files; changes are lost.',
    ...[...schemas.components.values()].flatMap((component) => componentTypes(component, names)),
    ...[...schemas.allTypes.values()].flatMap((type) => contentTypes(type, names, columnsOf(type))),
    typesByName(schemas, names),
    filterPrelude,
  ].join('\n\n')
}

/** A member of a generated interface. */
interface Member {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
  readonly description?: string | undefined
}

function interfaceOf(name: string, description: string, members: readonly Member[]): string {
  const lines = members.flatMap(({ name, type, isOptional, description = '' }) => [
    ...comment(description).map((line) => `  ${line}`),
    `  ${name}${isOptional ? '?' : ''}: ${type}`,
  ])
  return [...comment(description), `export interface ${name} {`, ...lines, '}'].join('\n')
}

/** The docstring of a type: its description, and its plugin unless the project declares it. */
function told({ description, plugin }: ContentType | ComponentType): string {
  return plugin === undefined ? description : `${description} Declared by the plugin ${plugin}.`
}

/** Escapes text in a description that would end the comment. */
function comment(description: string): string[] {
  const text = description.replaceAll('*/', '*\u200b/').replace(/\s+/g, ' ').trim()
  return text === '' ? [] : [`/** ${text} */`]
}

function componentTypes(component: ComponentType, names: TypeNames): string[] {
  const { entry, input, filters } = names.ofComponent(component.uid)
  const id: Member = { name: 'id', type: 'number | string', isOptional: true }
  const attributes = [...component.attributes.values()]
  return [
    interfaceOf(entry, told(component), [id, ...entryMembers(attributes, names)]),
    interfaceOf(input, `What is sent for ${entry}.`, [id, ...inputMembers(attributes, names)]),
    interfaceOf(filters, `What ${entry} can be filtered by.`, [
      ...groupMembers(filters),
      ...filterMembers(attributes, names),
    ]),
    componentShape(component, names),
  ]
}

function contentTypes(type: ContentType, names: TypeNames, columns: readonly DescribedColumn[]): string[] {
  const { entry, input, filters } = names.ofType(type.name)
  const attributes = [...type.attributes.values()].filter((attribute) => !attribute.private)
  const own = ownMembers(type)
  const payload = interfaceOf(input, `What is sent for a new ${entry}; for a change any part of it.`, [
    ...(type.options.i18n.enabled ? [optional('locale', 'string')] : []),
    ...inputMembers(attributes, names),
  ])
  return [
    interfaceOf(entry, told(type), [
      required('id', 'number'),
      ...entryMembers(attributes, names).map(withSystemType(type)),
      ...columns.map(({ name, kind }) => required(name, orNull(columnType(kind)))),
      ...own,
    ]),
    ...(type.system ? [] : [payload]),
    interfaceOf(filters, `What entries of ${entry} can be filtered by.`, [
      ...groupMembers(filters),
      optional('id', 'ValueFilter<number>'),
      ...filterMembers(attributes, names),
      ...columns.map(({ name, kind }) => optional(name, `ValueFilter<${columnType(kind)}>`)),
      ...own.filter(isFiltered).map(({ name }) => optional(name, 'ValueFilter<string>')),
    ]),
    typeShape(type, names),
  ]
}

function groupMembers(filters: string): Member[] {
  return [...['$and', '$or'].map((name) => optional(name, `${filters}[]`)), optional('$not', filters)]
}

function filterMembers(attributes: readonly Attribute[], names: TypeNames): Member[] {
  return attributes.map((attribute) => optional(attribute.name, filterType(attribute, names)))
}

/** The types of the JSON attributes of system types. */
const systemJson: Readonly<Record<string, string>> = {
  'media.formats': "Partial<Record<'small' | 'medium' | 'large', { url: string; width: number }>>",
}

const withSystemType = (owner: ContentType) => (member: Member) => {
  const type = owner.system ? systemJson[`${owner.name}.${member.name}`] : undefined
  return type === undefined ? member : { ...member, type }
}

/** Whether an entry has a draft is computed when it is shown, and deleted entries have a separate parameter. */
const isFiltered = ({ name }: Member) => name !== 'has_draft' && name !== 'deleted_at'

function required(name: string, type: string): Member {
  return { name, type, isOptional: false }
}

function optional(name: string, type: string): Member {
  return { name, type, isOptional: true }
}

/** The members that entries have besides their attributes. */
function ownMembers(type: ContentType): Member[] {
  const { options } = type
  return [
    ...(hasUuid(type) ? [optional('uuid', 'string')] : []),
    ...(options.i18n.enabled ? [required('locale', 'string')] : []),
    ...(options.draftAndPublish ? [required('published_at', 'string | null')] : []),
    ...(options.draftOverlay ? [optional('has_draft', 'boolean')] : []),
    ...(options.timestamps ? [required('created_at', 'string'), required('updated_at', 'string')] : []),
    ...(options.softDelete ? [optional('deleted_at', 'string | null')] : []),
  ]
}

const columnTypes: Partial<Readonly<Record<ColumnKind, string>>> = {
  id: 'number',
  reference: 'number',
  integer: 'number',
  bigint: 'number | string',
  decimal: 'number | string',
  boolean: 'boolean',
  json: 'unknown',
  point: 'unknown',
}

const columnType = (kind: ColumnKind) => columnTypes[kind] ?? 'string'

function entryMembers(attributes: readonly Attribute[], names: TypeNames): Member[] {
  return attributes.map((attribute) => {
    const value = entryType(attribute, names)
    const isNullable = !isToMany(attribute) && !(isSurelySet(attribute) && !isReference(attribute))
    return {
      name: attribute.name,
      description: attribute.description,
      type: isNullable ? orNull(value) : value,
      isOptional: isInverse(attribute),
    }
  })
}

function inputMembers(attributes: readonly Attribute[], names: TypeNames): Member[] {
  return attributes
    .filter((attribute) => !isInverse(attribute))
    .map((attribute) => {
      const value = inputType(attribute, names)
      const hasDefault = 'default' in attribute && attribute.default !== undefined
      return {
        name: attribute.name,
        description: attribute.description,
        type: isSurelySet(attribute) ? value : orNull(value),
        isOptional: !isSurelySet(attribute) || hasDefault,
      }
    })
}

function orNull(type: string): string {
  return type === 'unknown' ? type : `${type} | null`
}

/** If an attribute has a condition, `required` is waived while the condition is not met. */
function isSurelySet({ required, condition }: Attribute): boolean {
  return required && condition === undefined
}

function entryType(attribute: Attribute, names: TypeNames): string {
  if (isReference(attribute)) return referenceType(names.ofType(targetNameOf(attribute)).entry, attribute)
  return ownType(attribute, (uid) => names.ofComponent(uid).entry)
}

/** The id, or the entry if it is populated; inverse sides are only present when populated. */
function referenceType(entry: string, attribute: Attribute): string {
  if (isToMany(attribute)) return isInverse(attribute) ? `${entry}[]` : `number[] | ${entry}[]`
  return isInverse(attribute) ? entry : `number | ${entry}`
}

function inputType(attribute: Attribute, names: TypeNames): string {
  if (isReference(attribute)) return isToMany(attribute) ? 'number[]' : 'number'
  return ownType(attribute, (uid) => names.ofComponent(uid).input)
}

/** The type of an attribute that is not a reference; `component` returns the type of a component's items. */
function ownType(
  attribute: Exclude<Attribute, ReferenceAttribute>,
  component: (uid: string) => string,
): string {
  if (!holdsComponents(attribute)) return attribute.definition.typescript(attribute)
  if (attribute.type === 'dynamicZone') {
    return `(${attribute.components.map((uid) => blockType(uid, component(uid))).join(' | ')})[]`
  }
  const item = component(attribute.component)
  return attribute.repeatable ? `${item}[]` : item
}

function blockType(uid: string, component: string): string {
  return `({ __component: ${JSON.stringify(uid)} } & ${component})`
}

/** The interface that maps the names in URLs to the types of a client. */
function typesByName({ types }: Schemas, names: TypeNames): string {
  const members = [...types.keys()].map((name) => required(JSON.stringify(name), names.ofType(name).shape))
  return interfaceOf(names.registry, 'All content types by singular name.', members)
}
