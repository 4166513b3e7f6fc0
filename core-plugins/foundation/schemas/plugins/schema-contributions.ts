import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'

/** A folder of schema files that belongs to a plugin. */
export interface SchemaFolder {
  /**
   * Laid out like the schemas directory of the project: `new URL('../schemas/', import.meta.url)`. It may contain
   * content types, components, and extensions of types and components that others declare.
   */
  readonly folder: URL
  /**
   * Set by the service for third-party plugins: what names in the files begin with. A value of your own is
   * overwritten.
   */
  readonly space?: string
}

/** Contribute in `register`: the files are read when the schemas plugin initialises. */
export const schemaFolders: ExtensionPoint<SchemaFolder> = extensionPoint('schemaFolders')

/** A content type as a `TypeExtension` sees it: with the attributes of files, not of other such extensions. */
export interface ExtendableType {
  /** Its singular name. */
  readonly name: string
  readonly kind: 'collectionType' | 'singleType'
  /** The plugin whose file declares it; undefined for the project's types and the built-in ones. */
  readonly plugin: string | undefined
  /** Whether it is built in: `user`, `media`, `media-folder` or `role`. */
  readonly system: boolean
  /** Options of plugins by plugin name, as written in the file. */
  readonly pluginOptions: Readonly<Record<string, unknown>>
  /** What the files declare, by name. */
  readonly attributes: Readonly<Record<string, { readonly type: string }>>
}

/**
 * Adds attributes to content types that the plugin does not know by name. For a type that it knows, a file
 * `<name>.extension.json` in a `SchemaFolder` says the same.
 */
export interface TypeExtension {
  /**
   * Called for each content type, once, at the start. Returns attributes by name, as schema files declare
   * them; undefined for types that it leaves alone.
   */
  extend(type: ExtendableType): Readonly<Record<string, object>> | undefined
  /** As in `SchemaFolder`. */
  readonly space?: string
}

/** Contribute in `register`: types are extended when the schemas plugin initialises. */
export const typeExtensions: ExtensionPoint<TypeExtension> = extensionPoint('typeExtensions')
