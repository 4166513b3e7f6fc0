/** A post, page, attachment or anything else that WordPress keeps as a post. */
export interface SiteItem {
  readonly id: number
  /** `post`, `page`, `attachment`, or a type of a plugin. */
  readonly type: string
  readonly title: string
  readonly slug: string
  readonly status: string
  /** Of its parent; 0 for none. */
  readonly parent: number
  /** The login of its author. */
  readonly author: string | undefined
  readonly link: string | undefined
  readonly content: string
  readonly excerpt: string
  /** ISO 8601; undefined where WordPress has none, as for drafts. */
  readonly createdAt: string | undefined
  readonly updatedAt: string | undefined
  readonly menuOrder: number
  readonly isSticky: boolean
  readonly hasPassword: boolean
  /** Of an attachment. */
  readonly url: string | undefined
  readonly terms: readonly TermName[]
  /** Values by key, in their order. */
  readonly meta: readonly (readonly [key: string, values: readonly string[]])[]
}

export interface TermName {
  readonly taxonomy: string
  readonly slug: string
}

export interface SiteTerm extends TermName {
  readonly name: string
  readonly description: string
  /** The slug of its parent, in the same taxonomy. */
  readonly parent: string | undefined
}

export interface SiteAuthor {
  readonly login: string
  readonly name: string
}

/** What is known of the items of a type without reading them again: what its schema needs. */
export interface ItemStatistics {
  count: number
  /** Of those that are brought in. */
  readonly taxonomies: Set<string>
  hasParents: boolean
  hasOrder: boolean
  hasMeta: boolean
  hasFormats: boolean
}

/** The internal ids of formats: `post-format-video`. */
export const formatTaxonomy = 'post_format'

/** What WordPress and its editors keep for themselves, as other custom fields. */
export const isHiddenMeta = (key: string) => key.startsWith('_')

/** What was deleted, or never saved. */
export const isLeftOut = (status: string) => status === 'trash' || status === 'auto-draft'
