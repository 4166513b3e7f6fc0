import { movedTo } from '../../../ground/kit/sortable/moved-to.ts'
import {
  type FileAttribute,
  type FileContent,
  type Files,
  fieldsOf,
  type OwnerName,
  pathOf,
  schemaOf,
  without,
} from './file-content.ts'

export interface FieldEdit {
  readonly owner: OwnerName
  /** The present name; undefined for a new field. */
  readonly earlier?: string | undefined
  readonly name: string
  readonly attribute: FileAttribute
  /** For an owned relation: the name of the target's inverse field; '' for none. */
  readonly otherSide?: string
}

/** The inverse of each kind of relation that can have one. */
export const otherKinds: Readonly<Record<string, string>> = {
  manyToOne: 'oneToMany',
  oneToOne: 'oneToOne',
  manyToMany: 'manyToMany',
}

/** Adds or changes a field and updates everything that refers to it: the inverse side, conditions, indexes. */
export function putField(files: Files, { owner, earlier, name, attribute, otherSide }: FieldEdit): Files {
  const before = earlier === undefined ? undefined : fieldsOf(files.get(pathOf(owner, files)))[earlier]
  const unlinked =
    before === undefined
      ? files
      : unlink(files, owner, { name: earlier ?? name, before, attribute, otherSide })
  const linked = { ...attribute, ...(otherSide ? { inversedBy: otherSide } : {}) }
  const own = otherSide === '' ? without(linked, 'inversedBy') : linked
  const changed = editOwner(unlinked, owner, (content) => ({
    ...(earlier === undefined || earlier === name ? content : renameIn(content, earlier, name)),
    attributes: placed(fieldsOf(content), earlier, name, own, (each) =>
      earlier === undefined ? each : renameCondition(each, earlier, name),
    ),
  }))
  return link(changed, owner, name, own)
}

function placed(
  attributes: Readonly<Record<string, FileAttribute>>,
  earlier: string | undefined,
  name: string,
  attribute: FileAttribute,
  others: (attribute: FileAttribute) => FileAttribute,
) {
  const entries = Object.entries(attributes).map(([each, value]) =>
    each === earlier ? ([name, attribute] as const) : ([each, others(value)] as const),
  )
  const isThere = earlier !== undefined && Object.hasOwn(attributes, earlier)
  return Object.fromEntries(isThere ? entries : [...entries, [name, attribute]])
}

/** Removes the inverse side if the relation no longer leads there or has a new inverse name. */
function unlink(
  files: Files,
  owner: OwnerName,
  edit: { name: string; before: FileAttribute; attribute: FileAttribute; otherSide: string | undefined },
): Files {
  const { before, attribute, otherSide } = edit
  const { inversedBy, target } = before
  if (typeof inversedBy !== 'string' || typeof target !== 'string') return files
  const isKept = attribute.target === target && (otherSide === undefined || otherSide === inversedBy)
  return isKept ? files : dropField(files, { kind: 'type', name: target }, inversedBy, owner.name)
}

/** Updates the inverse side with the relation's name, creating it if needed. */
function link(files: Files, owner: OwnerName, name: string, attribute: FileAttribute): Files {
  const { type, target, inversedBy, mappedBy, relation } = attribute
  if (type !== 'relation' || typeof target !== 'string') return files
  const there = { kind: 'type', name: target } as const
  if (typeof mappedBy === 'string') {
    const owning = fieldsOf(files.get(pathOf(there, files)))[mappedBy]
    return owning === undefined ? files : setField(files, there, mappedBy, { ...owning, inversedBy: name })
  }
  const other = otherKinds[String(relation)]
  if (typeof inversedBy !== 'string' || other === undefined) return files
  const present = fieldsOf(files.get(pathOf(there, files)))[inversedBy]
  const isOther = present !== undefined && present.target !== owner.name
  if (isOther) return files
  const inverse = { ...present, type: 'relation', relation: other, target: owner.name, mappedBy: name }
  return setField(files, there, inversedBy, inverse)
}

/** Removes a field with its inverse side, and the conditions and indexes that refer to it. */
export function removeField(files: Files, owner: OwnerName, name: string): Files {
  const attribute = fieldsOf(files.get(pathOf(owner, files)))[name]
  if (attribute === undefined) return files
  const { target, inversedBy, mappedBy } = attribute
  const left = editOwner(files, owner, (content) => withoutField(content, name))
  if (typeof target !== 'string') return left
  const there = { kind: 'type', name: target } as const
  if (typeof inversedBy === 'string') return dropField(left, there, inversedBy, owner.name)
  if (typeof mappedBy !== 'string') return left
  const owning = fieldsOf(left.get(pathOf(there, left)))[mappedBy]
  return owning === undefined ? left : setField(left, there, mappedBy, without(owning, 'inversedBy'))
}

/** Moves a field before another one; `before` is an index in the present order. */
export function moveField(files: Files, owner: OwnerName, from: number, before: number): Files {
  return editOwner(files, owner, (content) => {
    const moved = movedTo(Object.entries(fieldsOf(content)), from, before)
    return { ...content, attributes: Object.fromEntries(moved) }
  })
}

/** Changes the file of an owner; creates an extension file if another plugin declares the owner. */
export function editOwner(
  files: Files,
  owner: OwnerName,
  edit: (content: FileContent) => FileContent,
): Files {
  const path = pathOf(owner, files)
  return new Map(files).set(path, edit(files.get(path) ?? { $schema: schemaOf(path), attributes: {} }))
}

function setField(files: Files, owner: OwnerName, name: string, attribute: FileAttribute): Files {
  return editOwner(files, owner, (content) => ({
    ...content,
    attributes: { ...fieldsOf(content), [name]: attribute },
  }))
}

/** Removes an inverse field if it belongs to a relation of `target`. */
function dropField(files: Files, owner: OwnerName, name: string, target: string): Files {
  const path = pathOf(owner, files)
  const content = files.get(path)
  if (content === undefined || fieldsOf(content)[name]?.target !== target) return files
  return new Map(files).set(path, withoutField(content, name))
}

function withoutField(content: FileContent, name: string): FileContent {
  const attributes = Object.fromEntries(
    Object.entries(fieldsOf(content))
      .filter(([each]) => each !== name)
      .map(([each, value]) => [
        each,
        conditionOf(value)?.field === name ? without(value, 'condition') : value,
      ]),
  )
  const { indexes } = content
  if (indexes === undefined) return { ...content, attributes }
  return { ...content, indexes: indexes.filter(({ fields }) => !fields.includes(name)), attributes }
}

function renameIn(content: FileContent, earlier: string, name: string): FileContent {
  const { indexes } = content
  if (indexes === undefined) return content
  const renamed = (field: string) => (field === earlier ? name : field)
  return { ...content, indexes: indexes.map((index) => ({ ...index, fields: index.fields.map(renamed) })) }
}

function renameCondition(attribute: FileAttribute, earlier: string, name: string): FileAttribute {
  const condition = conditionOf(attribute)
  return condition?.field === earlier ? { ...attribute, condition: { ...condition, field: name } } : attribute
}

/** The condition under which a field is shown. */
export interface FieldCondition {
  readonly field: string
  readonly operator: string
  readonly value?: unknown
}

export const conditionOf = ({ condition }: FileAttribute) => condition as FieldCondition | undefined
