/** A part of the other system that has no counterpart here, or an unexpected one. */
export interface Finding {
  /** The part that it concerns: `article.notes`, `file picture.png`. */
  readonly subject: string
  readonly message: string
}

export interface SourceFolder {
  /** The id in the other system; unique among folders. */
  readonly id: string
  readonly name: string
  /** The id of the parent folder; undefined for a top-level folder. */
  readonly parent: string | undefined
}

export interface SourceFile {
  readonly uuid: string
  /** With its extension. */
  readonly name: string
  readonly alt: string | null
  readonly caption: string | null
  /** The id of its `SourceFolder`. */
  readonly folder: string | undefined
  /** As recorded in the other system, or guessed from the extension: `image/png`. */
  readonly mimeType: string
  /** Writes its bytes to a new file. @throws MigrationError, DownloadError if the file cannot be read or downloaded */
  write(path: string, download: Download): Promise<void>
}

/** Downloads a file, under the same limits of addresses and size as imports by URL. @throws DownloadError */
export type Download = (url: string, path: string) => Promise<void>

export interface SourceUser {
  readonly uuid: string
  readonly username: string
  readonly email: string
  readonly isBlocked: boolean
}

/** A text that contains addresses of files. Each is replaced by the file's address here, unless the file was not migrated. */
export class TextWithFiles {
  readonly parts: readonly (string | { readonly uuid: string; readonly address: string })[]

  constructor(parts: TextWithFiles['parts']) {
    this.parts = parts
  }
}

/** One localisation of an entry. References are `{ "uuid": … }` of entries, files and users; texts may be `TextWithFiles`. */
export interface SourceEntry {
  readonly uuid: string
  readonly locale: string | undefined
  /** The UUID of the first localisation of the same entry; undefined for that one. */
  readonly localizationOf: string | undefined
  readonly values: Readonly<Record<string, unknown>>
  /** References to entries of the same type. They are stored after all entries, so that no entry has to wait for another. */
  readonly completion?: Readonly<Record<string, unknown>> | undefined
  /** The changes since the entry was published, which become a pending draft. */
  readonly draft: Readonly<Record<string, unknown>> | undefined
  /** ISO 8601; null for a draft, undefined for types without drafts. */
  readonly publishedAt: string | null | undefined
  readonly createdAt: string | undefined
  readonly updatedAt: string | undefined
}

/** A type of the other system and the content type that it becomes here. */
export interface SourceType {
  /** As the other system names it. */
  readonly name: string
  /** The singular name of the content type here. */
  readonly type: string
  /** The number of entries, counting each localisation. */
  readonly entries: number
}

/** The content of another system, open for reading. */
export interface MigrationSource {
  /** Short and lower case: `strapi`. */
  readonly system: string
  /** Its name for people: `Strapi 5.54.0`. */
  readonly title: string
  /** Their contents by path within the folder of schema files. */
  readonly schemaFiles: ReadonlyMap<string, object>
  readonly types: readonly SourceType[]
  readonly locales: readonly string[]
  /** Complete only after all entries have been read, since some are found on the way. */
  readonly findings: readonly Finding[]
  readonly counts: { readonly folders: number; readonly files: number; readonly users: number }
  /** Parents come before their children. */
  folders(): Iterable<SourceFolder>
  files(): AsyncIterable<SourceFile>
  users(): Iterable<SourceUser>
  /** The entries of one of `types`; the localisations of an entry follow one another. */
  entries(type: SourceType): Iterable<SourceEntry>
  close(): Promise<void>
}
