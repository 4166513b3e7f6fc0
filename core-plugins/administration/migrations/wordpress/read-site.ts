import { MigrationError } from '../migration-error.ts'
import type { Finding } from '../source.ts'
import { type ExportRecord, textOf } from './export-record.ts'
import { filePath, withoutWww } from './file-paths.ts'
import { momentIn, readItem, readTerm } from './read-item.ts'
import { readXml } from './read-xml.ts'
import { RecordReader } from './record-reader.ts'
import { formatTaxonomy, type ItemStatistics, isHiddenMeta, isLeftOut, type SiteItem } from './site.ts'
import { createSiteIndex, type SiteIndex } from './site-index.ts'

/** The content of an export. */
export interface SiteExport {
  readonly index: SiteIndex
  /** `6.8`, if it says so. */
  readonly version: string | undefined
  /** The address of the site without its scheme, which identifies the site. */
  readonly site: string
  readonly hosts: ReadonlySet<string>
  readonly locale: string
  /** ISO 8601. */
  readonly exportedAt: string
  /** By post type. */
  readonly statistics: ReadonlyMap<string, ItemStatistics>
  /** Taxonomies of declared terms with parents. */
  readonly hierarchies: ReadonlySet<string>
  readonly findings: readonly Finding[]
}

/** @throws MigrationError */
export async function readSite(path: string): Promise<SiteExport> {
  const index = await createSiteIndex()
  try {
    const reader = new SiteReader(index)
    await readXml(path, new RecordReader(reader))
    index.finish()
    return { index, ...reader.read() }
  } catch (error) {
    await index.close()
    throw error
  }
}

const newStatistics = (): ItemStatistics => ({
  count: 0,
  taxonomies: new Set(),
  hasParents: false,
  hasOrder: false,
  hasMeta: false,
  hasFormats: false,
})

class SiteReader {
  readonly #index: SiteIndex
  readonly #statistics = new Map<string, ItemStatistics>()
  readonly #hierarchies = new Set<string>()
  readonly #hosts = new Set<string>()
  readonly #hiddenMeta = new Map<string, number>()
  readonly #leftOut = new Map<string, number>()
  #wxrVersion: string | undefined
  #version: string | undefined
  #site: string | undefined
  #language: string | undefined
  #exportedAt = new Date(0).toISOString()
  #comments = 0
  #unknown = 0

  constructor(index: SiteIndex) {
    this.#index = index
  }

  comment(): void {
    this.#comments += 1
  }

  record(record: ExportRecord): void {
    const { name } = record
    const text = record.text.trim()
    if (name === 'item') this.#addItem(record)
    else if (name === 'wp:category' || name === 'wp:tag' || name === 'wp:term') this.#addTerm(record)
    else if (name === 'wp:author') this.#addAuthor(record)
    else if (name === 'wp:wxr_version') this.#wxrVersion = assertVersion(text, record.line)
    else if (name === 'generator') this.#version = /[?&]v=([\w.-]+)/.exec(text)?.[1]
    else if (name === 'pubDate') this.#exportedAt = momentIn(text) ?? this.#exportedAt
    else if (name === 'language') this.#language = text
    else if (name === 'wp:base_blog_url') this.#addAddress(text, true)
    else if (name === 'wp:base_site_url' || name === 'link') this.#addAddress(text, false)
  }

  #addAddress(text: string, isSite: boolean): void {
    if (!URL.canParse(text)) return
    const { host, pathname } = new URL(text)
    this.#hosts.add(withoutWww(host))
    const site = `${withoutWww(host)}${pathname.replace(/\/+$/, '')}`
    if (isSite || this.#site === undefined) this.#site = site
  }

