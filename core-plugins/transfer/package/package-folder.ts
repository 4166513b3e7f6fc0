import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../http/http.ts'
import { openPackageFile, type PackageFile } from './package-file.ts'

/** Where packages lie until they are applied; processes on several machines must share it. */
export interface PackageFolder {
  /** The file of a package, by its id, which may not be there. */
  file(id: string): PackageFile
  pathOf(id: string): string
  /** How many bytes of it have arrived. */
  received(id: string): Promise<number>
  /** Appends bytes at an offset. @throws AppError 409 if that is not its end, 413 */
  append(id: string, offset: number, source: Readable): Promise<number>
  remove(id: string): Promise<void>
  /** Removes what nobody has written to for a day. @throws AppError 409 if there are too many left */
  tidy(): Promise<void>
}

export interface FolderLimits {
  readonly maxPackage: number
  readonly maxItem: number
}

const abandonedAfterMs = 24 * 60 * 60_000
const maxPackages = 20

export function createPackageFolder(directory: string, limits: () => FolderLimits): PackageFolder {
  const pathOf = (id: string) => join(directory, `${id}.ndjson`)

  async function received(id: string): Promise<number> {
    const found = await stat(pathOf(id)).catch(() => undefined)
    return found?.size ?? 0
  }

  return {
    pathOf,
    received,
    file: (id) => openPackageFile(pathOf(id), limits().maxItem),
    async append(id, offset, source) {
      await mkdir(directory, { recursive: true })
      const present = await received(id)
      if (offset !== present) {
        source.destroy()
        throw new AppError('CONFLICT', `${present} bytes of the package are here: go on at that offset`)
      }
      const room = limits().maxPackage - present
      await pipeline(source, limited(room), createWriteStream(pathOf(id), { flags: 'a', mode: 0o600 }))
      return received(id)
    },
    remove: (id) => rm(pathOf(id), { force: true }),
    async tidy() {
      await mkdir(directory, { recursive: true })
      let left = 0
      for (const name of await readdir(directory)) {
        const path = join(directory, name)
        const found = await stat(path).catch(() => undefined)
        if (found === undefined) continue
        if (Date.now() - found.mtimeMs > abandonedAfterMs) await rm(path, { force: true })
        else left++
      }
      if (left < maxPackages) return
      throw new AppError('CONFLICT', `${left} packages wait to be applied: apply or delete them first`)
    },
  }
}

function limited(room: number): Transform {
  let left = room
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      const message = 'the package is larger than transfer.maxPackageSize allows'
      if (left < 0) done(new AppError('PAYLOAD_TOO_LARGE', message))
      else done(null, chunk)
    },
  })
}
