const headerBytes = 12
/** Of the chunk that says what there is: its head, and the flag of EXIF in its first byte. */
const flagsAt = headerBytes + 8
const exifFlag = 0x08

/** Whether a WebP with this beginning has EXIF. */
export function hasExif(start: Buffer): boolean {
  const isExtended = start.toString('latin1', headerBytes, headerBytes + 4) === 'VP8X'
  return isExtended && ((start[flagsAt] ?? 0) & exifFlag) !== 0
}

/** A WebP without EXIF, as browsers do not turn one by that. */
export function withoutExif(webp: Buffer): Buffer {
  const bytes = Buffer.from(webp)
  bytes.writeUInt8((webp[flagsAt] ?? 0) & ~exifFlag, flagsAt)
  for (let at = headerBytes; at + 8 <= bytes.length; ) {
    // Chunks of unknown names are passed over.
    if (bytes.toString('latin1', at, at + 4) === 'EXIF') bytes.write('none', at, 'latin1')
    const size = bytes.readUInt32LE(at + 4)
    at += 8 + size + (size % 2)
  }
  return bytes
}
