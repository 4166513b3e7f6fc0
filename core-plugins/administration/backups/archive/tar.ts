/*
 * The subset of POSIX ustar that a backup needs: plain files with short names. Our own, as several threads
 * append parts one after the other, and files are read at any position.
 */

/** Headers and the space that a file takes are multiples of this. */
export const blockSize = 512

/** A plain file in an archive. */
export interface TarEntry {
  readonly name: string
  /** Bytes. */
  readonly size: number
}

const nameField = { start: 0, length: 100 }
const sizeField = { start: 124, length: 12 }
const sumField = { start: 148, length: 8 }
const typeAt = 156
const magicField = { start: 257, length: 6 }

/** A larger size does not fit the octal digits. */
const maxOctalSize = 8 ** 11 - 1

/** How many bytes follow a file of `size` bytes until the next header. */
export function paddingOf(size: number): number {
  return (blockSize - (size % blockSize)) % blockSize
}

/** The two empty blocks that end an archive. */
export const endOfArchive = Buffer.alloc(2 * blockSize)

/** @throws Error if the name is too long */
export function encodeHeader({ name, size }: TarEntry, modifiedAt: Date): Buffer {
  const header = Buffer.alloc(blockSize)
  if (Buffer.byteLength(name) > nameField.length) throw new Error(`${name} is too long a name for an archive`)
  header.write(name, nameField.start)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  writeSize(header, size)
  header.write(octal(Math.floor(modifiedAt.getTime() / 1000), 11), 136)
  header.write('        ', sumField.start)
  header[typeAt] = '0'.charCodeAt(0)
  header.write('ustar\0', magicField.start)
  header.write('00', 263)
  header.write(`${octal(sumOf(header), 6)}\0 `, sumField.start)
  return header
}

/** Undefined for an empty block. @throws TarError */
export function decodeHeader(header: Buffer): TarEntry | undefined {
  if (header.every((byte) => byte === 0)) return undefined
  const sum = Number.parseInt(textIn(header, sumField), 8)
  if (textIn(header, magicField) !== 'ustar' || sum !== sumOf(header)) throw new TarError('is damaged')
  if (header[typeAt] !== '0'.charCodeAt(0) || header[345] !== 0) {
    throw new TarError('holds something else than plain files with short names')
  }
  const size = readSize(header)
  if (!Number.isSafeInteger(size) || size < 0) throw new TarError('is damaged')
  return { name: textIn(header, nameField), size }
}

/** The message says what is wrong with an archive: `is damaged`. */
export class TarError extends Error {}

/** The sum of all bytes, counting those of the checksum itself as spaces. */
function sumOf(header: Buffer): number {
  const end = sumField.start + sumField.length
  return header.reduce((sum, byte, index) => sum + (index >= sumField.start && index < end ? 32 : byte), 0)
}

function writeSize(header: Buffer, size: number): void {
  if (size <= maxOctalSize) {
    header.write(octal(size, 11), sizeField.start)
    return
  }
  header[sizeField.start] = 0x80
  header.writeBigUInt64BE(BigInt(size), sizeField.start + 4)
}

function readSize(header: Buffer): number {
  if (header[sizeField.start] === 0x80) return Number(header.readBigUInt64BE(sizeField.start + 4))
  const text = textIn(header, sizeField).trim()
  return /^[0-7]{1,11}$/.test(text) ? Number.parseInt(text, 8) : -1
}

function textIn(header: Buffer, { start, length }: typeof nameField): string {
  const field = header.subarray(start, start + length)
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? length : end)
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
