import type { TSchema } from 'typebox'
import { isObject, nearest } from '../../../../kernel/index.ts'
import { findShapeProblems, salvage } from '../checks/shape.ts'
import type { FieldType, FieldTypes } from '../field-type.ts'
import { compact } from '../field-types/options.ts'
import {
  type AttributeFile,
  accountAttributeSchema,
  attributeNamePattern,
  attributeNameRemedy,
  attributeSchema,
} from '../file-attribute.ts'
import type { Origin } from '../origin.ts'
import { type FileProblem, shorten } from './file-problem.ts'
import { type ComponentFile, type ContentTypeFile, fileSchemas } from './file-schema.ts'
import type { ComponentDraft, LostAttributes, SchemaFile, SchemaSource } from './schema-source.ts'

/** The available field types, and the plugins whose types are missing. */
export interface KnownTypes {
  readonly fieldTypes: FieldTypes
  /** Switched-off plugins by name, each with the reason. */
  readonly switchedOff: ReadonlyMap<string, string>
}

/** The valid parts of a file, and the problems with its shape. */
export interface ReadDraft<Draft> {
  readonly draft: Draft
  readonly problems: readonly FileProblem[]
}

/** The valid attributes, the names of the others, and their problems. */
export interface ReadAttributes {
  readonly attributes: Record<string, AttributeFile>
  readonly lost: LostAttributes
  readonly problems: readonly FileProblem[]
}

/** Reads a content type from its file. */
export function readTypeDraft(file: SchemaFile, known: KnownTypes): ReadDraft<SchemaSource> {
  const { name, content } = file
  const read = readAttributes(content, known)
  const fallback = { singularName: name, pluralName: `${name}-list`, displayName: name }
  const saved = salvageTop('content-type', content, (object) => ({
    kind: 'collectionType',
    ...object,
    info: { ...fallback, ...asObject(object.info) },
  }))
  return {
    draft: {
      name,
      ...placeOf(file, read),
      content: { ...(saved as ContentTypeFile), attributes: read.attributes },
    },
    problems: problemsOf(file, read),
  }
}

/** Reads a component from its file. */
export function readComponentDraft(file: SchemaFile, known: KnownTypes): ReadDraft<ComponentDraft> {
  const { name, content } = file
  const read = readAttributes(content, known)
  const saved = salvageTop('component', content, (object) => ({
    uid: name,
    category: name.split('.')[0],
    ...object,
    info: { displayName: name, ...asObject(object.info) },
  }))
  return {
    draft: {
      uid: name,
      ...placeOf(file, read),
      content: { ...(saved as ComponentFile), attributes: read.attributes },
    },
    problems: problemsOf(file, read),
  }
}

/** The attributes that an extension adds. */
export function readExtension(file: SchemaFile, known: KnownTypes): ReadAttributes {
  const read = readAddedAttributes(file.name, file.content, known)
  return { ...read, problems: problemsOf(file, read) }
}

function placeOf({ path, plugin, space }: SchemaFile, { lost }: ReadAttributes) {
  const origin: Origin = compact({ path, plugin, space })
  return { lost, origin, origins: new Map<string, Origin>() }
}

function problemsOf({ kind, content, unreadable }: SchemaFile, read: ReadAttributes): readonly FileProblem[] {
  if (unreadable !== undefined) return [unreadable]
  return [...findShapeProblems(fileSchemas[kind], content, { prefix: '' }), ...read.problems]
}

/** The schema of a field type's attributes, for one kind of file. */
type SchemaOf = (type: FieldType) => TSchema

type JsonObject = Record<string, unknown>

/** The valid parts of a file apart from its attributes, with placeholders for required ones. */
function salvageTop(
  kind: 'content-type' | 'component',
  content: unknown,
  complete: (object: JsonObject) => JsonObject,
): unknown {
  const properties: Readonly<Record<string, TSchema>> = fileSchemas[kind].properties
  const sound = Object.entries(asObject(content)).flatMap(([key, value]) => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    const part = schema === undefined ? undefined : salvage(schema, value)
    return part === undefined ? [] : [[key, part]]
  })
  return complete({ ...Object.fromEntries(sound), attributes: {} })
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

