import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, realpath, stat } from 'node:fs/promises'
import { basename, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Auth } from '../../../accounts/auth/auth.ts'
import type { Media } from '../../../delivery/media/media.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../../../foundation/http/http.ts'
import { DownloadError, type Downloads } from './download.ts'
import type { ImportedMedia } from './imported-media.ts'
import type { KeyPlace } from './key-places.ts'

/** A file that a record names by URL or path. */
export interface MediaPlace {
  readonly place: KeyPlace
  readonly from: 'url' | 'path'
  /** The URL or path. */
  readonly where: string
}

export interface MediaRequest {
  readonly principal: Principal
  readonly isTrial: boolean
  /** The folder that paths are relative to; undefined if paths are not allowed. */
  readonly mediaFolder: string | undefined
  readonly signal: AbortSignal | undefined
}

/** The row that refers to a file; collects its problems. */
interface MediaRow {
  readonly details: ErrorDetail[]
  readonly promised: string[]
}

export type RowFile = MediaPlace & { readonly row: MediaRow }

/** Resolves files that records name by URL or path. */
export interface MediaSources {
  /** Returns undefined for other keys. */
  read(place: KeyPlace): MediaPlace | undefined
  /** Puts in the ids of files, adding them to the library if necessary. A trial downloads nothing. */
  put(files: readonly RowFile[], request: MediaRequest): Promise<void>
}

export interface MediaSourceDeps {
  readonly auth: Auth
  /** Undefined while media are switched off. */
  readonly media: Media | undefined
  readonly imported: ImportedMedia
  readonly downloads: Downloads
  maxFileSize(): number
  /** The public address of this service; empty if unknown. */
  siteAddress(): string
}

/** A file to import, with the text under which it is remembered. */
interface Source {
  readonly from: MediaPlace['from']
  readonly where: string
  readonly key: string
}

/** The number of simultaneous downloads. */
const atOnce = 4

const maxUrlLength = 2_000

export function createMediaSources(deps: MediaSourceDeps): MediaSources {
  return {
    read(place) {
      if (place.target !== 'media') return undefined
      const [[name, value] = [], ...others] = Object.entries(place.key)
      const isSource = (name === 'url' || name === 'path') && typeof value === 'string' && others.length === 0
      return isSource ? { place, from: name, where: value } : undefined
    },
    async put(files, request) {
      const all = [...groupsOf(files).values()]
      for (let start = 0; start < all.length; start += atOnce) {
        request.signal?.throwIfAborted()
        await Promise.all(all.slice(start, start + atOnce).map((group) => putOne(deps, group, request)))
      }
    },
  }
}

/** Groups the places by file. */
function groupsOf(files: readonly RowFile[]): Map<string, RowFile[]> {
  const groups = new Map<string, RowFile[]>()
  for (const file of files) {
    const key = `${file.from} ${file.where}`
    groups.set(key, [...(groups.get(key) ?? []), file])
  }
  return groups
}

async function putOne(
  deps: MediaSourceDeps,
  files: readonly RowFile[],
  request: MediaRequest,
): Promise<void> {
  const [first] = files
  if (first === undefined) return
  try {
    const id = await idOf(deps, first, request)
    for (const { place, row } of files) {
      if (id !== undefined) place.put(id)
      else row.promised.push(place.field)
    }
  } catch (error) {
    const problem = problemOf(error)
    if (problem === undefined) throw error
    for (const { place, row } of files) row.details.push({ path: place.path, ...problem })
  }
}

/** Undefined in a trial, for a file that would be added. */
async function idOf(
  deps: MediaSourceDeps,
  file: MediaPlace,
  request: MediaRequest,
): Promise<number | undefined> {
  const { auth, imported, media } = deps
  const ownKey = file.from === 'url' ? media?.keyIn(pathIn(deps.siteAddress(), file.where)) : undefined
  const own = ownKey === undefined ? undefined : await imported.byKey(ownKey)
  if (own !== undefined) return own
  if (!auth.mayMedia(request.principal, 'write')) {
    throw new RefusedFile('forbidden', 'needs the permission to write media')
  }
  const source = await sourceOf(file, request)
  const known = await imported.find(source.key)
  if (known !== undefined || request.isTrial) return known
  return addFile(deps, source, request)
}

/** The URL without the address of this service. */
function pathIn(address: string, url: string): string {
  return address !== '' && url.startsWith(`${address}/`) ? url.slice(address.length) : url
}

class RefusedFile extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

async function sourceOf({ from, where }: MediaPlace, { mediaFolder }: MediaRequest): Promise<Source> {
  if (from === 'url') {
    const isUrl = where.length <= maxUrlLength && URL.canParse(where) && /^https?:/i.test(where)
    if (!isUrl) throw new RefusedFile('format', 'must be the URL of a file, with http or https')
    return { from, where, key: `url:${digestOf(where)}` }
  }
  if (mediaFolder === undefined)
    throw new RefusedFile('unsupported', 'paths are for imports from the command line')
  const path = await pathWithin(mediaFolder, where)
  return { from, where: path, key: `file:${await digestOfFile(path)}` }
}

/** Refuses paths that leave the folder, also through symbolic links. @throws RefusedFile */
async function pathWithin(folder: string, path: string): Promise<string> {
  const root = await realpath(folder)
  const found = path.includes('\0') ? undefined : await realpath(resolve(root, path)).catch(() => undefined)
  const isFile = found?.startsWith(root + sep) === true && (await stat(found)).isFile()
  if (found === undefined || !isFile) throw new RefusedFile('path', `is no file in ${folder}`)
  return found
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

async function addFile(
  { media, downloads, imported, maxFileSize }: MediaSourceDeps,
  { from, where, key }: Source,
  { principal, signal }: MediaRequest,
): Promise<number> {
  if (media === undefined) throw new RefusedFile('unsupported', 'there is no media library here')
  const path = media.scratch.newPath()
  try {
    if (from === 'url') await downloads.fetch(where, path, { maxBytes: maxFileSize(), signal })
    else await copyFile(where, path)
    const originalName = from === 'url' ? nameIn(where) : basename(where)
    // In the transaction of the file, so that an import that is killed does not add it twice.
    const alongside = ({ id }: { readonly id: number }, tx: Transaction) => imported.remember(key, id, tx)
    return (await media.add({ path, originalName, folder: null, principal, alongside })).id
  } finally {
    await media.scratch.remove([path])
  }
}

function nameIn(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function problemOf(error: unknown): Omit<ErrorDetail, 'path'> | undefined {
  if (error instanceof RefusedFile) return { code: error.code, message: error.message }
  if (error instanceof DownloadError) return { code: 'download', message: error.message }
  if (!(error instanceof AppError) || error.status >= 500) return undefined
  return { code: 'media', message: error.message }
}
