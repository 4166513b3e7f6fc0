import { nearest } from '../../../../kernel/index.ts'
import type { AttributeFile, AttributeFileOf } from '../file-attribute.ts'
import type { FileProblem } from '../files/file-problem.ts'
import { type Drafts, findAttribute, type SchemaSource } from '../files/schema-source.ts'
import { pluginOffFor } from '../plugins/own-names.ts'

type RelationFile = AttributeFileOf<'relation'>

/** A relation of a type, and all types to check it against. */
export interface RelationCheck {
  readonly type: SchemaSource
  readonly name: string
  readonly file: RelationFile
  readonly drafts: Drafts
}

/** Checks that both ends of a relation agree. Paths are relative to the attribute. */
export function checkRelation(check: RelationCheck): FileProblem[] {
  const { file, drafts } = check
  const target = drafts.types.get(file.target)
  const ownProblems = checkSides(file)
  if (target === undefined) return [...ownProblems, ...unknownTarget(file, drafts)]
  if (ownProblems.length > 0) return ownProblems
  return [...checkOwner(check, target), ...checkInverse(check, target)]
}

/** Reports a relation whose target is not a declared content type. */
export function unknownTarget({ target }: RelationFile, { types, switchedOff }: Drafts): FileProblem[] {
  if (types.has(target)) return []
  const off = pluginOffFor(target, switchedOff)
  if (off !== undefined) return [ofPluginOff('target', target, off)]
  const meant = nearest(target, types.keys()) ?? singularOf(target, types)
  const remedy = meant === undefined ? `add ${target}.json, or correct it` : `did you mean ${meant}?`
  return [{ at: 'target', message: `names ${target}, which is no content type`, remedy }]
}

/**
 * Reports a reference to something that a switched-off plugin declares. Its data is kept until the plugin is on
 * again.
 */
export function ofPluginOff(at: string, name: string, off: string): FileProblem {
  const remedy = 'switch the plugin on, or remove the attribute'
  return { at, message: `names ${name}, which ${off}`, remedy }
}

function singularOf(plural: string, types: Drafts['types']): string | undefined {
  return [...types.values()].find((type) => type.content.info.pluralName === plural)?.name
}

/** Checks the options of a relation that concern its two sides, without looking at the other side. */
function checkSides({ relation, mappedBy, inversedBy, required }: RelationFile): FileProblem[] {
  const problems: FileProblem[] = []
  if (mappedBy !== undefined && inversedBy !== undefined) {
    const message = 'stands beside mappedBy, but a side is either the inverse or the owner'
    problems.push({ at: 'inversedBy', message, remedy: 'remove one of the two' })
  }
  if (mappedBy !== undefined && relation === 'manyToOne') {
    const message = 'is not possible: the side with one target is always the owner'
    problems.push({ at: 'mappedBy', message, remedy: 'write inversedBy, or make it oneToMany' })
  }
  if (inversedBy !== undefined && relation === 'oneToMany') {
    const message = 'is not possible: the other side of oneToMany is manyToOne, which owns it'
    problems.push({ at: 'inversedBy', message, remedy: 'write mappedBy, naming the attribute over there' })
  }
  if (mappedBy !== undefined && required === true) {
    const message = 'is not possible on the inverse side, which is not written'
    problems.push({ at: 'required', message, remedy: 'remove it, or require the owning side' })
  }
  return problems
}

const otherEnd = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
} as const

/** Checks the owner that the inverse side names. */
function checkOwner({ type, name, file }: RelationCheck, target: SchemaSource): FileProblem[] {
  const { mappedBy } = file
  if (mappedBy === undefined || target.lost.has(mappedBy)) return []
  const owner = findAttribute(target, mappedBy)
  const at = 'mappedBy'
  if (owner === undefined) return [unknownEnd(at, mappedBy, target)]
  const reason = endMismatch({ type, file }, owner) ?? ownerMismatch(owner as RelationFile, name)
  return reason === undefined ? [] : [mismatch(at, `${target.name}.${mappedBy}`, reason)]
}

function ownerMismatch({ mappedBy, inversedBy }: RelationFile, name: string): string | undefined {
  if (mappedBy !== undefined) return 'has mappedBy itself, so that neither of the two owns the relation'
  if (inversedBy === undefined || inversedBy === name) return undefined
  return `has inversedBy ${inversedBy}`
}

/** Checks the inverse side that the owner names. */
function checkInverse({ type, name, file }: RelationCheck, target: SchemaSource): FileProblem[] {
  const { inversedBy } = file
  if (inversedBy === undefined || target.lost.has(inversedBy)) return []
  const inverse = findAttribute(target, inversedBy)
  const at = 'inversedBy'
  if (inverse === undefined) return [unknownEnd(at, inversedBy, target)]
  const reason =
    endMismatch({ type, file }, inverse) ?? inverseMismatch(inverse as RelationFile, { name, file })
  return reason === undefined ? [] : [mismatch(at, `${target.name}.${inversedBy}`, reason)]
}

function inverseMismatch(
  { mappedBy, onDelete }: RelationFile,
  owner: { name: string; file: RelationFile },
): string | undefined {
  if (mappedBy === undefined) return `has no mappedBy ${owner.name}`
  if (mappedBy !== owner.name) return `has mappedBy ${mappedBy}`
  const isContrary =
    onDelete !== undefined && owner.file.onDelete !== undefined && onDelete !== owner.file.onDelete
  return isContrary ? `has onDelete ${onDelete}, and this side ${owner.file.onDelete}` : undefined
}

/** Why an attribute cannot be the other end of a relation, seen from either side. */
function endMismatch(
  { type, file }: Pick<RelationCheck, 'type' | 'file'>,
  end: AttributeFile,
): string | undefined {
  if (end.type !== 'relation') return `is of type ${end.type}`
  if (end.target !== type.name) return `has the target ${end.target}`
  const expected = otherEnd[file.relation]
  return end.relation === expected
    ? undefined
    : `is ${end.relation}, and the other end of ${file.relation} is ${expected}`
}

function mismatch(at: string, end: string, reason: string): FileProblem {
  return { at, message: `names ${end}, which ${reason}`, remedy: 'make both ends agree' }
}

function unknownEnd(at: string, name: string, target: SchemaSource): FileProblem {
  const meant = nearest(name, Object.keys(target.content.attributes))
  return {
    at,
    message: `names ${name}, which is no attribute of ${target.name}`,
    remedy: meant === undefined ? `add it to ${target.name}, or remove this` : `did you mean ${meant}?`,
  }
}
