import { nearest } from '../../../../kernel/index.ts'
import type { AttributeFile } from '../file-attribute.ts'
import type { FileProblem } from '../files/file-problem.ts'
import { type ReadAttributes, readExtension } from '../files/read-source.ts'
import type {
  AttributeOwner,
  ComponentDraft,
  Drafts,
  SchemaFile,
  SchemaSource,
} from '../files/schema-source.ts'
import { describeOrigin, type Origin } from '../origin.ts'
import { checkOwnAttributes, pluginOffFor } from './own-names.ts'

/** Types and components can be extended with attributes. */
export type Extendable = SchemaSource | ComponentDraft

/** Adds the attributes of a file to the type or component that the file is named after; returns its problems. */
export function extendByFile<T extends Extendable>(
  file: SchemaFile,
  declared: Map<string, T>,
  drafts: Drafts,
): readonly FileProblem[] {
  const extended = declared.get(file.name)
  if (extended === undefined) return missing(file, [...declared.keys()], drafts)
  if (isOfSameOwner(file, extended)) return [ownDeclaration(file, extended)]
  const read = readExtension(file, drafts)
  const { draft, problems } = addAttributes(extended, read, file)
  declared.set(file.name, draft)
  return [...read.problems, ...problems]
}

/** The project's extensions of a type are ignored while the type's plugin is off, and apply again once it is on. */
function missing(file: SchemaFile, names: readonly string[], { switchedOff }: Drafts): FileProblem[] {
  const off = pluginOffFor(file.name, switchedOff)
  if (off !== undefined && file.plugin === undefined) return []
  const meant = nearest(file.name, names)
  const remedy = meant === undefined ? 'correct the name of the file, or remove it' : `did you mean ${meant}?`
  return [{ at: '', message: `extends ${file.name}, which ${off ?? 'nobody declares'}`, remedy }]
}

function isOfSameOwner({ plugin }: SchemaFile, { origin, ...extended }: Extendable): boolean {
  return origin.plugin === plugin && !('system' in extended && extended.system !== undefined)
}

function ownDeclaration({ name }: SchemaFile, { origin }: Extendable): FileProblem {
  return {
    at: '',
    message: `extends ${name}, which ${origin.path} declares`,
    remedy: 'add the attributes there; extensions are for what others declare',
  }
}

/** The type or component with the additional attributes, and the problems of those that it cannot have. */
export function addAttributes<T extends Extendable>(
  extended: T,
  { attributes, lost }: Pick<ReadAttributes, 'attributes' | 'lost'>,
  { path, plugin, space }: Origin,
): { readonly draft: T; readonly problems: readonly FileProblem[] } {
  const origin: Origin = {
    path,
    ...(plugin === undefined ? {} : { plugin }),
    ...(space === undefined ? {} : { space }),
  }
  const names = Object.keys(attributes)
  const isTaken = (name: string) => Object.hasOwn(extended.content.attributes, name)
  const added = names.filter((name) => !isTaken(name)).map((name) => [name, attributes[name]] as const)
  const draft = {
    ...extended,
    lost: { has: (name: string) => extended.lost.has(name) || lost.has(name) },
    origins: new Map([...extended.origins, ...added.map(([name]) => [name, origin] as const)]),
    content: {
      ...extended.content,
      attributes: { ...extended.content.attributes, ...Object.fromEntries(added) },
    },
  }
  return {
    draft,
    problems: [
      ...names.filter(isTaken).map((name) => takenAttribute(name, extended)),
      ...checkOwnAttributes(added as readonly (readonly [string, AttributeFile])[], origin),
    ],
  }
}

function takenAttribute(name: string, extended: AttributeOwner & Extendable): FileProblem {
  const type = 'uid' in extended ? extended.uid : extended.name
  const earlier = extended.origins.get(name)
  const isCore = 'system' in extended && extended.system !== undefined && earlier === undefined
  const message = isCore
    ? `is built into ${type} and cannot be changed`
    : `is an attribute of ${type} already, from ${describeOrigin(earlier ?? extended.origin)}`
  return { at: `attributes.${name}`, message, remedy: 'choose another name' }
}
