import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/** Length in characters from which the bytes saved are worth the time of a thread. */
export const compressAbove = 2048

/** Higher levels cost several times as much for a few per cent. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** The best of what the client accepts, going by `Accept-Encoding`. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined
  const names = accepted
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .filter(([, quality]) => quality === undefined || Number(quality.replace('q=', '')) > 0)
    .map(([name]) => name)
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gzip' : undefined
}

/** Compresses on a thread of the pool. */
export function compress(
  text: string,
  encoding: Encoding,
  done: (error: Error | null, bytes: Buffer) => void,
) {
  if (encoding === 'br') brotliCompress(text, brotliOptions, done)
  else gzip(text, done)
}
