/** The Exif 3.0 tags that reveal neither place nor device, by directory. */
export const publicTags = {
  image: [
    ...[0x0100, 0x0101, 0x010d, 0x010e, 0x0112, 0x011a, 0x011b, 0x0128, 0x0132, 0x013b, 0x013e, 0x013f],
    ...[0x0211, 0x0213, 0x0214, 0x8298, 0x8769],
  ],
  photo: [
    ...[
      0x829a, 0x829d, 0x8822, 0x8827, 0x9000, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9101, 0x9201, 0x9202,
    ],
    ...[
      0x9203, 0x9204, 0x9207, 0x9209, 0x920a, 0x9290, 0x9291, 0x9292, 0xa000, 0xa001, 0xa002, 0xa003, 0xa005,
    ],
    ...[0xa402, 0xa403, 0xa404, 0xa405, 0xa406, 0xa500],
  ],
  // Distinguishes Adobe RGB from sRGB.
  interoperability: [0x0001, 0x0002],
} as const

export type DirectoryName = keyof typeof publicTags

/** Tags that point to other directories, without those of GPS data (0x8825) and of the thumbnail. */
export const directories: Readonly<Record<number, DirectoryName>> = {
  34665: 'photo',
  40965: 'interoperability',
}

/** Bytes per value, by Exif type. */
export const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
export const entryBytes = 12

/**
 * The public part of Exif data, with the same length: what is kept stays at its offset, everything else is zero, including
 * data to which no directory points. Undefined if it is not Exif data.
 */
export function publicExif(tiff: Buffer): Buffer | undefined {
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return undefined
  const isLittle = order === 'II'
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const kept = Buffer.alloc(tiff.length)
  tiff.copy(kept, 0, 0, 8)
  const visited = new Set<number>()

  function keepEntry(at: number, target: number): void {
    const length = (typeSizes[short(at + 2)] ?? 0) * long(at + 4)
    tiff.copy(kept, target, at, at + entryBytes)
    const directory = directories[short(at)]
    if (directory !== undefined) keepDirectory(long(at + 8), directory)
    else if (length > 4 && long(at + 8) + length <= tiff.length) {
      tiff.copy(kept, long(at + 8), long(at + 8), long(at + 8) + length)
    }
  }

  /** Kept entries are moved together; the free space is at the end. */
  function keepDirectory(at: number, name: DirectoryName): void {
    if (at + 2 > tiff.length || visited.has(at)) return
    visited.add(at)
    const tags: readonly number[] = publicTags[name]
    const entries = Array.from({ length: short(at) }, (_, index) => at + 2 + index * entryBytes)
    const wanted = entries.filter((entry) => entry + entryBytes <= tiff.length && tags.includes(short(entry)))
    if (isLittle) kept.writeUInt16LE(wanted.length, at)
    else kept.writeUInt16BE(wanted.length, at)
    for (const [index, entry] of wanted.entries()) keepEntry(entry, at + 2 + index * entryBytes)
  }

  keepDirectory(long(4), 'image')
  return kept
}

/** Stands before Exif data in JPEG, and by mistake in other formats. */
export const exifSign = Buffer.from('Exif\0\0')

/** The public part of Exif data in a box. A number at its beginning is the offset of the data after that number. */
export function publicExifOfBox(data: Buffer): Buffer {
  const start = data.length < 4 ? 0 : 4 + data.readUInt32BE(0)
  const exif = publicExif(data.subarray(start))
  if (exif === undefined) return Buffer.alloc(data.length)
  const between = data.subarray(4, start)
  return Buffer.concat([
    data.subarray(0, 4),
    between.equals(exifSign) ? exifSign : Buffer.alloc(between.length),
    exif,
  ])
}
