/** A post, page, attachment or any other item that WordPress stores as a post. */
export interface SiteItem {
  readonly id: number
  /** `post`, `page`, `attachment`, or the post type of a plugin. */
  readonly type: string
  readonly title: string
  readonly slug: string
  readonly status: string
  /** The id of the parent; 0 if there is none. */
  readonly parent: number
  /** The login of its author. */
  readonly author: string | undefined
  readonly link: string | undefined
  readonly content: string
  readonly excerpt: string
  /** ISO 8601; undefined if WordPress has no date, as for drafts. */
  readonly createdAt: string | undefined
  readonly updatedAt: string | undefined
  readonly menuOrder: number
  readonly isSticky: boolean
  readonly hasPassword: boolean
  /** The address of the file, for attachments. */
  readonly url: string | undefined
  readonly terms: readonly TermName[]
  /** Custom fields by key; the values of a key in their order. */
  readonly meta: readonly (readonly [key: string, values: readonly string[]])[]
}

export interface TermName {
  readonly taxonomy: string
  readonly slug: string
}

export interface SiteTerm extends TermName {
  readonly name: string
  readonly description: string
  /** The slug of the parent term in the same taxonomy. */
  readonly parent: string | undefined
}

export interface SiteAuthor {
  readonly login: string
  readonly name: string
}

/** What a schema file needs to know about the items of a type, gathered while they are read. */
export interface ItemStatistics {
  count: number
  /** The taxonomies of its items that are migrated. */
  readonly taxonomies: Set<string>
  hasParents: boolean
  hasOrder: boolean
  hasMeta: boolean
  hasFormats: boolean
}

/** The taxonomy of post formats, whose terms are named like `post-format-video`. */
export const formatTaxonomy = 'post_format'

/** Custom fields that begin with an underscore are internal to WordPress, its editors and plugins. */
export const isHiddenMeta = (key: string) => key.startsWith('_')

/** Deleted items and those that were never saved. */
export const isLeftOut = (status: string) => status === 'trash' || status === 'auto-draft'
