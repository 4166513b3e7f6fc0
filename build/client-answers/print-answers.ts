import type { TSchema } from 'typebox'

/** A generated type of the client. */
export interface ClientAnswer {
  readonly name: string
  /** Its docstring. */
  readonly about: string
  readonly schema: TSchema
  /** A type of the client that this one extends. */
  readonly base?: { readonly name: string; readonly from: string }
  /** Fields that the service narrows further than their schemas do. */
  readonly narrowed?: Readonly<Record<string, TSchema>>
}

/** The parts of a schema that are used here. */
interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
}

/** The names of the types by their schemas. */
type Names = ReadonlyMap<string, string>

const head = '// Written by `npm run client-types` from the schemas of the routes; change those instead.\n'

/** The types as TypeScript; a type is referred to by name wherever its schema is part of another one. */
export function printAnswers(answers: readonly ClientAnswer[]): string {
  const names = new Map(answers.map(({ name, schema }) => [keyOf(schema), name]))
  const bases = new Set(
    answers.flatMap(({ base }) => (base ? [`import type { ${base.name} } from '${base.from}'\n`] : [])),
  )
  return [head, ...bases, ...answers.map((answer) => declaration(answer, names))].join('\n')
}

function declaration({ name, about, schema, base, narrowed = {} }: ClientAnswer, names: Names): string {
  const own = { ...(schema as JsonSchema) }
  const doc = `/** ${about} */\n`
  if (own.properties === undefined) return `${doc}export type ${name} = ${unnamed(own, names, '')}\n`
  const properties = { ...own.properties, ...(narrowed as Readonly<Record<string, JsonSchema>>) }
  return `${doc}export interface ${name}${base ? ` extends ${base.name}` : ''} ${block({ ...own, properties }, names, '')}\n`
}

function typeOf(schema: JsonSchema, names: Names, indent: string): string {
  return names.get(keyOf(schema)) ?? unnamed(schema, names, indent)
}

function unnamed(schema: JsonSchema, names: Names, indent: string): string {
  const { type, const: value, anyOf, enum: values, items, properties, patternProperties } = schema
  if (value !== undefined) return literal(value)
  if (values !== undefined) return values.map(literal).join(' | ')
  if (anyOf !== undefined) return anyOf.map((member) => typeOf(member, names, indent)).join(' | ')
  if (items !== undefined) return `readonly ${item(typeOf(items, names, indent))}[]`
  if (properties !== undefined) return block(schema, names, indent)
  const [member] = Object.values(patternProperties ?? {})
  if (member !== undefined) return `Readonly<Record<string, ${typeOf(member, names, indent)}>>`
  return plainTypes[type ?? ''] ?? 'unknown'
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

const item = (type: string) => (/ \| |^readonly /.test(type) && !type.startsWith('{') ? `(${type})` : type)

function block({ properties = {}, required = [] }: JsonSchema, names: Names, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).flatMap(([name, schema]) => {
    const about = schema.description ?? schema.anyOf?.find(({ description }) => description)?.description
    const mark = required.includes(name) ? '' : '?'
    const field = `${inner}readonly ${propertyName(name)}${mark}: ${typeOf(schema, names, inner)}`
    return about === undefined ? [field] : [`${inner}/** ${sentence(about)} */`, field]
  })
  return ['{', ...lines, `${indent}}`].join('\n')
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)

const propertyName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)

/** Schemas are equal if they allow the same values; descriptions, which depend on the place, are ignored. */
function keyOf(schema: object): string {
  const { description: _, ...rest } = schema as JsonSchema
  return JSON.stringify(rest)
}
