import type { StartupProblem } from '../../kernel/index.ts'
import type { ComponentFile, ContentTypeFile, FileKind } from './file-schema.ts'

/** A file of the schemas directory, read but not checked. */
export interface SchemaFile {
  readonly kind: FileKind
  /** As messages name it. */
  readonly path: string
  /** What its name says that it declares: `article`, `shared.seo`, `user`. */
  readonly name: string
  readonly content: unknown
}

/**
 * A content type on the way from its file to the model. Where its file is wrong it holds what could be
 * saved of it, so that the rest is checked in the same go.
 */
export interface TypeDraft {
  readonly name: string
  readonly content: ContentTypeFile
  /** Attributes that could not be saved: asking about them yields no further problems. */
  readonly lost: ReadonlySet<string>
  /** The file in which an attribute, or anything else by default, stands. */
  readonly path: string
  readonly system?: {
    readonly table: string
    readonly privateAttributes: ReadonlySet<string>
  }
}

/** The same for a component. */
export interface ComponentDraft {
  readonly uid: string
  readonly content: ComponentFile
  readonly lost: ReadonlySet<string>
  readonly path: string
}

/** Everything declared, checked or not. */
export interface Drafts {
  readonly types: ReadonlyMap<string, TypeDraft>
  readonly components: ReadonlyMap<string, ComponentDraft>
}

/** A problem in a file; `at` is the dotted path in it, empty for the file as a whole. */
export interface FileProblem {
  readonly at: string
  readonly message: string
  readonly remedy: string
}

/** The problem with its file, as the start-up report shows it. */
export function inFile(path: string, { at, message, remedy }: FileProblem): StartupProblem {
  return { subject: at === '' ? path : `${path}: ${at}`, message, remedy }
}
