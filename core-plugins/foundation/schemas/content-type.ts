import type { Attribute } from './attribute.ts'

/** How long caches may keep answers, in seconds. */
export interface CachePolicy {
  /** For browsers. */
  readonly maxAge?: number
  /** For a CDN. */
  readonly sMaxAge?: number
  readonly staleWhileRevalidate?: number
  readonly staleIfError?: number
}

/** The `options` of a schema file, with every default filled in. */
export interface ContentTypeOptions {
  readonly draftAndPublish: boolean
  /**
   * The file no longer enables drafts, but unpublished entries exist: `draftAndPublish` stays on until they are
   * published or deleted.
   */
  readonly endsDrafts: boolean
  /** Changes to published entries are kept as pending drafts; requires `draftAndPublish`. */
  readonly draftOverlay: boolean
  /** Drafts may lack required values and fall below minima until they are published; requires `draftAndPublish`. */
  readonly incompleteDrafts: boolean
  readonly timestamps: boolean
  readonly softDelete: boolean
  /**
   * The file no longer enables the trash, but it has entries: `softDelete` stays on until they are restored or
   * deleted.
   */
  readonly endsTrash: boolean
  readonly i18n: {
    readonly enabled: boolean
    readonly locales?: readonly string[]
    readonly defaultLocale?: string
  }
  /** The caching rules for answers, as written in the file; the plugin `cdn` reads them. */
  readonly cache?: CachePolicy
  /** The page sizes of lists, as written in the file; `ContentQueries.pageLimits` fills in the settings. */
  readonly pagination?: { readonly defaultLimit?: number }
  /** As written in the file; the workflow plugin reads it. */
  readonly workflow?: unknown
}

/** A schema file, checked, with every default filled in. */
export interface ContentType {
  /** `info.singularName`; identifies the type, and table names derive from it. */
  readonly name: string
  readonly pluralName: string
  readonly displayName: string
  readonly description: string
  readonly kind: 'collectionType' | 'singleType'
  /**
   * `user`, `media`, `media-folder` and `role`: relations may refer to them; `/api/content` does not serve
   * them.
   */
  readonly system: boolean
  /** The plugin whose file declares it; absent if the project declares it or it is built in. */
  readonly plugin?: string
  readonly table: string
  readonly options: ContentTypeOptions
  /** Options of plugins by plugin name, as written in the file. */
  readonly pluginOptions: Readonly<Record<string, unknown>>
  readonly indexes: readonly {
    readonly fields: readonly string[]
    readonly type: 'unique' | 'fulltext' | 'index'
  }[]
  readonly attributes: ReadonlyMap<string, Attribute>
}

/** A component, checked, with every default filled in. */
export interface ComponentType {
  readonly uid: string
  /** The plugin whose file declares it; absent if the project declares it. */
  readonly plugin?: string
  readonly category: string
  readonly displayName: string
  readonly description: string
  readonly icon: string
  readonly attributes: ReadonlyMap<string, Attribute>
}
