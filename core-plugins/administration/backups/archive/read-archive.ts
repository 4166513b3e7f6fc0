import { createReadStream, type ReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { DamagedArchive } from './damaged-archive.ts'
import { isEntryName } from './entry-names.ts'
import { blockSize, decodeHeader, paddingOf, type TarEntry, TarError } from './tar.ts'

/** A file in an archive, and the position of its bytes. */
export interface ArchiveEntry extends TarEntry {
  /** The offset of its first byte. */
  readonly offset: number
}

/** An archive open for reading; its contents are not checked. */
export interface ArchiveReader {
  readonly path: string
  /** The files in order; one header is read at a time. @throws DamagedArchive */
  entries(): AsyncGenerator<ArchiveEntry>
  /** Like `entries`, for an archive that is not finished yet. */
  unfinishedEntries(): AsyncGenerator<ArchiveEntry>
  /** Calls `take` with all bytes of a file in chunks; each chunk is overwritten by the next. */
  eachPiece(entry: Pick<ArchiveEntry, 'offset' | 'size'>, take: (piece: Buffer) => void): Promise<void>
  /** All bytes of a file, or of a part of it: few enough for the memory. */
  read(piece: Pick<ArchiveEntry, 'offset' | 'size'>): Promise<Buffer>
  /** The bytes of a file as a stream. */
  stream(entry: ArchiveEntry): ReadStream
  close(): Promise<void>
}

/** Larger chunks than Node's default: each costs a turn of the event loop. */
const streamChunkBytes = 256 * 1024

/** @throws Error of Node if the file does not exist */
export async function openArchive(path: string): Promise<ArchiveReader> {
  const file = await open(path, 'r')
  return {
    path,
    entries: () => finishedEntries(file),
    unfinishedEntries: () => walk(file),
    eachPiece: (entry, take) => eachPiece(file, entry, take),
    read: ({ offset, size }) => readAt(file, offset, size),
    stream(entry) {
      const { offset, size } = entry
      const end = offset + Math.max(size, 1) - 1
      return createReadStream(path, { start: offset, end, highWaterMark: streamChunkBytes })
    },
    close: () => file.close(),
  }
}

async function* finishedEntries(file: FileHandle): AsyncGenerator<ArchiveEntry> {
  const { size: fileSize } = await file.stat()
  const position = yield* walk(file)
  const end = await readAt(file, position, 2 * blockSize)
  if (end.some((byte) => byte !== 0)) throw new DamagedArchive('is damaged at its end')
  if (position + 2 * blockSize !== fileSize) throw new DamagedArchive('goes on after its end')
}

/** Media excluded, whose number is not limited: hundreds of gigabytes of rows need fewer. */
const maxListedFiles = 200_000

/** Returns where the last file ends. */
async function* walk(file: FileHandle): AsyncGenerator<ArchiveEntry, number> {
  const { size: fileSize } = await file.stat()
  const seen = new Set<string>()
  let position = 0
  while (position < fileSize) {
    const entry = decode(await readAt(file, position, blockSize))
    if (entry === undefined) break
    if (!isEntryName(entry.name)) {
      throw new DamagedArchive(`holds a file that does not belong there: ${JSON.stringify(entry.name)}`)
    }
    // Media names are too many to remember; they are checked against the records.
    if (!entry.name.startsWith('media/')) {
      if (seen.size === maxListedFiles) throw new DamagedArchive(`holds more than ${maxListedFiles} files`)
      if (seen.has(entry.name)) throw new DamagedArchive(`holds ${entry.name} twice`)
      seen.add(entry.name)
    }
    const offset = position + blockSize
    if (offset + entry.size > fileSize) throw truncated()
    yield { ...entry, offset }
    position = offset + entry.size + paddingOf(entry.size)
  }
  return position
}

const pieceBytes = 256 * 1024

async function eachPiece(
  file: FileHandle,
  { offset, size }: Pick<ArchiveEntry, 'offset' | 'size'>,
  take: (piece: Buffer) => void,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, Math.max(size, 1)))
  for (let done = 0; done < size; ) {
    const length = Math.min(buffer.length, size - done)
    const { bytesRead } = await file.read(buffer, 0, length, offset + done)
    if (bytesRead === 0) throw truncated()
    take(buffer.subarray(0, bytesRead))
    done += bytesRead
  }
}

function decode(header: Buffer): TarEntry | undefined {
  try {
    return decodeHeader(header)
  } catch (error) {
    if (error instanceof TarError) throw new DamagedArchive(error.message, { cause: error })
    throw error
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) throw truncated()
    filled += bytesRead
  }
  return buffer
}

function truncated(): DamagedArchive {
  return new DamagedArchive('is not complete: its end is missing')
}
