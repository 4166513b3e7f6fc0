import { createDecipheriv, scryptSync } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { MigrationError } from '../migration-error.ts'

/** A file in an export. Its stream must be read to the end before the next file is available. */
export interface ArchiveFile {
  /** `entities/entities_00001.jsonl` */
  readonly name: string
  readonly size: number
  readonly stream: Readable
}

/** A limit far above the largest media libraries. */
const maxFiles = 5_000_000

/** The files of an export in their order. @throws MigrationError if it is not a valid export, or a malicious one */
export async function* readArchive(path: string, key: string | undefined): AsyncGenerator<ArchiveFile> {
  const steps = await unpacking(path, key)
  const unpacked = extract()
  const reading = pipeline([createReadStream(path), ...steps, unpacked])
  // It is awaited at the end; until then, its errors reach the loop below.
  reading.catch(() => undefined)
  const seen = { count: 0 }
  try {
    for await (const entry of unpacked) {
      const { name, size = 0, type } = entry.header
      seen.count += 1
      if (seen.count > maxFiles) throw new MigrationError(`the export holds more than ${maxFiles} files`)
      if (type === 'file') yield { name: plainName(name), size, stream: entry as unknown as Readable }
      else if (type !== 'directory')
        throw new MigrationError(`the export holds ${quoted(name)}, which is a ${type} and no file`)
      entry.resume()
    }
    await reading
  } catch (error) {
    throw explained(error, key)
  } finally {
    unpacked.destroy()
  }
  if (seen.count === 0) throw new MigrationError('the export is empty')
}

/** The streams that turn the bytes of the file into a tar archive: decryption and decompression. */
async function unpacking(path: string, key: string | undefined) {
  const decipher = key === undefined ? [] : [createDecipheriv('aes-128-ecb', scryptSync(key, '', 16), null)]
  const head = await firstBytes(path)
  const isTar = head.subarray(257, 262).toString('latin1') === 'ustar'
  const isGzip = head[0] === 0x1f && head[1] === 0x8b
  if (isTar) return []
  if (isGzip) return [createGunzip()]
  if (key !== undefined) return [...decipher, ...(path.endsWith('.tar.enc') ? [] : [createGunzip()])]
  const remedy = path.endsWith('.enc')
    ? 'is encrypted: set MORTISE_STRAPI_KEY to its key, or export with --no-encrypt'
    : 'is no .tar or .tar.gz that `strapi export` has written'
  throw new MigrationError(`${path} ${remedy}`)
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new MigrationError(`${path} cannot be read`, { cause: error })
  })
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(512), 0, 512, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Refuses names that point out of the archive, since files are identified by their names. */
function plainName(name: string): string {
  const plain = name.replaceAll('\\', '/').replace(/^\.\//, '')
  const isOutside = plain.startsWith('/') || plain.split('/').includes('..') || plain.includes('\0')
  if (isOutside) throw new MigrationError(`the export holds a file outside of it: ${quoted(name)}`)
  return plain
}

const quoted = (name: string) => JSON.stringify(name.slice(0, 200))

/** Turns errors of the libraries into a MigrationError that says what is wrong with the export. */
export function explained(error: unknown, key: string | undefined): unknown {
  if (error instanceof MigrationError || !(error instanceof Error)) return error
  const { code = '' } = error as NodeJS.ErrnoException
  const isOurs =
    !/^(Z_|ERR_OSSL|ERR_STREAM_PREMATURE)/.test(code) &&
    !/tar|header|Premature|end of data/i.test(error.message)
  if (isOurs) return error
  const reason =
    key === undefined ? 'the file is damaged, or not complete' : 'the key is wrong, or the file is damaged'
  return new MigrationError(`the export cannot be unpacked: ${reason} (${error.message})`, { cause: error })
}
