import { posix } from 'node:path'
import { deterministicUuid } from '../deterministic-uuid.ts'
import type { Finding, SourceFile } from '../source.ts'
import { decodedUri, pathCandidates, pathOfAddress } from './file-paths.ts'
import type { SiteItem } from './site.ts'
import type { SiteIndex } from './site-index.ts'
import type { Uploads } from './uploads.ts'

/** The files of a site, found by attachment or by the addresses in its texts. */
export interface Attachments {
  readonly count: number
  readonly findings: readonly Finding[]
  files(): AsyncIterable<SourceFile>
  /** The UUID of the attachment's file; undefined if the id is not an attachment. */
  uuidOf(id: number): string | undefined
  isImage(id: number): boolean
  /** The UUID of the file at an address in a text, whichever size of the image it names. */
  fileAt(address: string): string | undefined
}

export interface AttachmentParts {
  readonly index: SiteIndex
  readonly site: string
  readonly hosts: ReadonlySet<string>
  /** Undefined: files are downloaded from their addresses. */
  readonly uploads: Uploads | undefined
}

/** The most files that a finding lists by name. */
const maxNamed = 20

export async function openAttachments({
  index,
  site,
  hosts,
  uploads,
}: AttachmentParts): Promise<Attachments> {
  const missing = new Set<number>()
  const findings: Finding[] = []
  let count = 0
  for (const item of index.items(attachmentType)) {
    const path = pathOf(item)
    const isHere =
      uploads === undefined ? item.url !== undefined : path !== undefined && (await uploads.has(path))
    if (isHere) count += 1
    else {
      missing.add(item.id)
      if (missing.size <= maxNamed) findings.push(missingFile(item.url ?? path ?? `of attachment ${item.id}`))
    }
  }
  if (missing.size > maxNamed)
    findings.push({
      subject: `${missing.size - maxNamed} further files`,
      message: 'are missing in the same way',
    })
  const uuidOf = (id: number) => deterministicUuid('wordpress', site, 'attachment', id)
  const attachment = (id: number) => {
    const item = index.item(id)
    return item?.type === attachmentType ? item : undefined
  }
  return {
    count,
    findings,
    async *files() {
      for (const item of index.items(attachmentType)) {
        if (missing.has(item.id)) continue
        yield fileOf(item, { uuid: uuidOf(item.id), path: pathOf(item), uploads })
      }
    },
    uuidOf: (id) => (attachment(id) === undefined ? undefined : uuidOf(id)),
    isImage: (id) => {
      const item = attachment(id)
      return item !== undefined && mimeTypeOf(nameOf(item, pathOf(item))).startsWith('image/')
    },
    fileAt(address) {
      const path = pathOfAddress(address, hosts)
      const id = path === undefined ? undefined : pathCandidates(path).map(index.fileAt).find(Boolean)
      return id === undefined ? undefined : uuidOf(id)
    },
  }
}

export const attachmentType = 'attachment'

const missingFile = (address: string): Finding => ({
  subject: `file ${address}`,
  message: 'is not among the uploads, or has no address: entries lose it',
})

const metaOf = ({ meta }: SiteItem, key: string) => meta.find(([name]) => name === key)?.[1][0] || undefined

/** The path of the file below the uploads folder. */
function pathOf(item: SiteItem): string | undefined {
  const attached = metaOf(item, '_wp_attached_file')
  if (attached !== undefined) return attached.replace(/^.*\/wp-content\/uploads\//, '')
  return item.url?.split('/wp-content/uploads/')[1]?.split(/[?#]/)[0]
}

function nameOf({ id, url }: SiteItem, path: string | undefined): string {
  const name = posix.basename(path ?? url?.split(/[?#]/)[0] ?? '')
  return decodedUri(name) || `attachment-${id}`
}

function fileOf(
  item: SiteItem,
  { uuid, path, uploads }: { uuid: string; path: string | undefined; uploads: Uploads | undefined },
): SourceFile {
  const name = nameOf(item, path)
  return {
    uuid,
    name,
    alt: metaOf(item, '_wp_attachment_image_alt') ?? null,
    caption: item.excerpt || null,
    folder: undefined,
    mimeType: mimeTypeOf(name),
    write: (target, download) =>
      uploads === undefined ? download(item.url ?? '', target) : uploads.copy(path ?? '', target),
  }
}

const imageTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpe: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
}

/** Guessed from the extension, since exports omit the media type; until the file is read, only image or not matters. */
const mimeTypeOf = (name: string) =>
  imageTypes[posix.extname(name).slice(1).toLowerCase()] ?? 'application/octet-stream'
