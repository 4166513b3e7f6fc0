import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { BuiltFile, FileEncoding } from './built-app.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Compressed once and sent often, so the highest quality is worth it. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/** The encodings in which files are stored. */
export type KeptEncoding = Exclude<FileEncoding, 'gzip'>

/** A file in its stored encodings. */
export type Encoded = Readonly<Record<KeptEncoding, Uint8Array>>

/** Compresses a file, on a pool thread. */
export const encode = async (plain: Uint8Array): Promise<Encoded> => ({
  plain,
  br: await toBrotli(plain, brotliOptions),
})

/**
 * Creates a file to send from its stored encodings. gzip is computed on first request: it takes milliseconds, and only browsers
 * without TLS request it.
 */
export function encodedFile(read: (encoding: KeptEncoding) => Promise<Uint8Array | undefined>): BuiltFile {
  let zipped: Promise<Uint8Array> | undefined
  const zip = async () => toGzip((await read('plain')) ?? new Uint8Array(), { level: 9 })
  return {
    read(encoding) {
      if (encoding !== 'gzip') return read(encoding)
      zipped ??= zip().catch((error) => {
        zipped = undefined
        throw error
      })
      return zipped
    },
  }
}

/** A file sent uncompressed, to a browser on the same machine. */
export const plainFile = (contents: Uint8Array): BuiltFile => ({
  read: async (encoding) => (encoding === 'plain' ? contents : undefined),
})
