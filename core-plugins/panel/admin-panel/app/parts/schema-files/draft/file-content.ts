/** A field as a schema file declares it. */
export interface FileAttribute {
  readonly type: string
  readonly [option: string]: unknown
}

/** The content of a schema file: a content type, a component, or an extension of one. */
export interface FileContent {
  readonly kind?: 'collectionType' | 'singleType'
  readonly info?: Readonly<Record<string, string>>
  readonly options?: Readonly<Record<string, unknown>>
  readonly indexes?: readonly { readonly fields: readonly string[] }[]
  readonly pluginOptions?: Readonly<Record<string, unknown>>
  readonly attributes?: Readonly<Record<string, FileAttribute>>
  readonly [key: string]: unknown
}

/** Schema files by path in the schemas directory. */
export type Files = ReadonlyMap<string, FileContent>

/** A content type or a component. */
export interface OwnerName {
  readonly kind: 'type' | 'component'
  readonly name: string
}

/** The project's file that declares an owner, else the one that extends it. */
export function pathOf({ kind, name }: OwnerName, files: Files): string {
  const place = kind === 'type' ? name : `components/${name}`
  return files.has(`${place}.json`) ? `${place}.json` : `${place}.extension.json`
}

export const fieldsOf = (content: FileContent | undefined) => content?.attributes ?? {}

/** The `$schema` of a file, for editors. */
export function schemaOf(path: string): string {
  const isExtension = path.endsWith('.extension.json')
  if (path.startsWith('components/')) return `../.schema/component${isExtension ? '-extension' : ''}.json`
  return isExtension ? './.schema/extension.json' : './.schema/content-type.json'
}

/** Removes a key, since the service counts an undefined one as a difference. */
export function without<Value extends object>(value: Value, key: string): Value {
  return Object.fromEntries(Object.entries(value).filter(([each]) => each !== key)) as Value
}
