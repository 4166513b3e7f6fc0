import { brotliCompress, constants, gzip } from 'node:zlib'

export const encodings = ['br', 'gzip'] as const

export type Encoding = (typeof encodings)[number]

/** Length in bytes from which the savings are worth a thread's time. */
export const compressAbove = 2048

/** Higher levels cost several times as much for a few per cent. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Returns the best encoding that the client's `Accept-Encoding` allows. */
export function encodingFor(accepted: string): Encoding | undefined {
  const names = new Set(accepted.toLowerCase().split(',').filter(isWanted).map(nameOf))
  if (names.has('br')) return 'br'
  return names.has('gzip') ? 'gzip' : undefined
}

function nameOf(offer: string): string {
  return offer.split(';', 1)[0]?.trim() ?? ''
}

function isWanted(offer: string): boolean {
  return !/;\s*q=0(\.0*)?\s*$/.test(offer)
}

/** Compresses on a pool thread. `bytes` must not change until `done` is called. */
export function compress(
  bytes: Buffer,
  encoding: Encoding,
  done: (error: Error | null, compressed: Buffer) => void,
) {
  if (encoding === 'br') brotliCompress(bytes, brotliOptions, done)
  else gzip(bytes, done)
}
