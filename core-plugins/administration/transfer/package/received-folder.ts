import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../../foundation/http/http.ts'

/**
 * A folder for received packages or media files until they are used. Each file is named by the SHA-256 of its
 * bytes in hexadecimal digits. Processes on several machines must share it.
 */
export interface ReceivedFolder {
  /** The path of a file, which may not exist. */
  pathOf(hash: string): string
  /** The number of bytes that have arrived. */
  received(hash: string): Promise<number>
  /**
   * Appends bytes at an offset.
   * @throws AppError 409 if the offset is not the end of the file, if another request appends, or if the folder is full; 413
   */
  append(hash: string, offset: number, source: Readable): Promise<number>
  /** Whether it has arrived completely. */
  isComplete(hash: string): Promise<boolean>
  remove(hashes: readonly string[]): Promise<void>
}

export interface ReceivedFolderOptions {
  readonly directory: string
  /** The noun for such a file in messages. */
  readonly noun: string
  readonly extension: string
  /** The largest size of a file in bytes, and the name of its setting. */
  readonly maxBytes: () => { readonly bytes: number; readonly setting: string }
  /** Whether another file may be received, given the waiting ones. */
  readonly hasRoom: (waiting: { readonly count: number; readonly bytes: number }) => boolean
}

const abandonedAfterMs = 24 * 60 * 60_000

export function createReceivedFolder(options: ReceivedFolderOptions): ReceivedFolder {
  const { directory, noun, extension, maxBytes, hasRoom } = options
  const pathOf = (hash: string) => join(directory, `${hash}${extension}`)
  const appending = new Set<string>()

  async function received(hash: string): Promise<number> {
    const found = await stat(pathOf(hash)).catch(() => undefined)
    return found?.size ?? 0
  }

  /** Removes files that have not grown for a day. */
  async function tidy(): Promise<void> {
    const left = { count: 0, bytes: 0 }
    for (const name of await readdir(directory)) {
      const path = join(directory, name)
      const found = await stat(path).catch(() => undefined)
      if (found?.isFile() !== true) continue
      if (Date.now() - found.mtimeMs > abandonedAfterMs) {
        await rm(path, { force: true })
        continue
      }
      left.count++
      left.bytes += found.size
    }
    if (hasRoom(left)) return
    throw new AppError('CONFLICT', `${left.count} ${noun}s wait to be applied: apply or delete them first`)
  }

  async function append(hash: string, offset: number, source: Readable): Promise<void> {
    await mkdir(directory, { recursive: true })
    const present = await received(hash)
    if (offset !== present) {
      throw new AppError('CONFLICT', `${present} bytes of the ${noun} are here: go on at that offset`)
    }
    if (offset === 0) await tidy()
    const { bytes, setting } = maxBytes()
    const limit = limited(bytes - present, `the ${noun} is larger than ${setting} allows`)
    await pipeline(source, limit, createWriteStream(pathOf(hash), { flags: 'a', mode: 0o600 }))
  }

  return {
    pathOf,
    received,
    async append(hash, offset, source) {
      if (appending.has(hash)) throw new AppError('CONFLICT', `somebody else sends this ${noun}`)
      appending.add(hash)
      try {
        await append(hash, offset, source)
      } finally {
        source.destroy()
        appending.delete(hash)
      }
      return received(hash)
    },
    isComplete: async (hash) => (await digestOf(pathOf(hash))) === hash,
    async remove(hashes) {
      for (const hash of hashes) await rm(pathOf(hash), { force: true })
    },
  }
}

/** SHA-256 in hexadecimal digits; undefined if there is no such file. */
export async function digestOf(path: string): Promise<string | undefined> {
  try {
    return await digestOfStream(createReadStream(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** SHA-256 in hexadecimal digits. */
export async function digestOfStream(source: AsyncIterable<unknown>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function limited(room: number, message: string): Transform {
  let left = room
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(new AppError('PAYLOAD_TOO_LARGE', message))
      else done(null, chunk)
    },
  })
}
