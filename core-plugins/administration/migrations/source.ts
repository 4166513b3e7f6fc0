/** Something that has no counterpart here, or another one than might be expected. */
export interface Finding {
  /** What it concerns: `article.notes`, `file picture.png`. */
  readonly subject: string
  readonly message: string
}

export interface SourceFolder {
  /** Of the other system; unique among folders. */
  readonly id: string
  readonly name: string
  /** Undefined at the top. */
  readonly parent: string | undefined
}

export interface SourceFile {
  readonly uuid: string
  /** With its extension. */
  readonly name: string
  readonly alt: string | null
  readonly caption: string | null
  /** Of a `SourceFolder`. */
  readonly folder: string | undefined
  /** As the other system has it, or as the name says: `image/png`. */
  readonly mimeType: string
  /** Writes its bytes to a new file. @throws MigrationError, DownloadError for a file that cannot be had */
  write(path: string, download: Download): Promise<void>
}

/** Fetches a file by its URL, held to the same addresses and sizes as other files by URL. @throws DownloadError */
export type Download = (url: string, path: string) => Promise<void>

export interface SourceUser {
  readonly uuid: string
  readonly username: string
  readonly email: string
  readonly isBlocked: boolean
}

/** A text that names files by their addresses: each becomes its address here, or stays as it is where the file is not here. */
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
  /** The UUID of the localisation of the same entry that comes first. */
  readonly localizationOf: string | undefined
  readonly values: Readonly<Record<string, unknown>>
  /** What refers to entries of the same type: it is stored once all of them are there, so that none waits for others. */
  readonly completion?: Readonly<Record<string, unknown>> | undefined
  /** What has been changed since it was published, which waits in a draft. */
  readonly draft: Readonly<Record<string, unknown>> | undefined
  /** ISO 8601; null for a draft, undefined for types without drafts. */
  readonly publishedAt: string | null | undefined
  readonly createdAt: string | undefined
  readonly updatedAt: string | undefined
}

/** A type of the other system, and what it becomes here. */
export interface SourceType {
  /** As the other system names it. */
  readonly name: string
  /** Singular name of ours. */
  readonly type: string
  /** How many localisations of entries there are. */
  readonly entries: number
}

/** The content of another system, open for reading. */
export interface MigrationSource {
  /** Short and lower case: `strapi`. */
  readonly system: string
  /** What it is, for people: `Strapi 5.54.0`. */
  readonly title: string
  /** By path in the folder of the schema files. */
  readonly schemaFiles: ReadonlyMap<string, object>
  readonly types: readonly SourceType[]
  readonly locales: readonly string[]
  /** Those that reading entries brings to light are there once these have been read. */
  readonly findings: readonly Finding[]
  readonly counts: { readonly folders: number; readonly files: number; readonly users: number }
  /** Those that hold others come before these. */
  folders(): Iterable<SourceFolder>
  files(): AsyncIterable<SourceFile>
  users(): Iterable<SourceUser>
  /** The entries of one of `types`; those of an entry's localisations one after the other. */
  entries(type: SourceType): Iterable<SourceEntry>
  close(): Promise<void>
}
