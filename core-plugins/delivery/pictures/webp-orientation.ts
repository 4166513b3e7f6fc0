const headerBytes = 12
/** The flags are the first byte after the header of the chunk VP8X. */
const flagsAt = headerBytes + 8
const exifFlag = 0x08

/** Whether a WebP has EXIF data, judged by its beginning. */
export function hasExif(start: Buffer): boolean {
  const isExtended = start.toString('latin1', headerBytes, headerBytes + 4) === 'VP8X'
  return isExtended && ((start[flagsAt] ?? 0) & exifFlag) !== 0
}

/** A WebP without EXIF data, since browsers ignore its orientation. */
export function withoutExif(webp: Buffer): Buffer {
  const bytes = Buffer.from(webp)
  bytes.writeUInt8((webp[flagsAt] ?? 0) & ~exifFlag, flagsAt)
  for (let at = headerBytes; at + 8 <= bytes.length; ) {
    // Renamed, since chunks with unknown names are skipped.
    if (bytes.toString('latin1', at, at + 4) === 'EXIF') bytes.write('none', at, 'latin1')
    const size = bytes.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  return bytes
}
