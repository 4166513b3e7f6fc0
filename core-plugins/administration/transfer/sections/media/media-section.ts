import { setImmediate as otherWork } from 'node:timers/promises'
import type { Auth } from '../../../../accounts/auth/auth.ts'
import type { Media } from '../../../../delivery/media/media.ts'
import type { Entry } from '../../../../entries/content/content.ts'
import { AppError } from '../../../../foundation/http/http.ts'
import type { ItemFile, TransferSection } from '../../../../foundation/sections/sections.ts'
import type { FileHashes } from './file-hashes.ts'
import { MediaReader, type MediaReaderDeps, type StoredMedia } from './media-reader.ts'
import { mediaRights } from './media-rights.ts'
import { assertMediaForm, lost } from './media-value.ts'
import { beginMedia } from './media-writer.ts'

export interface MediaSectionDeps extends MediaReaderDeps {
  readonly auth: Auth
  readonly media: Media
  readonly hashes: FileHashes
}

/** How long one page may spend on reading files without a known hash; at least one is read. */
const hashingMs = 5_000
const rowsAtOnce = 500

/** The files of the media library with their metadata. */
export function mediaSection(deps: MediaSectionDeps): TransferSection {
  const { auth, hashes, media } = deps
  const reader = new MediaReader('media', deps)

  /** The hashes of the first files, as many as can be read in time; null for files that the storage has lost. */
  async function someHashes(stored: readonly StoredMedia[]): Promise<ReadonlyMap<string, string | null>> {
    const files = stored.map(({ row }) => String(row.filename))
    const known = new Map<string, string | null>(await hashes.known(files))
    const untilMs = Date.now() + hashingMs
    for (const file of files) {
      if (known.has(file)) continue
      if (known.size > 0 && Date.now() > untilMs) break
      known.set(file, await hashes.read(file))
    }
    return known
  }

  return {
    name: 'media',
    isBeforeContent: true,
    ...mediaRights(auth),
    async page(after, limit) {
      const stored = await reader.page(after, Math.min(limit, rowsAtOnce))
      await otherWork()
      const known = await someHashes(stored)
      const end = stored.findIndex(({ row }) => !known.has(String(row.filename)))
      const some = end < 0 ? stored : stored.slice(0, end)
      return reader.items(some, undefined, (row) => fileOf(row, known))
    },
    async find(wanted, { tx } = {}) {
      const stored = await reader.find(wanted, tx)
      const files = stored.map(({ row }) => String(row.filename))
      const known = new Map<string, string | null>(await hashes.known(files, tx))
      for (const file of files.filter((each) => !known.has(each))) {
        // A transaction must not wait for the storage.
        if (tx !== undefined) throw new AppError('CONFLICT', 'files were added just now; compare again')
        known.set(file, await hashes.read(file))
      }
      return reader.items(stored, tx, (row) => fileOf(row, known))
    },
    async readFile(key, offset) {
      const [found] = await reader.find([key])
      if (found === undefined) return undefined
      const end = Number(found.row.size) - 1
      return media.storage.read(String(found.row.filename), { start: offset, end })
    },
    assertForm: assertMediaForm,
    begin: (work) => beginMedia(work, { ...deps, reader }),
  }
}

/** Describes the file of an item. A file that the storage has lost differs from every other file. */
function fileOf(
  { filename, originalName, size }: Entry,
  known: ReadonlyMap<string, string | null>,
): ItemFile {
  const hash = known.get(String(filename)) ?? lost
  return { name: String(originalName), hash, size: Number(size) }
}
