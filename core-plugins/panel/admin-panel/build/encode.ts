import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { BuiltFile, FileEncoding } from './built-app.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Made once and sent often, so nothing is saved on the effort. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/** What a file is kept in. */
export type KeptEncoding = Exclude<FileEncoding, 'gzip'>

/** A file in the encodings that it is kept in. */
export type Encoded = Readonly<Record<KeptEncoding, Uint8Array>>

/** Compresses a file, on a pool thread. */
export const encode = async (plain: Uint8Array): Promise<Encoded> => ({
  plain,
  br: await toBrotli(plain, brotliOptions),
})

/**
 * A file to send, from what is kept of it. gzip is made when it is first asked for: it takes milliseconds, and only browsers that
 * have no TLS ask for it.
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

/** A file to send as it is, to a browser on the same machine. */
export const plainFile = (contents: Uint8Array): BuiltFile => ({
  read: async (encoding) => (encoding === 'plain' ? contents : undefined),
})
