import type { DescribedComponent, DescribedType, SchemaFiles } from '../../../../../../../client/admin.ts'
import { filesOf } from '../draft/draft.ts'
import {
  type FileAttribute,
  type FileContent,
  type Files,
  fieldsOf,
  type OwnerName,
  pathOf,
} from '../draft/file-content.ts'

/** A field as in the project's file now, or as the service describes it. */
export interface Field {
  readonly name: string
  readonly attribute: FileAttribute
  /** Whether it is declared in a project file; others are from plugins or built in. */
  readonly isOwn: boolean
}

/** A content type or component including unsaved changes. */
export interface Owner extends OwnerName {
  readonly displayName: string
  readonly description: string
  readonly isSingle: boolean
  /** Built in: `user`, `media`. */
  readonly isSystem: boolean
  /** The plugin that declares it. */
  readonly plugin: string | null
  /** The file of the project that declares or extends it. */
  readonly path: string
  /** The content of the file; undefined unless the owner is the project's own. */
  readonly content: FileContent | undefined
  readonly fields: readonly Field[]
  readonly state: 'same' | 'new' | 'changed'
}

/** All types and components: those the service uses, and those that exist only in files. */
export function ownersOf(
  kind: OwnerName['kind'],
  described: readonly (DescribedType | DescribedComponent)[],
  { stored, files }: { readonly stored: SchemaFiles; readonly files: Files },
): Owner[] {
  const before = filesOf(stored)
  const byName = new Map(described.map((each) => ['uid' in each ? each.uid : each.name, each]))
  const names = new Set([...byName.keys(), ...declaredIn(kind, files)])
  return [...names].sort().flatMap((name) => {
    const owner = ownerOf({ kind, name }, byName.get(name), { before, files })
    return owner === undefined ? [] : [owner]
  })
}

function declaredIn(kind: OwnerName['kind'], files: Files): string[] {
  return [...files.keys()].flatMap((path) => {
    if (path.endsWith('.extension.json') || path.startsWith('components/') !== (kind === 'component'))
      return []
    return [path.replace(/^components\//, '').replace(/\.json$/, '')]
  })
}

function ownerOf(
  name: OwnerName,
  described: DescribedType | DescribedComponent | undefined,
  { before, files }: { readonly before: Files; readonly files: Files },
): Owner | undefined {
  const path = pathOf(name, files)
  const content = files.get(path)
  const isDeclared = !path.endsWith('.extension.json')
  const isElsewhere = described !== undefined && (described.plugin !== null || isSystem(described))
  // Its file is deleted, or will be.
  if (!isDeclared && !isElsewhere) return undefined
  const stored = before.get(path)
  return {
    ...name,
    displayName: content?.info?.displayName ?? described?.info.displayName ?? name.name,
    description: content?.info?.description ?? described?.info.description ?? '',
    isSingle: (isDeclared ? content?.kind : kindOf(described)) === 'singleType',
    isSystem: isSystem(described),
    plugin: isDeclared ? null : (described?.plugin ?? null),
    path,
    content: isDeclared ? content : undefined,
    fields: [...describedFields(described, { isDeclared, own: content, stored }), ...ownFields(content)],
    state: stateOf(stored, content),
  }
}

function stateOf(stored: FileContent | undefined, content: FileContent | undefined): Owner['state'] {
  if (JSON.stringify(stored) === JSON.stringify(content)) return 'same'
  return stored === undefined && content?.info !== undefined ? 'new' : 'changed'
}

const isSystem = (described: DescribedType | DescribedComponent | undefined) =>
  described !== undefined && 'system' in described && described.system

const kindOf = (described: DescribedType | DescribedComponent | undefined) =>
  described !== undefined && 'kind' in described ? described.kind : undefined

const ownFields = (content: FileContent | undefined): Field[] =>
  Object.entries(fieldsOf(content)).map(([name, attribute]) => ({ name, attribute, isOwn: true }))

/** Fields not declared in a project file: those of plugins and built-in ones. */
function describedFields(
  described: DescribedType | DescribedComponent | undefined,
  {
    isDeclared,
    own,
    stored,
  }: { isDeclared: boolean; own: FileContent | undefined; stored: FileContent | undefined },
): Field[] {
  const inFiles = new Set([...Object.keys(fieldsOf(own)), ...Object.keys(fieldsOf(stored))])
  return (described?.attributes ?? [])
    .filter(({ name, plugin }) => !inFiles.has(name) && (!isDeclared || plugin !== undefined))
    .map(({ name, ...attribute }) => ({ name, attribute: attribute as FileAttribute, isOwn: false }))
}
