import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FileEncoding } from './built-app.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Made once and sent often, so nothing is saved on the effort. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/** A file in all encodings. */
export type Encoded = Readonly<Record<FileEncoding, Uint8Array>>

/** Compresses a file in both ways, on pool threads. */
export async function encode(plain: Uint8Array): Promise<Encoded> {
  const [br, gz] = await Promise.all([toBrotli(plain, brotliOptions), toGzip(plain, { level: 9 })])
  return { plain, br, gzip: gz }
}
