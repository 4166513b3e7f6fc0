import { MigrationError } from '../migration-error.ts'
import { AttributeNames, typeName } from '../names.ts'
import type { Finding } from '../source.ts'
import { attachmentType } from './attachments.ts'
import type { SiteExport } from './read-site.ts'
import type { ItemStatistics } from './site.ts'

/** A post type and the attributes of the content type made from it. */
export interface ConvertedItems {
  /** The name of the post type in WordPress. */
  readonly from: string
  readonly name: string
  readonly isSticky: boolean
  readonly hasFormat: boolean
  readonly hasParent: boolean
  readonly hasOrder: boolean
  readonly hasMeta: boolean
  /** Names of attributes by taxonomy. */
  readonly taxonomies: ReadonlyMap<string, string>
}

export interface ConvertedTaxonomy {
  readonly from: string
  readonly name: string
  readonly hasParents: boolean
}

export interface ConvertedSite {
  readonly files: ReadonlyMap<string, object>
  readonly items: readonly ConvertedItems[]
  readonly taxonomies: readonly ConvertedTaxonomy[]
  /** The name of the content type of authors. */
  readonly authors: string
  readonly findings: readonly Finding[]
}

/** Post types that WordPress and its editors use internally; they are not migrated. */
const internalItems = [
  'revision',
  'nav_menu_item',
  'custom_css',
  'customize_changeset',
  'oembed_cache',
  'user_request',
  'wp_block',
  'wp_template',
  'wp_template_part',
  'wp_global_styles',
  'wp_navigation',
  'wp_font_family',
  'wp_font_face',
]
const isInternal = (type: string) => internalItems.includes(type) || type.startsWith('acf-')

const internalTaxonomies = ['nav_menu', 'link_category', 'post_format', 'wp_theme', 'wp_template_part_area']
const usualItems = ['post', 'page']
const usualTaxonomies = ['category', 'post_tag']
const usualNames: Readonly<Record<string, readonly [singular: string, plural: string]>> = {
  post: ['post', 'posts'],
  page: ['page', 'pages'],
  category: ['category', 'categories'],
  post_tag: ['tag', 'tags'],
}

/** Makes the schema files for the content of an export. @throws MigrationError */
export function convertSite(site: SiteExport, only: readonly string[] | undefined): ConvertedSite {
  return new SiteConversion(site, only).convert()
}

class SiteConversion {
  readonly #site: SiteExport
  readonly #only: readonly string[] | undefined
  readonly #files = new Map<string, object>()
  readonly #findings: Finding[] = []
  readonly #taken = new Set(['author', 'authors', ...Object.values(usualNames).flat()])
  readonly #taxonomies = new Map<string, string>()

  constructor(site: SiteExport, only: readonly string[] | undefined) {
    this.#site = site
    this.#only = only
  }

  convert(): ConvertedSite {
    const types = this.#itemTypes()
    const used = new Set([...types.values()].flatMap(({ taxonomies }) => [...taxonomies]))
    for (const taxonomy of new Set([...usualTaxonomies, ...[...used].sort()])) {
      if (internalTaxonomies.includes(taxonomy))
        this.#find(taxonomy, 'is a taxonomy of WordPress itself: it is left out')
      else this.#convertTaxonomy(taxonomy)
    }
    this.#convertAuthors()
    const items = [...types].map(([from, statistics]) => this.#convertItems(from, statistics))
    const taxonomies = [...this.#taxonomies].map(([from, name]) => {
      return { from, name, hasParents: this.#hasParents(from) }
    })
    return { files: this.#files, items, taxonomies, authors: 'author', findings: this.#findings }
  }

  #find(subject: string, message: string): void {
    this.#findings.push({ subject, message })
  }

  /** @throws MigrationError */
  #itemTypes(): Map<string, ItemStatistics> {
    const { statistics } = this.#site
    const found = [...statistics.keys()].filter((type) => type !== attachmentType)
    const known = [...new Set([...usualItems.filter((type) => statistics.has(type)), ...found.sort()])]
    const unknown = (this.#only ?? []).filter((type) => !known.includes(type))
    if (unknown.length > 0)
      throw new MigrationError(`the export has no type ${unknown.join(', ')}; it has ${known.join(', ')}`)
    const types = new Map<string, ItemStatistics>()
    for (const type of known) {
      const own = statistics.get(type) as ItemStatistics
      if (this.#only !== undefined && !this.#only.includes(type))
        this.#find(type, `is not among the chosen types; left out: ${own.count}`)
      else if (isInternal(type) && this.#only === undefined)
        this.#find(type, `is a type of WordPress itself; left out: ${own.count}`)
      else types.set(type, own)
    }
    return types
  }

  #names(from: string): readonly [singular: string, plural: string] {
    const usual = usualNames[from]
    if (usual !== undefined) return usual
    const base = typeName(from)
    for (let attempt = 1; ; attempt += 1) {
      const singular = attempt === 1 ? base : `${base}-${attempt}`
      const plural = singular.endsWith('s') ? `${singular}-list` : `${singular}s`
      if (this.#taken.has(singular) || this.#taken.has(plural)) continue
      this.#taken.add(singular).add(plural)
      if (singular !== from) this.#find(from, `is called ${singular} here`)
      return [singular, plural]
    }
  }

  #declare(
    [singularName, pluralName]: readonly [string, string],
    displayName: string,
    rest: { readonly options?: object; readonly attributes: object; readonly indexes?: readonly object[] },
  ): void {
    this.#files.set(`${singularName}.json`, {
      $schema: './.schema/content-type.json',
      kind: 'collectionType',
      info: { singularName, pluralName, displayName },
      ...rest,
    })
  }