  #addItem(record: ExportRecord): void {
    const read = readItem(record)
    if (read === undefined) {
      this.#unknown += 1
      return
    }
    const { item, terms } = read
    if (isLeftOut(item.status)) {
      count(this.#leftOut, item.type)
      return
    }
    this.#index.addItem(item)
    for (const term of terms) this.#index.addTerm(term, false)
    if (item.author !== undefined) this.#index.addAuthor({ login: item.author, name: item.author }, false)
    this.#note(item)
  }

  #note({ id, type, terms, parent, menuOrder, meta, url }: SiteItem): void {
    const statistics = this.#statistics.get(type) ?? newStatistics()
    this.#statistics.set(type, statistics)
    statistics.count += 1
    for (const { taxonomy } of terms) {
      if (taxonomy === formatTaxonomy) statistics.hasFormats = true
      else statistics.taxonomies.add(taxonomy)
    }
    statistics.hasParents ||= parent !== 0
    statistics.hasOrder ||= menuOrder !== 0
    for (const [key] of meta) {
      if (isHiddenMeta(key)) count(this.#hiddenMeta, key)
      else statistics.hasMeta = true
    }
    if (url === undefined || !URL.canParse(url)) return
    const { host, pathname } = new URL(url)
    this.#hosts.add(withoutWww(host))
    this.#index.addFile(filePath(pathname), id)
  }

  #addTerm(record: ExportRecord): void {
    const term = readTerm(record)
    if (term === undefined) return
    if (term.parent !== undefined) this.#hierarchies.add(term.taxonomy)
    this.#index.addTerm(term, true)
  }

  #addAuthor(record: ExportRecord): void {
    const login = textOf(record, 'wp:author_login')
    if (login === undefined) return
    this.#index.addAuthor({ login, name: textOf(record, 'wp:author_display_name') ?? login }, true)
  }

  /** @throws MigrationError */
  read(): Omit<SiteExport, 'index'> {
    if (this.#wxrVersion === undefined) {
      throw new MigrationError(
        'the file names no wp:wxr_version: it is RSS, but no export of WordPress (Tools > Export)',
      )
    }
    return {
      version: this.#version,
      site: this.#site ?? '',
      hosts: this.#hosts,
      locale: this.#language ?? 'en',
      exportedAt: this.#exportedAt,
      statistics: this.#statistics,
      hierarchies: this.#hierarchies,
      findings: this.#findings(),
    }
  }

  #findings(): Finding[] {
    const hidden = [...this.#hiddenMeta].filter(([key]) => !usedMeta.includes(key))
    const most = hidden.sort(([, left], [, right]) => right - left).slice(0, maxNamed)
    const named = most.map(([key, times]) => `${key} (${times})`).join(', ')
    const more = hidden.length > most.length ? `, and ${hidden.length - most.length} more` : ''
    return [
      ...told('comments', this.#comments, 'are not brought in: there is nothing here that shows them'),
      ...told('items', this.#unknown, 'have no id or no type, and are left out'),
      ...[...this.#leftOut].map(([type, times]) => ({
        subject: type,
        message: `has ${times} in the trash, or never saved: they are left out`,
      })),
      ...(hidden.length === 0
        ? []
        : [{ subject: 'hidden custom fields', message: `are not brought in: ${named}${more}` }]),
    ]
  }
}

/** The most names that a finding lists. */
const maxNamed = 30

/** Hidden custom fields that are migrated in another form or not needed, so they are not reported as lost. */
const usedMeta = [
  '_thumbnail_id',
  '_wp_attached_file',
  '_wp_attachment_image_alt',
  // Image sizes are generated again here, and edit locks are temporary.
  '_wp_attachment_metadata',
  '_edit_last',
  '_edit_lock',
]

const told = (subject: string, times: number, message: string): Finding[] =>
  times === 0 ? [] : [{ subject: `${times} ${subject}`, message }]

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function assertVersion(version: string, line: number): string {
  if (/^1\.\d+$/.test(version)) return version
  throw new MigrationError(`line ${line}: the export has version ${version}; those of 1 can be brought in`)
}
