import { type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'

/** A folder of schema files that belongs to a plugin. */
export interface SchemaFolder {
  /**
   * With the layout of the project's schemas directory: `new URL('../schemas/', import.meta.url)`. It may contain
   * content types, components, and extensions of types and components that others declare.
   */
  readonly folder: URL
  /**
   * Set by the service for third-party plugins: the prefix of names in the files. A value set by the plugin is
   * overwritten.
   */
  readonly space?: string
}

/** Contribute in `register`: the files are read when the schemas plugin initialises. */
export const schemaFolders: ExtensionPoint<SchemaFolder> = extensionPoint('schemaFolders')

/**
 * A content type as a `TypeExtension` sees it: with the attributes of files, but not those of other such extensions.
 */
export interface ExtendableType {
  /** Its singular name. */
  readonly name: string
  readonly kind: 'collectionType' | 'singleType'
  /** The plugin whose file declares it; undefined for types of the project and built-in types. */
  readonly plugin: string | undefined
  /** Whether it is built in: `user`, `media`, `media-folder` or `role`. */
  readonly system: boolean
  /** Options of plugins by plugin name, as written in the file. */
  readonly pluginOptions: Readonly<Record<string, unknown>>
  /** The attributes that files declare, by name. */
  readonly attributes: Readonly<Record<string, { readonly type: string }>>
}

/**
 * Adds attributes to content types that the plugin does not know by name. For a type that it does know, a file
 * `<name>.extension.json` in a `SchemaFolder` has the same effect.
 */
export interface TypeExtension {
  /**
   * Called once for each content type, at start-up. Returns attributes by name, as in schema files; undefined for
   * types that it leaves unchanged.
   */
  extend(type: ExtendableType): Readonly<Record<string, object>> | undefined
  /** See `SchemaFolder.space`. */
  readonly space?: string
}

/** Contribute in `register`: types are extended when the schemas plugin initialises. */
export const typeExtensions: ExtensionPoint<TypeExtension> = extensionPoint('typeExtensions')
