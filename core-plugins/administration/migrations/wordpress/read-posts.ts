import { deterministicUuid } from '../deterministic-uuid.ts'
import type { Finding, SourceEntry } from '../source.ts'
import type { Attachments } from './attachments.ts'
import { type ConvertedItems, type ConvertedTaxonomy, maxTitle } from './convert-site.ts'
import type { SiteExport } from './read-site.ts'
import { formatTaxonomy, isHiddenMeta, type SiteItem } from './site.ts'
import { withFiles, withParagraphs } from './texts.ts'

type Values = Record<string, unknown>
type Reference = { readonly uuid: string }

/** Converts the items of an export into entries. */
export class PostReader {
  readonly #site: SiteExport
  readonly #attachments: Attachments
  /** Items that a finding concerns, by type and message. */
  readonly #told = new Map<string, Map<string, Told>>()

  constructor(site: SiteExport, attachments: Attachments) {
    this.#site = site
    this.#attachments = attachments
  }

  *items(type: ConvertedItems): Generator<SourceEntry> {
    this.#told.set(type.name, new Map())
    for (const item of this.#site.index.items(type.from)) yield this.#entryOf(type, item)
  }

  *terms({ from, hasParents }: ConvertedTaxonomy): Generator<SourceEntry> {
    const { index } = this.#site
    for (const { slug, name, description, parent } of index.terms(from)) {
      const above = parent !== undefined && parent !== slug && index.hasTerm({ taxonomy: from, slug: parent })
      const values = {
        ...{ name: cut(name, 255), slug: cut(slug, 255), description: description || null },
      }
      const entry = this.#plain('term', [from, slug], values)
      const completion = { parent: above ? this.#reference('term', from, parent) : null }
      yield hasParents ? { ...entry, completion } : entry
    }
  }

  *authors(): Generator<SourceEntry> {
    for (const { login, name } of this.#site.index.authors())
      yield this.#plain('author', [login], { name: cut(name, 255), slug: cut(slugOf(login), 255) })
  }

  /** Findings about the entries that have been read so far. */
  findings(): Finding[] {
    return [...this.#told].flatMap(([subject, told]) =>
      [...told].map(([message, items]) => ({ subject, message: `${message}: ${listed(items)}` })),
    )
  }

  #uuid(...name: readonly (string | number)[]): string {
    return deterministicUuid('wordpress', this.#site.site, ...name)
  }

  #reference(...name: readonly (string | number)[]): Reference {
    return { uuid: this.#uuid(...name) }
  }

  #plain(kind: string, name: readonly string[], values: Values): SourceEntry {
    return {
      ...{ uuid: this.#uuid(kind, ...name), values, locale: undefined, localizationOf: undefined },
      ...{ draft: undefined, publishedAt: undefined, createdAt: undefined, updatedAt: undefined },
    }
  }

  #entryOf(type: ConvertedItems, item: SiteItem): SourceEntry {
    const { createdAt, updatedAt } = item
    const past = [createdAt, updatedAt].filter((moment) => moment !== undefined && moment <= now()).sort()
    return {
      uuid: this.#uuid('post', item.id),
      values: this.#valuesOf(type, item),
      completion: type.hasParent ? { parent: this.#parentOf(type, item) } : undefined,
      publishedAt: this.#publicationOf(type, item),
      // A scheduled post has a future date but was created earlier. Exports lack that time, so the earliest known one is used.
      createdAt: past[0],
      updatedAt: past.at(-1),
      ...{ draft: undefined, locale: undefined, localizationOf: undefined },
    }
  }

  #valuesOf(type: ConvertedItems, item: SiteItem): Values {
    const { fileAt } = this.#attachments
    const { title, slug, content, excerpt, author, link, menuOrder, isSticky } = item
    if ([...title].length > maxTitle)
      this.#tell(type, item, `has titles of more than ${maxTitle} characters, which are cut`)
    if (/\[[a-z][\w-]*[\s\]]/i.test(content))
      this.#tell(type, item, 'has shortcodes, which stay in the text as they are')
    return {
      title: cut(title, maxTitle),
      slug: slug === '' ? null : cut(slug, 255),
      content: content === '' ? null : withFiles(withParagraphs(content), fileAt),
      excerpt: excerpt === '' ? null : withFiles(excerpt, fileAt),
      author: author === undefined ? null : this.#reference('author', author),
      featuredImage: this.#imageOf(type, item),
      originalUrl: link === undefined || link.length > 2000 ? null : link,
      ...this.#termsOf(type, item),
      ...(type.hasOrder ? { menuOrder } : {}),
      ...(type.isSticky ? { sticky: isSticky } : {}),
      ...(type.hasFormat ? { format: formatOf(item) } : {}),
      ...(type.hasMeta ? { meta: metaOf(item) } : {}),
    }
  }

  #termsOf({ taxonomies }: ConvertedItems, { terms }: SiteItem): Values {
    return Object.fromEntries(
      [...taxonomies].map(([taxonomy, attribute]) => {
        const slugs = new Set(terms.filter((term) => term.taxonomy === taxonomy).map(({ slug }) => slug))
        return [attribute, [...slugs].map((slug) => this.#reference('term', taxonomy, slug))]
      }),
    )
  }

  #parentOf(type: ConvertedItems, item: SiteItem): Reference | null {
    const { id, parent } = item
    if (parent === 0 || parent === id) return null
    if (this.#site.index.item(parent)?.type === type.from) return this.#reference('post', parent)
    this.#tell(type, item, 'has parents that are not in the export, or of another type: it loses them')
    return null
  }

  #imageOf(type: ConvertedItems, item: SiteItem): Reference | null {
    const [, values = []] = item.meta.find(([key]) => key === '_thumbnail_id') ?? []
    const id = Number(values[0] ?? 0)
    if (!Number.isSafeInteger(id) || id <= 0) return null
    const uuid = this.#attachments.uuidOf(id)
    if (uuid !== undefined && this.#attachments.isImage(id)) return { uuid }
    this.#tell(type, item, 'has featured images that are not in the export, or no images: it loses them')
    return null
  }

  /** Items that WordPress does not show to the public become drafts. */
  #publicationOf(type: ConvertedItems, item: SiteItem): string | null {
    const { status, hasPassword, createdAt } = item
    if (hasPassword) this.#tell(type, item, 'has entries with a password, which are drafts here')
    else if (status === 'publish' || status === 'future') return createdAt ?? this.#site.exportedAt
    else if (status === 'private') this.#tell(type, item, 'has private entries, which are drafts here')
    else if (status === 'pending')
      this.#tell(type, item, 'has entries that wait for review, which are drafts here')
    else if (status !== 'draft')
      this.#tell(type, item, `has entries that are ${status}, which are drafts here`)
    return null
  }

  #tell({ name }: ConvertedItems, { id, title }: SiteItem, message: string): void {
    const told = this.#told.get(name)
    const { count, titles } = told?.get(message) ?? { count: 0, titles: [] }
    const shown = title === '' ? `number ${id}` : `“${cut(title, 40)}”`
    told?.set(message, { count: count + 1, titles: count < maxListed ? [...titles, shown] : titles })
  }
}

const now = () => new Date().toISOString()

const maxListed = 5

/** The number of items that a finding concerns, and examples. */
interface Told {
  readonly count: number
  readonly titles: readonly string[]
}

function listed({ count, titles }: Told): string {
  const further = count - titles.length
  return `${titles.join(', ')}${further > 0 ? ` and ${further} more` : ''}`
}

const cut = (text: string, length: number) => [...text].slice(0, length).join('')

/** Makes the slug of an author the way WordPress does. */
const slugOf = (login: string) =>
  login
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

function formatOf({ terms }: SiteItem): string | null {
  const term = terms.find(({ taxonomy }) => taxonomy === formatTaxonomy)
  return term === undefined ? null : cut(term.slug.replace(/^post-format-/, ''), 255)
}

/** Custom fields as stored; values that plugins have serialised stay texts. */
function metaOf({ meta }: SiteItem): Values | null {
  const shown = meta.filter(([key]) => !isHiddenMeta(key))
  if (shown.length === 0) return null
  return Object.fromEntries(shown.map(([key, values]) => [key, values.length === 1 ? values[0] : values]))
}