/** The attributes that an extension adds to a type or component. */
export function readAddedAttributes(extended: string, content: unknown, known: KnownTypes): ReadAttributes {
  return readAttributes(content, known, extended === 'user' ? accountAttributeSchema : attributeSchema)
}

function readAttributes(
  content: unknown,
  known: KnownTypes,
  schemaOf: SchemaOf = attributeSchema,
): ReadAttributes {
  const { attributes } = asObject(content)
  if (!isObject(attributes)) return { attributes: {}, lost: { has: () => true }, problems: [] }
  const sound: [string, AttributeFile][] = []
  const lost = new Set<string>()
  const problems: FileProblem[] = []
  for (const [name, value] of Object.entries(attributes)) {
    const read = readAttribute(name, value, { known, schemaOf })
    problems.push(...read.problems)
    if (read.attribute === undefined) lost.add(name)
    else sound.push([name, read.attribute])
  }
  return { attributes: Object.fromEntries(sound), lost, problems }
}

interface ReadAttribute {
  readonly attribute?: AttributeFile | undefined
  readonly problems: readonly FileProblem[]
}

const attributeName = new RegExp(attributeNamePattern)

function readAttribute(
  name: string,
  value: unknown,
  { known, schemaOf }: { readonly known: KnownTypes; readonly schemaOf: SchemaOf },
): ReadAttribute {
  const at = `attributes.${name}`
  const { type } = asObject(value)
  const definition = typeof type === 'string' ? known.fieldTypes.get(type) : undefined
  if (!attributeName.test(name)) return { problems: [badName(at)] }
  if (definition === undefined) return { problems: [badType(at, value, known)] }
  const schema = schemaOf(definition)
  return {
    attribute: salvage(schema, value) as AttributeFile | undefined,
    problems: findShapeProblems(schema, value, { prefix: at, uniqueTypes: uniqueTypes(known) }),
  }
}

function badName(at: string): FileProblem {
  return { at, message: 'is no name for an attribute', remedy: attributeNameRemedy }
}

/** The field types whose attributes can be unique. */
function uniqueTypes({ fieldTypes }: KnownTypes): readonly string[] {
  return [...fieldTypes.values()].filter(({ options }) => 'unique' in options).map(({ name }) => name)
}

function badType(at: string, value: unknown, { fieldTypes, switchedOff }: KnownTypes): FileProblem {
  const { type } = asObject(value)
  const names = [...fieldTypes.keys()]
  const remedy = `add one of ${names.join(', ')}`
  if (!isObject(value)) return { at, message: 'must be an object', remedy: 'write { "type": … }' }
  if (type === undefined) return { at: `${at}.type`, message: 'is missing', remedy }
  // Field types of plugins start with the name of their plugin.
  const plugin = String(type).split('.')[0] ?? ''
  const reason = switchedOff.get(plugin)
  if (reason !== undefined) return missingPlugin(`${at}.type`, { type, plugin, reason })
  const meant = typeof type === 'string' ? nearest(type, names) : undefined
  return {
    at: `${at}.type`,
    message: `cannot be ${shorten(type)}`,
    remedy: meant === undefined ? `use one of ${names.join(', ')}` : `did you mean ${meant}?`,
  }
}

/** Reports a field type whose plugin is off; stored values of such fields are kept until it is on again. */
function missingPlugin(
  at: string,
  { type, plugin, reason }: { type: unknown; plugin: string; reason: string },
): FileProblem {
  return {
    at,
    message: `is ${type}, a type of the plugin ${plugin}, which is off: ${reason}`,
    remedy: `switch the plugin ${plugin} on, or remove the attribute`,
  }
}
