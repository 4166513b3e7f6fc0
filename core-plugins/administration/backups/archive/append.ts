import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { encodeHeader, endOfArchive, paddingOf } from './tar.ts'

/** Appends files to an archive, synchronously: for threads that need not respond meanwhile. */
export interface ArchiveAppender {
  add(name: string, content: Buffer): void
  /** Appends the contents of another file. */
  addFile(name: string, path: string): void
  /** Ends the archive and syncs it to the disk. */
  finish(): void
  close(): void
}

const copyBytes = 1024 * 1024

export function appendTo(path: string, modifiedAt: Date): ArchiveAppender {
  const file = openSync(path, 'a')
  const write = (bytes: Buffer) => {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
  }
  return {
    add(name, content) {
      write(encodeHeader({ name, size: content.length }, modifiedAt))
      write(content)
      write(Buffer.alloc(paddingOf(content.length)))
    },
    addFile(name, path) {
      const source = openSync(path, 'r')
      try {
        const { size } = fstatSync(source)
        write(encodeHeader({ name, size }, modifiedAt))
        const buffer = Buffer.allocUnsafe(copyBytes)
        for (let read = readSync(source, buffer); read > 0; read = readSync(source, buffer)) {
          write(buffer.subarray(0, read))
        }
        write(Buffer.alloc(paddingOf(size)))
      } finally {
        closeSync(source)
      }
    },
    finish() {
      write(endOfArchive)
      fsyncSync(file)
    },
    close: () => closeSync(file),
  }
}
