import { removeField } from './edit-fields.ts'
import { type FileContent, type Files, fieldsOf, type OwnerName, pathOf, schemaOf } from './file-content.ts'

export interface NewType {
  readonly kind: 'collectionType' | 'singleType'
  readonly displayName: string
  readonly singularName: string
  readonly pluralName: string
}

/** Adds a content type without fields. */
export function addType(files: Files, { kind, displayName, singularName, pluralName }: NewType): Files {
  const path = `${singularName}.json`
  const info = { singularName, pluralName, displayName }
  return new Map(files).set(path, { $schema: schemaOf(path), kind, info, attributes: {} })
}

export interface NewComponent {
  readonly displayName: string
  readonly category: string
  readonly name: string
}

/** Adds a component without fields. */
export function addComponent(files: Files, { displayName, category, name }: NewComponent): Files {
  const uid = `${category}.${name}`
  const path = `components/${uid}.json`
  return new Map(files).set(path, {
    $schema: schemaOf(path),
    uid,
    category,
    info: { displayName },
    attributes: {},
  })
}

/** A field that uses a type or component. */
export interface Use {
  readonly owner: OwnerName
  readonly field: string
}

/** The fields that refer to an owner, which must be removed with it. */
export function usesOf({ kind, name }: OwnerName, files: Files): Use[] {
  return [...files].flatMap(([path, content]) =>
    Object.entries(fieldsOf(content))
      .filter(([, { target, component }]) => (kind === 'type' ? target : component) === name)
      .map(([field]) => ({ owner: ownerAt(path), field })),
  )
}

/** Removes a type or component and the fields that refer to it. */
export function removeOwner(files: Files, owner: OwnerName): Files {
  const unused = usesOf(owner, files).reduce((left, use) => removeField(left, use.owner, use.field), files)
  const left = new Map([...unused].map(([path, content]) => [path, outOfZones(content, owner)]))
  left.delete(pathOf(owner, files))
  return left
}

function outOfZones(content: FileContent, { kind, name }: OwnerName): FileContent {
  const zones = Object.entries(fieldsOf(content)).filter(
    ([, { components }]) => kind === 'component' && Array.isArray(components) && components.includes(name),
  )
  if (zones.length === 0) return content
  const changed = zones.map(([field, zone]) => [
    field,
    { ...zone, components: (zone.components as string[]).filter((each) => each !== name) },
  ])
  return { ...content, attributes: { ...fieldsOf(content), ...Object.fromEntries(changed) } }
}

/** The owner that the file at a path declares or extends. */
export function ownerAt(path: string): OwnerName {
  const name = path.replace(/^components\//, '').replace(/(\.extension)?\.json$/, '')
  return { kind: path.startsWith('components/') ? 'component' : 'type', name }
}

/** A name for URLs, files and tables: `blog-post` for "Blog post". */
export function nameFrom(words: string, separator = '-'): string {
  const plain = words.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')
  return plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, separator)
    .replace(/^[^a-z]+|[^a-z0-9]+$/g, '')
    .slice(0, 40)
}
