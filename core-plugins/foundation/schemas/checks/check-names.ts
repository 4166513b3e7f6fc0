import { type AttributeFile, hasLinks, isReference } from '../file-attribute.ts'
import { type FileProblem, inFile, type SchemaProblem } from '../files/file-problem.ts'
import {
  type AttributeOwner,
  type ComponentDraft,
  type Drafts,
  originOf,
  type SchemaSource,
} from '../files/schema-source.ts'
import { describeOrigin } from '../origin.ts'
import { columnName, isReservedInComponents, isReservedInTypes, linkTableName, snakeCase } from './names.ts'

/** Checks the names of a type on their own. */
export function checkTypeNames({ name, content: { info } }: SchemaSource): FileProblem[] {
  return [
    ...misnamed('info.singularName', info.singularName, name),
    ...(snakeCase(info.singularName) === snakeCase(info.pluralName) ? [samePlural(info.pluralName)] : []),
  ]
}

/** Checks the names of a component on their own. */
export function checkComponentNames({ uid, content }: ComponentDraft): FileProblem[] {
  const category = content.uid.split('.')[0] ?? ''
  return [
    ...misnamed('uid', content.uid, uid),
    ...(content.category === category ? [] : [wrongCategory(content.category, category)]),
    ...reservedNames(content.attributes, isReservedInComponents),
  ]
}

function misnamed(at: string, name: string, fileName: string): FileProblem[] {
  if (name === fileName) return []
  const message = `is ${name}, but the file is named ${fileName}.json`
  return [{ at, message, remedy: `rename the file to ${name}.json, or write ${fileName} here` }]
}

function samePlural(name: string): FileProblem {
  const message = `${name} cannot be told from the singular`
  return { at: 'info.pluralName', message, remedy: `choose another, such as ${name}-list` }
}

function wrongCategory(category: string, expected: string): FileProblem {
  const message = `is ${category}, but the uid begins with ${expected}`
  return { at: 'category', message, remedy: `write ${expected}` }
}

function reservedNames(
  attributes: Readonly<Record<string, AttributeFile>>,
  isReserved: (name: string) => boolean,
): FileProblem[] {
  return Object.keys(attributes)
    .filter(isReserved)
    .map((name) => ({
      at: `attributes.${name}`,
      message: 'is a name that the service uses itself',
      remedy: 'choose another name',
    }))
}

/** Checks the attributes of a type for reserved names, and for names that map to the same column. */
export function checkAttributeNames(type: SchemaSource): FileProblem[] {
  const { attributes } = type.content
  const takers = new Map<string, string>()
  const problems = reservedNames(attributes, (name) => isReservedInTypes(name) || isPassword(type, name))
  for (const [name, file] of Object.entries(attributes)) {
    const taken = storageNames(name, file).find((storage) => takers.has(storage))
    if (taken !== undefined) problems.push(sameColumn(type, name, takers.get(taken) ?? ''))
    for (const storage of storageNames(name, file)) takers.set(storage, name)
  }
  return problems
}

/** Registration takes the password under this name; it is never stored. */
function isPassword(type: SchemaSource, name: string): boolean {
  return type.name === 'user' && snakeCase(name) === 'password'
}

function storageNames(name: string, file: AttributeFile): string[] {
  return isReference(file) ? [snakeCase(name), columnName(name, true)] : [snakeCase(name)]
}

function sameColumn(type: SchemaSource, name: string, other: string): FileProblem {
  const [origin, earlier] = [name, other].map((each) => originOf(type, `attributes.${each}`))
  const from = earlier === undefined || origin === earlier ? '' : `, from ${describeOrigin(earlier)}`
  const message = `is stored under the same name as ${other}${from}`
  return { at: `attributes.${name}`, message, remedy: 'rename one of them' }
}

/** Names that two types share, as their singular or plural name. */
export function findTypeNameClashes({ types }: Drafts): SchemaProblem[] {
  const owners = new Map<string, SchemaSource>()
  return [...types.values()].flatMap((type) =>
    (['singularName', 'pluralName'] as const).flatMap((key) => {
      const name = type.content.info[key]
      const owner = owners.get(snakeCase(name)) ?? type
      owners.set(snakeCase(name), owner)
      if (owner === type) return []
      const message = `${name} is a name of the type ${owner.name}${beside(type, owner)}, too`
      return [inFile(type.origin, { at: `info.${key}`, message, remedy: 'choose another name' })]
    }),
  )
}

/** Names the owner of the other type, unless both have the same owner. */
function beside(type: AttributeOwner, other: AttributeOwner): string {
  return type.origin.plugin === other.origin.plugin ? '' : ` (${describeOrigin(other.origin)})`
}

/** Link tables with the same name, such as those of `a-b` and `c`, and of `a` and `bC`. */
export function findLinkTableClashes({ types }: Drafts): SchemaProblem[] {
  const owners = new Map<string, string>()
  const links = [...types.values()].flatMap(linkAttributes)
  const ofProject = links.filter(({ origin }) => origin.plugin === undefined)
  const ofPlugins = links.filter(({ origin }) => origin.plugin !== undefined)
  return [...ofProject, ...ofPlugins].flatMap(({ type, name, origin }) => {
    const table = linkTableName(type, name)
    const owner = owners.get(table)
    owners.set(table, owner ?? `${type}.${name}`)
    if (owner === undefined) return []
    const message = `needs the table ${table}, as ${owner} does`
    return [inFile(origin, { at: `attributes.${name}`, message, remedy: 'rename one of them' })]
  })
}

function linkAttributes(type: SchemaSource) {
  return Object.entries(type.content.attributes)
    .filter(([, file]) => hasLinks(file))
    .map(([name]) => ({ type: type.name, name, origin: originOf(type, `attributes.${name}`) }))
}
