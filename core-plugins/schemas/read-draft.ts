import type { TSchema } from 'typebox'
import { nearest } from '../config/config.ts'
import type { ComponentDraft, FileProblem, LostAttributes, SchemaFile, TypeDraft } from './draft.ts'
import {
  type AttributeFile,
  attributeNamePattern,
  attributeNameRemedy,
  attributeTypes,
  schemaOfAttribute,
} from './file-attribute-schema.ts'
import { type ComponentFile, type ContentTypeFile, fileSchemas } from './file-schema.ts'
import { findShapeProblems, salvage } from './shape.ts'
import { shorten } from './shape-message.ts'

/** What a file declares, as far as its shape allows, and what is wrong with its shape. */
export interface ReadDraft<Draft> {
  readonly draft: Draft
  readonly problems: readonly FileProblem[]
}

/** Attributes of the right shape, the names of the others, and what is wrong with them. */
export interface ReadAttributes {
  readonly attributes: Record<string, AttributeFile>
  readonly lost: LostAttributes
  readonly problems: readonly FileProblem[]
}

/** A content type from its file. */
export function readTypeDraft(file: SchemaFile): ReadDraft<TypeDraft> {
  const { name, path, content } = file
  const read = readAttributes(content)
  const fallback = { singularName: name, pluralName: `${name}-list`, displayName: name }
  const saved = salvageTop('content-type', content, (object) => ({
    kind: 'collectionType',
    ...object,
    info: { ...fallback, ...asObject(object.info) },
  }))
  return {
    draft: {
      name,
      path,
      lost: read.lost,
      content: { ...(saved as ContentTypeFile), attributes: read.attributes },
    },
    problems: problemsOf(file, read),
  }
}

/** A component from its file. */
export function readComponentDraft(file: SchemaFile): ReadDraft<ComponentDraft> {
  const { name, path, content } = file
  const read = readAttributes(content)
  const saved = salvageTop('component', content, (object) => ({
    uid: name,
    category: name.split('.')[0],
    ...object,
    info: { displayName: name, ...asObject(object.info) },
  }))
  return {
    draft: {
      uid: name,
      path,
      lost: read.lost,
      content: { ...(saved as ComponentFile), attributes: read.attributes },
    },
    problems: problemsOf(file, read),
  }
}

/** The attributes that an extension adds. */
export function readExtension(file: SchemaFile): ReadAttributes {
  const read = readAttributes(file.content)
  return { ...read, problems: problemsOf(file, read) }
}

function problemsOf({ kind, content, unreadable }: SchemaFile, read: ReadAttributes): readonly FileProblem[] {
  if (unreadable !== undefined) return [unreadable]
  return [...findShapeProblems(fileSchemas[kind], content, ''), ...read.problems]
}

type JsonObject = Record<string, unknown>

/** The parts of a file around its attributes that have the right shape, with stand-ins for what must be there. */
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

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function readAttributes(content: unknown): ReadAttributes {
  const { attributes } = asObject(content)
  if (!isObject(attributes)) return { attributes: {}, lost: { has: () => true }, problems: [] }
  const sound: [string, AttributeFile][] = []
  const lost = new Set<string>()
  const problems: FileProblem[] = []
  for (const [name, value] of Object.entries(attributes)) {
    const read = readAttribute(name, value)
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

function readAttribute(name: string, value: unknown): ReadAttribute {
  const at = `attributes.${name}`
  const { type } = asObject(value)
  const schema = schemaOfAttribute(type)
  if (!attributeName.test(name)) return { problems: [badName(at)] }
  if (schema === undefined) return { problems: [badType(at, value, type)] }
  return {
    attribute: salvage(schema, value) as AttributeFile | undefined,
    problems: findShapeProblems(schema, value, at),
  }
}

function badName(at: string): FileProblem {
  return { at, message: 'is no name for an attribute', remedy: attributeNameRemedy }
}

function badType(at: string, value: unknown, type: unknown): FileProblem {
  const remedy = `add one of ${attributeTypes.join(', ')}`
  if (!isObject(value)) return { at, message: 'must be an object', remedy: 'write { "type": … }' }
  if (type === undefined) return { at: `${at}.type`, message: 'is missing', remedy }
  const meant = typeof type === 'string' ? nearest(type, attributeTypes) : undefined
  return {
    at: `${at}.type`,
    message: `cannot be ${shorten(type)}`,
    remedy: meant === undefined ? `use one of ${attributeTypes.join(', ')}` : `did you mean ${meant}?`,
  }
}
