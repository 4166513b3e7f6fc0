import type { Content, Entry, FoundEntry } from '../../entries/content/content.ts'
import { AppError, assertValid, type Principal, type TokenPrincipal } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import { type KnownReferencesParts, withoutUnknown } from './known-references.ts'
import type { PreviewCaller } from './preview-callers.ts'
import { populateOf, problemsOf, type UnsavedFields } from './shown-fields.ts'

export interface ReadPreviewParts {
  readonly content: Content
  readonly schemas: Schemas
  /** Whether changes of public entries are stored separately, as drafts. */
  readonly keepsDrafts: boolean
}

export interface PreviewRequest extends PreviewCaller {
  readonly type: string
  readonly id: number
  /** As in a query string. */
  readonly populate: string | undefined
}

/**
 * Reads an entry as if it were published now: with its draft, and with related entries as readers see them.
 * @throws AppError 400, 403
 */
export async function readPreview(
  { content, schemas, keepsDrafts }: ReadPreviewParts,
  { type, id, populate, draftReader, publicReader }: PreviewRequest,
): Promise<FoundEntry | undefined> {
  const reads = content.within()
  const complete =
    populate === undefined
      ? undefined
      : reads.populateInto(type, `populate=${encodeURIComponent(populate)}`, publicReader)
  const hasDraft = keepsDrafts && schemas.types.get(type)?.options.draftOverlay === true
  const found = await reads.find(type, id, hasDraft ? 'draft=true' : '', draftReader)
  if (found === undefined || complete === undefined) return found
  // Copied, since middleware may keep the returned entry.
  const entry = { ...found.entry }
  await complete(entry)
  return { ...found, entry }
}

export interface UnsavedRequest extends UnsavedFields {
  readonly type: string
  /** The entry to which the fields belong; undefined before its first save. */
  readonly id: number | undefined
  /** The sender of the fields, on whose behalf related entries are read. */
  readonly principal: Principal
  readonly reader: TokenPrincipal
}

/** Populates fields as in an entry that was saved and published with them. @throws AppError 400, 403, 404 */
export async function readUnsaved(
  parts: KnownReferencesParts,
  { type: name, id, fields, populate, principal, reader }: UnsavedRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const { content, schemas } = parts
  const type = schemas.types.get(name)
  if (type === undefined) throw AppError.notFound(`the content type ${name}`)
  assertValid(problemsOf(type, schemas, fields))
  const wanted = encodeURIComponent(populateOf(type, { fields, populate }))
  const complete = content.populateInto(name, `populate=${wanted}`, reader)
  const shown = { ...(await withoutUnknown(parts, { type, id, fields, principal })) }
  await complete(shown as Entry)
  return shown
}
