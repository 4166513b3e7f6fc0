/** The files of the application, ready to be sent. */
export interface BuiltApp {
  /** Files by name. A name contains a hash of the content, so a named file never changes. */
  readonly files: ReadonlyMap<string, BuiltFile>
  readonly entries: Entries
}

/** A file in its available encodings. */
export interface BuiltFile {
  read(encoding: FileEncoding): Promise<Uint8Array | undefined>
}

export type FileEncoding = 'plain' | 'br' | 'gzip'

/** The entry files of the pages. */
export interface Entries {
  readonly panel: string
  /** The scripts that `panel` imports, directly or not, for the browser to fetch all at once. */
  readonly panelImports: readonly string[]
  /** The one style sheet of the application. */
  readonly styles: string
  readonly signIn: string
  readonly signInStyles: string
  /** Files for the modules that plugins import, such as `react` and `mortise/panel`, by specifier. */
  readonly shared: Readonly<Record<string, string>>
}
