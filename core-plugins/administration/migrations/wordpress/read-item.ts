import { type ExportRecord, textOf } from './export-record.ts'
import { decodedUri } from './file-paths.ts'
import type { SiteItem, SiteTerm, TermName } from './site.ts'

/** Reads an item with its terms; undefined if it has no id or no type. */
export function readItem(
  record: ExportRecord,
): { readonly item: SiteItem; readonly terms: readonly SiteTerm[] } | undefined {
  const id = idIn(textOf(record, 'wp:post_id'))
  const type = textOf(record, 'wp:post_type')
  if (id === undefined || type === undefined) return undefined
  const terms = termsOf(record)
  const item: SiteItem = {
    ...{ id, type },
    title: textOf(record, 'title') ?? '',
    slug: readable(textOf(record, 'wp:post_name') ?? ''),
    status: textOf(record, 'wp:status') ?? 'publish',
    parent: idIn(textOf(record, 'wp:post_parent')) ?? 0,
    author: textOf(record, 'dc:creator'),
    link: textOf(record, 'link'),
    content: textOf(record, 'content:encoded') ?? '',
    excerpt: textOf(record, 'excerpt:encoded') ?? '',
    createdAt:
      momentIn(textOf(record, 'wp:post_date_gmt')) ??
      momentIn(textOf(record, 'wp:post_date')) ??
      momentIn(textOf(record, 'pubDate')),
    updatedAt:
      momentIn(textOf(record, 'wp:post_modified_gmt')) ?? momentIn(textOf(record, 'wp:post_modified')),
    menuOrder: numberIn(textOf(record, 'wp:menu_order')),
    isSticky: textOf(record, 'wp:is_sticky') === '1',
    hasPassword: textOf(record, 'wp:post_password') !== undefined,
    url: textOf(record, 'wp:attachment_url'),
    terms: terms.map(({ taxonomy, slug }): TermName => ({ taxonomy, slug })),
    meta: [...metaOf(record)],
  }
  return { item, terms }
}

function metaOf({ parts }: ExportRecord): Map<string, string[]> {
  const meta = new Map<string, string[]>()
  for (const { name, texts } of parts) {
    const key = texts.get('wp:meta_key')
    if (name !== 'wp:postmeta' || !key) continue
    meta.set(key, [...(meta.get(key) ?? []), texts.get('wp:meta_value') ?? ''])
  }
  return meta
}

/** Exports of WordPress 2 list some terms twice, once without their taxonomy. */
function termsOf({ parts }: ExportRecord): SiteTerm[] {
  return parts.flatMap(({ name, attributes: { domain, nicename }, text }) => {
    if (name !== 'category' || !domain || !nicename) return []
    const taxonomy = domain === 'tag' ? 'post_tag' : domain
    return [{ taxonomy, slug: readable(nicename), name: text.trim(), description: '', parent: undefined }]
  })
}

/** Reads a term that is declared outside of items. */
export function readTerm(record: ExportRecord): SiteTerm | undefined {
  const [taxonomy, prefix, nameOf] =
    record.name === 'wp:category'
      ? ['category', 'wp:category', 'wp:cat_name']
      : record.name === 'wp:tag'
        ? ['post_tag', 'wp:tag', 'wp:tag_name']
        : [textOf(record, 'wp:term_taxonomy'), 'wp:term', 'wp:term_name']
  const slug = textOf(record, record.name === 'wp:category' ? 'wp:category_nicename' : `${prefix}_slug`)
  if (taxonomy === undefined || slug === undefined) return undefined
  const parent = textOf(record, `${prefix}_parent`)
  return {
    ...{ taxonomy, slug: readable(slug) },
    name: textOf(record, nameOf ?? '') ?? readable(slug),
    description: textOf(record, `${prefix}_description`) ?? '',
    parent: parent === undefined ? undefined : readable(parent),
  }
}

/** WordPress stores characters beyond ASCII percent-encoded: `%e4%b8%ad`. */
const readable = decodedUri

function idIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

const maxOrder = 2_147_483_647

function numberIn(text: string | undefined): number {
  const number = Number(text ?? 0)
  return Number.isInteger(number) && Math.abs(number) <= maxOrder ? number : 0
}

/** `2026-01-31 08:00:00`, or in the format of RFC 822; WordPress writes zeros for a missing time. */
export function momentIn(text: string | undefined): string | undefined {
  if (text === undefined || text.startsWith('0000')) return undefined
  const plain = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(text)
  const moment = new Date(plain === null ? text : `${plain[1]}T${plain[2]}Z`)
  return Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 1 ? undefined : moment.toISOString()
}
