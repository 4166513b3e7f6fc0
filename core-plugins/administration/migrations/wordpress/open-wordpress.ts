import { MigrationError } from '../migration-error.ts'
import type { MigrationSource, SourceEntry, SourceType } from '../source.ts'
import { type Attachments, openAttachments } from './attachments.ts'
import { type ConvertedSite, convertSite } from './convert-site.ts'
import { PostReader } from './read-posts.ts'
import { readSite, type SiteExport } from './read-site.ts'
import { openUploads } from './uploads.ts'

export interface WordpressOptions {
  /** The folder `wp-content/uploads` of the site; undefined: files are downloaded from the site. */
  readonly uploads?: string | undefined
  /** Names of WordPress post types; undefined means all. */
  readonly types?: readonly string[] | undefined
}

/** Opens a file written by Tools > Export in WordPress. @throws MigrationError */
export async function openWordpress(
  path: string,
  { uploads, types }: WordpressOptions = {},
): Promise<MigrationSource> {
  const folder = uploads === undefined ? undefined : await openUploads(uploads)
  const site = await readSite(path)
  try {
    const schemas = convertSite(site, types)
    return sourceOf(site, schemas, await openAttachments({ ...site, uploads: folder }))
  } catch (error) {
    await site.index.close()
    throw error
  }
}

function sourceOf(site: SiteExport, schemas: ConvertedSite, attachments: Attachments): MigrationSource {
  const { index, version, locale, statistics } = site
  const reader = new PostReader(site, attachments)
  const kinds = new Map<string, { readonly count: number; read(): Iterable<SourceEntry> }>([
    [schemas.authors, { count: index.countAuthors(), read: () => reader.authors() }],
    ...schemas.taxonomies.map(
      (taxonomy) =>
        [
          taxonomy.name,
          { count: index.countTerms(taxonomy.from), read: () => reader.terms(taxonomy) },
        ] as const,
    ),
    ...schemas.items.map(
      (items) =>
        [
          items.name,
          { count: statistics.get(items.from)?.count ?? 0, read: () => reader.items(items) },
        ] as const,
    ),
  ])
  const kindOf = ({ type }: SourceType) => {
    const kind = kinds.get(type)
    if (kind === undefined) throw new MigrationError(`the export has no type ${type}`)
    return kind
  }
  return {
    system: 'wordpress',
    title: version === undefined ? 'WordPress' : `WordPress ${version}`,
    schemaFiles: schemas.files,
    types: [...kinds].map(([type, { count }]) => ({ name: type, type, entries: count })),
    locales: [locale],
    get findings() {
      return [...schemas.findings, ...site.findings, ...reader.findings(), ...attachments.findings]
    },
    counts: { folders: 0, files: attachments.count, users: 0 },
    folders: () => [],
    files: () => attachments.files(),
    users: () => [],
    entries: (type) => kindOf(type).read(),
    close: () => index.close(),
  }
}
