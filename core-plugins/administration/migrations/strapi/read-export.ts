import { text } from 'node:stream/consumers'
import { MigrationError } from '../migration-error.ts'
import { createExportIndex, type ExportIndex } from './export-index.ts'
import { linkIn, rowIn, type StrapiLink, type StrapiRow, type StrapiSchema, schemaIn } from './export-rows.ts'
import { objectIn, readJsonLines } from './json-lines.ts'
import { type ArchiveFile, explained, readArchive } from './read-archive.ts'

/** The content of an export, without the bytes of its files. */
export interface StrapiExport {
  readonly path: string
  readonly key: string | undefined
  readonly version: string
  readonly schemas: readonly StrapiSchema[]
  readonly index: ExportIndex
  /** The names of the files whose bytes it contains, such as `picture_0_e3fd3bbe8a.png`. */
  readonly assets: ReadonlySet<string>
  readonly defaultLocale: string | undefined
}

/** A limit far above any real project. */
const maxSchemas = 20_000
const maxMetadataBytes = 1024 * 1024
/** More than Strapi can export in a day. The rows are stored on disk, not in memory. */
const maxRowBytes = 64 * 1024 ** 3
const rowsAtOnce = 1000

/** @throws MigrationError */
export async function readExport(path: string, key: string | undefined): Promise<StrapiExport> {
  const index = await createExportIndex()
  try {
    const parts = await new ExportReader(index).read(readArchive(path, key))
    index.finish()
    return { path, key, index, ...parts }
  } catch (error) {
    await index.close()
    throw explained(error, key)
  }
}

class ExportReader {
  readonly #index: ExportIndex
  readonly #schemas: StrapiSchema[] = []
  readonly #assets = new Set<string>()
  #version: string | undefined
  #defaultLocale: string | undefined
  #bytes = 0

  constructor(index: ExportIndex) {
    this.#index = index
  }

  async read(files: AsyncIterable<ArchiveFile>) {
    for await (const file of files) await this.#take(file)
    if (this.#version === undefined)
      throw new MigrationError('the export has no metadata.json: it is not complete, or none of Strapi')
    if (this.#schemas.length === 0)
      throw new MigrationError('the export has no schemas; export it again without --only or --exclude')
    return {
      version: this.#version,
      schemas: this.#schemas,
      assets: this.#assets,
      defaultLocale: this.#defaultLocale,
    }
  }

  async #take(file: ArchiveFile): Promise<void> {
    const { name, size } = file
    const [folder = '', ...rest] = name.split('/')
    if (name === 'metadata.json') this.#version = await versionIn(file)
    else if (folder === 'assets' && rest[0] === 'uploads') this.#addAsset(rest.slice(1).join('/'), size)
    else if (!name.endsWith('.jsonl')) return
    else {
      this.#bytes += size
      if (this.#bytes > maxRowBytes)
        throw new MigrationError(`the export holds more than ${maxRowBytes} bytes of entries`)
      await this.#takeLines(folder, file)
    }
  }

  async #takeLines(folder: string, { name, stream }: ArchiveFile): Promise<void> {
    const lines = readJsonLines(stream, name)
    if (folder === 'schemas') for await (const line of lines) this.#addSchema(schemaIn(line))
    else if (folder === 'entities') await this.#addAll(lines, (line) => ({ row: rowIn(line) }))
    else if (folder === 'links') await this.#addAll(lines, (line) => ({ link: linkIn(line) }))
    else if (folder === 'configuration') for await (const line of lines) this.#configure(line)
  }

  #addSchema(schema: StrapiSchema): void {
    if (this.#schemas.length === maxSchemas)
      throw new MigrationError(`the export has more than ${maxSchemas} schemas`)
    this.#schemas.push(schema)
  }

  #addAsset(name: string, size: number): void {
    if (name !== '' && size > 0) this.#assets.add(name)
  }

  async #addAll(
    lines: AsyncIterable<Record<string, unknown>>,
    read: (line: Record<string, unknown>) => {
      readonly row?: StrapiRow
      readonly link?: StrapiLink | undefined
    },
  ): Promise<void> {
    let [rows, links]: [StrapiRow[], StrapiLink[]] = [[], []]
    for await (const line of lines) {
      const { row, link } = read(line)
      if (row !== undefined) rows.push(row)
      if (link !== undefined) links.push(link)
      if (rows.length + links.length < rowsAtOnce) continue
      this.#index.add(rows, links)
      rows = []
      links = []
    }
    this.#index.add(rows, links)
  }

  #configure({ value }: Record<string, unknown>): void {
    const { key, value: stored } = Object(value) as { key?: unknown; value?: unknown }
    if (key !== 'plugin_i18n_default_locale' || typeof stored !== 'string') return
    this.#defaultLocale = stored.replace(/^"|"$/g, '')
  }
}

async function versionIn({ name, size, stream }: ArchiveFile): Promise<string> {
  if (size > maxMetadataBytes) throw new MigrationError(`${name} is longer than ${maxMetadataBytes} bytes`)
  const { strapi } = objectIn(await text(stream), name)
  const { version } = Object(strapi) as { version?: unknown }
  if (typeof version !== 'string') throw new MigrationError('metadata.json names no version of Strapi')
  if (!/^[45]\./.test(version))
    throw new MigrationError(`the export is of Strapi ${version}; those of 4 and 5 can be brought in`)
  return version
}
