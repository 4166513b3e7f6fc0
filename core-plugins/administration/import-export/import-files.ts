import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AppError } from '../../foundation/http/http.ts'

export interface Receiving {
  readonly maxBytes: number
  readonly tooLarge: AppError
  readonly signal: AbortSignal
}

/** The files of unfinished imports over HTTP. Processes share the folder. */
export interface ImportFiles {
  /** Writes a new file and returns its name. @throws `tooLarge` */
  receive(source: Readable, options: Receiving): Promise<string>
  /** Undefined if the file no longer exists. */
  sizeOf(file: string): Promise<number | undefined>
  read(file: string): ReturnType<typeof createReadStream>
  remove(file: string): Promise<void>
  /** Removes files that killed processes have left; `isNeeded` says whether a file still belongs to an import. */
  removeLeftovers(isNeeded: (file: string) => Promise<boolean>): Promise<void>
}

/** An upload that has not grown for so long was abandoned. */
const abandonedAfterMs = 60 * 60_000

export function createImportFiles(folder: string): ImportFiles {
  const pathOf = (file: string) => join(folder, file)
  const found = (file: string) => stat(pathOf(file)).catch(() => undefined)
  const remove = (file: string) => rm(pathOf(file), { force: true })
  return {
    async receive(source, { maxBytes, tooLarge, signal }) {
      await mkdir(folder, { recursive: true })
      const file = randomUUID()
      try {
        const target = createWriteStream(pathOf(file), { mode: 0o600, flags: 'wx' })
        await pipeline(source, atMost(maxBytes, tooLarge), target, { signal })
      } catch (error) {
        await remove(file)
        throw error
      }
      return file
    },
    sizeOf: async (file) => (await found(file))?.size,
    read: (file) => createReadStream(pathOf(file)),
    remove,
    async removeLeftovers(isNeeded) {
      for (const file of await readdir(folder).catch(() => [])) {
        const { mtimeMs = Number.POSITIVE_INFINITY } = (await found(file)) ?? {}
        if (Date.now() - mtimeMs > abandonedAfterMs && !(await isNeeded(file))) await remove(file)
      }
    },
  }
}

function atMost(maxBytes: number, tooLarge: AppError): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(bytes > maxBytes ? tooLarge : null, chunk)
    },
  })
}
