import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { AppError } from '../../../foundation/http/http.ts'
import { changeIn, headerIn, type PackageChange, type PackageHeader } from './package-change.ts'
import { digestOf } from './received-folder.ts'

/** The position of a line in a package. */
export interface LinePlace {
  readonly offset: number
  /** The length in bytes. */
  readonly length: number
  /** The first line is 1. */
  readonly number: number
}

/** A change with its position. */
export interface PlacedChange extends LinePlace {
  readonly change: PackageChange
}

/** A package on disk, which is read as often as needed, but never into memory as a whole. */
export interface PackageFile {
  header(): Promise<PackageHeader>
  changes(): AsyncGenerator<PlacedChange>
  /** Reads the changes at these positions one by one. */
  at(places: readonly LinePlace[]): AsyncGenerator<PlacedChange>
  /** SHA-256 of the text, in hexadecimal digits; undefined if the file does not exist. */
  digest(): Promise<string | undefined>
}

/** `maxLine` is the longest line in bytes. */
export function openPackageFile(path: string, maxLine: number): PackageFile {
  return {
    async header() {
      for await (const { bytes } of linesOf(path, maxLine)) return headerIn(bytes)
      throw AppError.invalid([{ path: 'lines', code: 'required', message: 'there are none' }])
    },
    async *changes() {
      for await (const { bytes, ...place } of linesOf(path, maxLine)) {
        if (place.number > 1) yield { ...place, change: changeIn(bytes, place.number) }
      }
    },
    async *at(places) {
      const file = await open(path)
      try {
        for (const place of places) {
          const { buffer } = await file.read(Buffer.alloc(place.length), 0, place.length, place.offset)
          yield { ...place, change: changeIn(buffer, place.number) }
        }
      } finally {
        await file.close()
      }
    },
    digest: () => digestOf(path),
  }
}

async function* linesOf(
  path: string,
  maxLine: number,
): AsyncGenerator<LinePlace & { readonly bytes: Buffer }> {
  let rest: Buffer = Buffer.alloc(0)
  let offset = 0
  let number = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    rest = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer])
    let start = 0
    for (;;) {
      const end = rest.indexOf(0x0a, start)
      if (end < 0) break
      number++
      assertShort(end - start, maxLine, number)
      yield { bytes: rest.subarray(start, end), offset: offset + start, length: end - start, number }
      start = end + 1
    }
    rest = rest.subarray(start)
    offset += start
    assertShort(rest.length, maxLine, number + 1)
  }
  if (rest.length === 0) return
  throw AppError.invalid([{ path: `lines.${number + 1}`, code: 'format', message: 'does not end' }])
}

function assertShort(length: number, maxLine: number, number: number): void {
  if (length <= maxLine) return
  const message = `line ${number} of the package has more than ${maxLine} bytes (transfer.maxItemSize)`
  throw new AppError('PAYLOAD_TOO_LARGE', message)
}
