import { AppError, type ErrorDetail } from '../../foundation/http/http.ts'
import type { SchemaTexts } from '../../foundation/schemas/schemas.ts'
import { formatSchema } from './format.ts'

/** The wanted contents of files by path in the schemas directory; null to remove a file. */
export type SchemaChanges = Readonly<Record<string, object | null>>

/** Matches the paths of content types, of components, and of extensions of content types. */
export const schemaPathPattern =
  '^(?:[A-Za-z][A-Za-z0-9_-]{0,60}|components/[A-Za-z][A-Za-z0-9_-]{0,60}\\.[A-Za-z][A-Za-z0-9_-]{0,60})(?:\\.extension)?\\.json$'

/** More than the largest type needs; limited, since every value takes time to check. */
const maxValues = 4_000

/** For all files of a request: more than fifty ordinary types have, which take half a second to check. */
const maxValuesOfAll = 10_000

/** What the changes would write: the text of each file that changes, and null for each that is removed. */
export function textsOfChanges(
  changes: SchemaChanges,
  { texts }: SchemaTexts,
): ReadonlyMap<string, string | null> {
  const problems = [
    ...Object.entries(changes).flatMap(([path, content]) => problemsIn(path, content, texts)),
    ...problemsOfAll(changes),
  ]
  if (problems.length > 0) throw AppError.invalid([...problems, ...spelledAlike(changes, texts)])
  const alike = spelledAlike(changes, texts)
  if (alike.length > 0) throw AppError.invalid(alike)
  const written = Object.entries(changes).map(
    ([path, content]) => [path, content === null ? null : formatted(content, texts.get(path))] as const,
  )
  return new Map(written.filter(([path, text]) => text !== (texts.get(path) ?? null)))
}

/** The files after the changes. */
export function withChanges(
  { texts, misplaced }: SchemaTexts,
  changes: ReadonlyMap<string, string | null>,
): SchemaTexts {
  const changed = new Map(texts)
  for (const [path, text] of changes) {
    if (text === null) changed.delete(path)
    else changed.set(path, text)
  }
  return { texts: new Map([...changed].sort(([left], [right]) => (left < right ? -1 : 1))), misplaced }
}

function problemsIn(path: string, content: object | null, texts: SchemaTexts['texts']): ErrorDetail[] {
  const at = `files.${path}`
  if (content === null) {
    return texts.has(path) ? [] : [{ path: at, code: 'unsupported', message: 'there is no such file' }]
  }
  if (countValues(content) <= maxValues) return []
  return [{ path: at, code: 'maxItems', message: `must have at most ${maxValues} values` }]
}

function problemsOfAll(changes: SchemaChanges): ErrorDetail[] {
  if (countValues(changes) <= maxValuesOfAll) return []
  const message = `must have at most ${maxValuesOfAll} values in all; send them in several requests`
  return [{ path: 'files', code: 'maxItems', message }]
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, part) => sum + countValues(part), 1)
}

/** Many file systems treat names that differ only in case as equal, and a project is checked out on all kinds of them. */
function spelledAlike(changes: SchemaChanges, texts: SchemaTexts['texts']): ErrorDetail[] {
  const all = new Set([...texts.keys(), ...Object.keys(changes)])
  const spellings = new Map<string, readonly string[]>()
  for (const path of all)
    spellings.set(path.toLowerCase(), [...(spellings.get(path.toLowerCase()) ?? []), path])
  return Object.keys(changes).flatMap((path) => {
    const other = spellings.get(path.toLowerCase())?.find((each) => each !== path)
    if (other === undefined) return []
    const message = `differs from ${other} in upper and lower case only`
    return [{ path: `files.${path}`, code: 'unique', message }]
  })
}

/** Formats a file like its earlier version; a file that was not valid JSON gets the usual format. */
function formatted(content: object, earlier: string | undefined): string {
  try {
    return formatSchema(content, earlier)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return formatSchema(content)
  }
}
