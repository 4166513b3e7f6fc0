import type { TSchema } from 'typebox'
import { nearest } from '../../../../kernel/index.ts'
import { attributeNamePattern, attributeNameRemedy } from '../file-attribute.ts'
import { type FileProblem, shorten } from '../files/file-problem.ts'
import { componentUidPattern, typeNamePattern } from '../files/file-schema.ts'
import { segmentsOf } from '../files/json-pointer.ts'

/** An error as TypeBox reports it. */
export interface ShapeError {
  readonly keyword: string
  /** A JSON pointer. */
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

export interface Checked {
  readonly schema: TSchema
  readonly value: unknown
  /** The path of the value in its file; empty for the whole file. */
  readonly prefix: string
  /** For attributes: the field types that can be unique. */
  readonly uniqueTypes?: readonly string[]
}

/** Describes an error in words: what is wrong, and how to fix it. */
export function describeShapeError(error: ShapeError, checked: Checked): FileProblem[] {
  const path = segmentsOf(error.instancePath)
  const at = dotted(checked.prefix, path)
  if (error.keyword === 'required') return missingKeys(error, at)
  if (error.keyword === 'boolean') return [unknownKey(path, at, checked)]
  const [message, remedy] = (wordings[error.keyword] ?? otherWording)(error, valueAt(checked.value, path))
  return [{ at, message, remedy }]
}

function dotted(prefix: string, path: readonly string[]): string {
  return [prefix, ...path].filter((part) => part !== '').join('.')
}

function missingKeys({ params }: ShapeError, at: string): FileProblem[] {
  return (params.requiredProperties as string[]).map((key) => ({
    at: dotted(at, [key]),
    message: 'is missing',
    remedy: 'add it',
  }))
}

function unknownKey(path: readonly string[], at: string, { schema, uniqueTypes = [] }: Checked): FileProblem {
  const key = path.at(-1) ?? ''
  const possible = keysAt(schema, path.slice(0, -1))
  const meant = nearest(key, possible)
  const remedy =
    meant === undefined ? `remove it; possible are ${possible.join(', ')}` : `did you mean ${meant}?`
  if (key === 'unique') {
    return {
      at,
      message: 'is not possible here',
      remedy: `remove it; ${listed(uniqueTypes)} can be unique`,
    }
  }
  return { at, message: 'is not a key that is known here', remedy }
}

/** `a, b and c` */
function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
}

function keysAt(schema: TSchema, path: readonly string[]): string[] {
  const node = path.reduce<SchemaNode>(
    (at, key) => at.properties?.[key] ?? at.items ?? {},
    schema as SchemaNode,
  )
  return Object.keys(node.properties ?? {}).filter((key) => key !== '$schema')
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, key) => (at as Record<string, unknown>)[key], value)
}

type Wording = (error: ShapeError, value: unknown) => readonly [message: string, remedy: string]

const wordings: Readonly<Record<string, Wording>> = {
  type: ({ params }, value) => [`must be ${typeWords(params.type)}, not ${shorten(value)}`, 'correct it'],
  enum({ params }, value) {
    const allowed = (params.allowedValues as unknown[]).map(String)
    const meant = nearest(String(value), allowed)
    const remedy = meant === undefined ? 'use one of these' : `did you mean ${meant}?`
    return [`must be one of ${allowed.join(', ')}, not ${shorten(value)}`, remedy]
  },
  pattern: ({ params }, value) => [
    `cannot be ${shorten(value)}`,
    patternRemedies[String(params.pattern)] ?? 'write digits, with a decimal point where there are decimals',
  ],
  minimum: ({ params }) => [`must be at least ${params.limit}`, 'raise it'],
  minLength: () => ['must not be empty', 'fill it in, or remove it'],
  maxLength: ({ params }) => [`must have at most ${params.limit} characters`, 'shorten it'],
  minItems: () => ['must not be empty', 'add an item'],
  uniqueItems: () => ['holds the same item twice', 'remove one of them'],
}

const otherWording: Wording = ({ message }) => [message, 'correct it']

const patternRemedies: Readonly<Record<string, string>> = {
  [typeNamePattern]: 'begin with a letter; use letters, digits, - and _, at most 41 of them',
  [attributeNamePattern]: attributeNameRemedy,
  [componentUidPattern]: 'write category.name, each of letters, digits, - and _',
}

function typeWords(type: unknown): string {
  const words: Readonly<Record<string, string>> = {
    object: 'an object',
    array: 'an array',
    string: 'a text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
  }
  return [type]
    .flat()
    .map((name) => words[String(name)])
    .join(' or ')
}
