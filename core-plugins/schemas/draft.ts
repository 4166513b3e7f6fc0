import type { StartupProblem } from '../../kernel/index.ts'
import type { AttributeFile } from './file-attribute-schema.ts'
import type { ComponentFile, ContentTypeFile, FileKind } from './file-schema.ts'

/** A file of the schemas directory, read but not checked. */
export interface SchemaFile {
  readonly kind: FileKind
  /** As messages name it. */
  readonly path: string
  /** What its name says that it declares: `article`, `shared.seo`, `user`. */
  readonly name: string
  readonly content: unknown
  /** Why there is no content. */
  readonly unreadable?: FileProblem
}

/** The names of attributes that could not be saved: asking about them yields no further problems. */
export interface LostAttributes {
  has(name: string): boolean
}

/** What an attribute stands in, a type or a component. */
export interface AttributeOwner {
  readonly content: { readonly attributes: Readonly<Record<string, AttributeFile>> }
  readonly lost: LostAttributes
}

/** The attribute of this name, if there is a sound one. */
export function findAttribute({ content }: AttributeOwner, name: string): AttributeFile | undefined {
  return Object.hasOwn(content.attributes, name) ? content.attributes[name] : undefined
}

/**
 * A content type on the way from its file to the model. Where its file is wrong it holds what could be
 * saved of it, so that the rest is checked in the same go.
 */
export interface TypeDraft extends AttributeOwner {
  readonly name: string
  readonly content: ContentTypeFile
  /** The file that its problems are in. */
  readonly path: string
  readonly system?: {
    readonly table: string
    readonly privateAttributes: ReadonlySet<string>
  }
}

/** The same for a component. */
export interface ComponentDraft extends AttributeOwner {
  readonly uid: string
  readonly content: ComponentFile
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
