import type { FieldTypes } from '../field-type.ts'
import type { AttributeFile } from '../file-attribute.ts'
import type { Origin } from '../origin.ts'
import type { FileProblem } from './file-problem.ts'
import type { ComponentFile, ContentTypeFile, FileKind } from './file-schema.ts'

/** A schema file, read but not checked. */
export interface SchemaFile extends Origin {
  readonly kind: FileKind
  /** The name that it declares: `article`, `shared.seo`, `user`. */
  readonly name: string
  readonly content: unknown
  /** Why the content is missing, if it could not be read. */
  readonly unreadable?: FileProblem
}

/** The names of attributes that could not be read: references to them are not reported as additional problems. */
export interface LostAttributes {
  has(name: string): boolean
}

/** The owner of an attribute: a type or a component. */
export interface AttributeOwner {
  readonly content: { readonly attributes: Readonly<Record<string, AttributeFile>> }
  readonly lost: LostAttributes
  readonly origin: Origin
  /** The origins of the attributes that extensions add, by name. */
  readonly origins: ReadonlyMap<string, Origin>
}

/** The origin of the attribute or type at a path. */
export function originOf({ origin, origins }: AttributeOwner, at: string): Origin {
  const [, attribute = ''] = /^attributes\.([^.]+)/.exec(at) ?? []
  return origins.get(attribute) ?? origin
}

/** The attribute of this name, if it is well-formed. */
export function findAttribute({ content }: AttributeOwner, name: string): AttributeFile | undefined {
  return Object.hasOwn(content.attributes, name) ? content.attributes[name] : undefined
}

/**
 * A content type on the way from its file to the model. If its file has problems, it contains the valid parts, so
 * that these are checked in the same pass.
 */
export interface SchemaSource extends AttributeOwner {
  readonly name: string
  readonly content: ContentTypeFile
  readonly system?: {
    readonly table: string
    readonly privateAttributes: ReadonlySet<string>
  }
}

/** The same for a component. */
export interface ComponentDraft extends AttributeOwner {
  readonly uid: string
  readonly content: ComponentFile
}

/** Everything that is declared, checked or not. */
export interface Drafts {
  readonly types: ReadonlyMap<string, SchemaSource>
  readonly components: ReadonlyMap<string, ComponentDraft>
  readonly fieldTypes: FieldTypes
  /** Switched-off plugins by name, each with the reason. */
  readonly switchedOff: ReadonlyMap<string, string>
}
