import { copyFile } from 'node:fs/promises'
import type { Auth } from '../../../../accounts/auth/auth.ts'
import type { Media, StoredFile } from '../../../../delivery/media/media.ts'
import type { Transaction } from '../../../../foundation/database/database.ts'
import { AppError } from '../../../../foundation/http/http.ts'
import {
  canonicalText,
  type ItemFile,
  type ItemToPut,
  type SectionWork,
  type SectionWrite,
  type SectionWriter,
} from '../../../../foundation/sections/sections.ts'
import { named } from '../../apply/named-problems.ts'
import {
  findReferenced,
  missingFrom,
  type ResolvedValues,
  resolveValues,
} from '../../apply/resolve-references.ts'
import type { FileHashes } from './file-hashes.ts'
import type { MediaReader, MediaReaderDeps } from './media-reader.ts'
import { lost, type MediaValue } from './media-value.ts'

export interface MediaWriterDeps extends MediaReaderDeps {
  readonly auth: Auth
  readonly media: Media
  readonly hashes: FileHashes
  readonly reader: MediaReader
}

const mediaItem = (key: string) => ({ section: 'media', key })

const itemsAtOnce = 100
/** Files handled simultaneously; each is read completely, and images are scaled on threads. */
const filesAtOnce = 3
/** Files without a record are removed from the storage after an hour, so they are announced again. */
const announceEveryMs = 20 * 60_000

/** Stores the missing files before the transaction that creates their records. */
export async function beginMedia(work: SectionWork, deps: MediaWriterDeps): Promise<SectionWriter> {
  const { media } = deps
  const stored = new Map<string, StoredFile>()
  const abandon = () => media.writes.abandon([...stored.values()])
  try {
    await storeAll(work, stored, deps)
  } catch (error) {
    await abandon()
    throw error
  }
  return {
    put: (items, write) => putMedia(items, write, { ...deps, stored }),
    async remove(keys, write) {
      const ids = await deps.keys.idsOf(deps.reader.type, keys, write.tx)
      await media.writes.remove([...ids.values()], write)
    },
    abandon,
  }
}

async function storeAll(work: SectionWork, stored: Map<string, StoredFile>, deps: MediaWriterDeps) {
  let announcedMs = Date.now()
  for await (const items of portionsOf(work.puts())) {
    const present = await presentFiles(items, deps)
    const wanted = items.filter(({ key, value }) => {
      const { file } = value as MediaValue
      return canonicalText(file) !== canonicalText(present.get(key) ?? null)
    })
    for (let start = 0; start < wanted.length; start += filesAtOnce) {
      const some = wanted.slice(start, start + filesAtOnce)
      const done = await Promise.allSettled(
        some.map(async ({ key, value }) => {
          const { file } = value as MediaValue
          stored.set(key, await named([mediaItem(key)], () => storeFile(file, work, deps)))
        }),
      )
      const failed = done.find((each) => each.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    }
    if (Date.now() - announcedMs < announceEveryMs) continue
    announcedMs = Date.now()
    await deps.media.files.announce([...stored.values()].flatMap(({ keys }) => keys))
  }
}

async function presentFiles(items: readonly ItemToPut[], { reader, hashes }: MediaWriterDeps) {
  const found = await reader.find(items.map(({ key }) => key))
  const known = await hashes.known(found.map(({ row }) => String(row.filename)))
  return new Map(
    found.map(({ key, row }): [string, ItemFile] => {
      const hash = known.get(String(row.filename)) ?? lost
      return [key, { name: String(row.originalName), hash, size: Number(row.size) }]
    }),
  )
}

/** Stores a received file. The received copy stays until the package is applied, so that applying can be repeated. */
async function storeFile({ name, hash }: ItemFile, { file }: SectionWork, { media }: MediaWriterDeps) {
  const path = media.scratch.newPath()
  try {
    await copyFile(await file(hash), path)
    return await media.writes.store({ path, originalName: name })
  } finally {
    await media.scratch.remove([path])
  }
}

async function putMedia(
  items: readonly ItemToPut[],
  write: SectionWrite,
  deps: MediaWriterDeps & { readonly stored: ReadonlyMap<string, StoredFile> },
): Promise<readonly string[]> {
  const { keys, reader } = deps
  const { type } = reader
  const own = items.map(({ key }) => key)
  const values = items.map(({ value }) => (value as MediaValue).data)
  const known = await findReferenced(deps, { type, keys: own, values }, write)
  const here = await keys.idsOf(type, own, write.tx)
  const waiting: string[] = []
  for (const item of items) {
    const resolved = resolveValues(deps, reader.type, (item.value as MediaValue).data, known)
    if (resolved.missing.length > 0) {
      if (!write.isLast) waiting.push(item.key)
      else if (!write.dropsMissing) throw missingFrom(mediaItem(item.key), resolved.missing)
    }
    await named([mediaItem(item.key)], () =>
      putOne(item, here.get(item.key), { ...deps, ...write, resolved }),
    )
  }
  return waiting
}

interface PutOne extends MediaWriterDeps, SectionWrite {
  readonly stored: ReadonlyMap<string, StoredFile>
  readonly resolved: ResolvedValues
}

async function putOne({ key, value }: ItemToPut, id: number | undefined, put: PutOne): Promise<void> {
  const { media, hashes, stored, resolved, isLast, ...write } = put
  const file = stored.get(key)
  const data = resolved.values
  // In the second pass, the file exists, and so do the references that were missing.
  const isNew = id === undefined
  if (isNew && file === undefined) throw new AppError('CONFLICT', `the file of ${key} is gone; compare again`)
  const newFile = isLast ? undefined : file
  if (isNew && file !== undefined) await media.writes.create(file, data, { ...write, uuid: key })
  else if (id !== undefined) await media.writes.change(id, { file: newFile, data }, write)
  await note(hashes, isNew || newFile !== undefined ? file : undefined, value as MediaValue, write.tx)
}

/** Keeps the hash, or the next comparison would have to read the file. */
async function note(
  hashes: FileHashes,
  stored: StoredFile | undefined,
  { file }: MediaValue,
  tx: Transaction,
): Promise<void> {
  const [key] = stored?.keys ?? []
  if (key !== undefined) await hashes.note(key, file.hash, tx)
}

async function* portionsOf(items: AsyncIterable<ItemToPut>): AsyncGenerator<readonly ItemToPut[]> {
  let portion: ItemToPut[] = []
  for await (const item of items) {
    portion.push(item)
    if (portion.length < itemsAtOnce) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}
