/** The files of the application, ready to be sent. */
export interface BuiltApp {
  /** By name. A name contains a hash of what is in the file, so what has a name never changes. */
  readonly files: ReadonlyMap<string, BuiltFile>
  readonly entries: Entries
}

/** A file in the encodings that there are of it. */
export interface BuiltFile {
  read(encoding: FileEncoding): Promise<Uint8Array | undefined>
}

export type FileEncoding = 'plain' | 'br' | 'gzip'

/** Which files the pages begin with. */
export interface Entries {
  readonly panel: string
  /** The scripts that `panel` imports, directly or not, for the browser to fetch all at once. */
  readonly panelImports: readonly string[]
  /** The one style sheet of the application. */
  readonly styles: string
  readonly signIn: string
  readonly signInStyles: string
  /** What modules of plugins import: `react`, `mortise/panel`; by specifier. */
  readonly shared: Readonly<Record<string, string>>
}
