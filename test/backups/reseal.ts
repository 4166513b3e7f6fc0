import { createHash } from 'node:crypto'
import { entryNames } from '../../core-plugins/administration/backups/archive/entry-names.ts'
import {
  blockSize,
  decodeHeader,
  encodeHeader,
  endOfArchive,
  paddingOf,
} from '../../core-plugins/administration/backups/archive/tar.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A file of an archive, and where it lies. */
export interface TestEntry {
  readonly name: string
  readonly offset: number
  readonly content: Buffer
}

/** The files of an archive in their order. */
export function entriesIn(archive: Uint8Array): TestEntry[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const entries: TestEntry[] = []
  for (let position = 0; ; ) {
    const header = decodeHeader(bytes.subarray(position, position + blockSize))
    if (header === undefined) return entries
    const offset = position + blockSize
    entries.push({ name: header.name, offset, content: bytes.subarray(offset, offset + header.size) })
    position = offset + header.size + paddingOf(header.size)
  }
}

/** An archive of these files. */
export function archiveOf(entries: readonly { name: string; content: Buffer }[]): Bytes {
  const parts = entries.flatMap(({ name, content }) => [
    encodeHeader({ name, size: content.length }, new Date()),
    content,
    Buffer.alloc(paddingOf(content.length)),
  ])
  return new Uint8Array(Buffer.concat([...parts, endOfArchive]))
}

export interface Changes {
  /** Replaces contents by name. */
  readonly contents?: Readonly<Record<string, Buffer>>
  /** Which of them are new. */
  readonly added?: readonly string[]
  // biome-ignore lint/suspicious/noExplicitAny: tests make manifests that are wrong in every way
  readonly manifest?: (manifest: any) => void
}

/** Changes an archive as somebody would who knows the format: all checksums fit again. */
export function reseal(archive: Uint8Array, { contents = {}, added = [], manifest: change }: Changes): Bytes {
  const [header, ...others] = entriesIn(archive)
  const all = [
    ...(header === undefined ? [] : [header]),
    ...added.map((name) => ({ name, content: Buffer.alloc(0) })),
    ...others,
  ].map(({ name, content }) => ({ name, content: contents[name] ?? content }))
  const frame: readonly string[] = [entryNames.checksums, entryNames.manifest, entryNames.seal]
  const rest = all.filter(({ name }) => !frame.includes(name))
  const sums = Buffer.from(rest.map(({ name, content }) => `${sha256(content)}  ${name}\n`).join(''))
  const manifest = JSON.parse(String(all.find(({ name }) => name === entryNames.manifest)?.content))
  manifest.checksums = sha256(sums)
  change?.(manifest)
  const text = Buffer.from(JSON.stringify(manifest))
  return archiveOf([
    ...rest,
    { name: entryNames.checksums, content: sums },
    { name: entryNames.manifest, content: text },
    { name: entryNames.seal, content: Buffer.from(`${sha256(text)}\n`) },
  ])
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