  #convertTaxonomy(taxonomy: string): void {
    const names = this.#names(taxonomy)
    const [name] = names
    this.#taxonomies.set(taxonomy, name)
    const attributes = {
      name: { type: 'string', maxLength: 255 },
      slug,
      description: { type: 'text' },
      ...(this.#hasParents(taxonomy)
        ? { parent: { type: 'relation', relation: 'manyToOne', target: name } }
        : {}),
    }
    this.#declare(names, displayNameOf(name), { attributes, indexes })
  }

  #hasParents(taxonomy: string): boolean {
    return taxonomy === 'category' || this.#site.hierarchies.has(taxonomy)
  }

  #convertAuthors(): void {
    const attributes = { name: { type: 'string', maxLength: 255 }, slug }
    this.#declare(['author', 'authors'], 'Author', { attributes, indexes })
    this.#find(
      'authors',
      'are brought in with the names that they show: not with their logins and addresses, which whoever may read the type would see',
    )
  }

  #convertItems(from: string, statistics: ItemStatistics): ConvertedItems {
    const names = this.#names(from)
    const [name] = names
    const own = new AttributeNames({ isInComponent: false })
    const fixed = { title, slug, content: { type: 'richtext' }, excerpt: { type: 'text' } }
    for (const each of [...Object.keys(fixed), ...otherAttributes]) own.take(each, true)
    const taxonomies = new Map<string, string>()
    for (const taxonomy of [...statistics.taxonomies].sort()) {
      const target = this.#taxonomies.get(taxonomy)
      if (target !== undefined)
        taxonomies.set(taxonomy, usualNames[taxonomy]?.[1] ?? own.take(camelCase(taxonomy), true))
    }
    const converted: ConvertedItems = {
      ...{ from, name, taxonomies, isSticky: from === 'post', hasFormat: statistics.hasFormats },
      hasParent: from === 'page' || statistics.hasParents,
      hasOrder: from === 'page' || statistics.hasOrder,
      hasMeta: statistics.hasMeta,
    }
    const attributes = { ...fixed, ...this.#attributesOf(converted) }
    this.#declare(names, displayNameOf(name), { options: { draftAndPublish: true }, attributes, indexes })
    return converted
  }

  #attributesOf({ name, taxonomies, ...has }: ConvertedItems): Record<string, object> {
    const terms = [...taxonomies].map(([taxonomy, attribute]) => {
      const target = this.#taxonomies.get(taxonomy)
      return [attribute, { type: 'relation', relation: 'manyToMany', target }] as const
    })
    return {
      author: { type: 'relation', relation: 'manyToOne', target: 'author' },
      featuredImage: { type: 'media', allowedTypes: ['images'] },
      ...Object.fromEntries(terms),
      ...(has.hasParent ? { parent: { type: 'relation', relation: 'manyToOne', target: name } } : {}),
      ...(has.hasOrder ? { menuOrder: { type: 'integer' } } : {}),
      ...(has.isSticky ? { sticky: { type: 'boolean', default: false } } : {}),
      ...(has.hasFormat ? { format: { type: 'string' } } : {}),
      ...(has.hasMeta ? { meta: { type: 'json' } } : {}),
      originalUrl: { type: 'string', maxLength: 2000 },
    }
  }
}

/** Longer than the longest title known from WordPress sites. */
export const maxTitle = 1000
const title = { type: 'string', maxLength: maxTitle }
const slug = { type: 'string', maxLength: 255 }
const indexes = [{ fields: ['slug'], type: 'index' }]

/** Names reserved for the other attributes of posts, whether or not a type has them. */
const otherAttributes = [
  'author',
  'featuredImage',
  'categories',
  'tags',
  'parent',
  'menuOrder',
  'sticky',
  'format',
  'meta',
  'originalUrl',
]

const camelCase = (name: string) =>
  name.replace(/[-_]+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const displayNameOf = (name: string) =>
  `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll(/[-_]/g, ' ')}`
