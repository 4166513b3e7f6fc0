import { isDeepStrictEqual } from 'node:util'
import type { SchemaTexts } from '../../foundation/schemas/schemas.ts'
import type { MigrationSource } from './source.ts'

/** A schema file that a migration needs. */
export interface SchemaFileChange {
  readonly path: string
  readonly content: object
  /** `different`: there is such a file, which declares something else. */
  readonly state: 'new' | 'different' | 'same'
}

/** What would have to be written, compared with the files that are there. */
export function schemaFileChanges(
  { schemaFiles }: MigrationSource,
  { texts }: SchemaTexts,
): SchemaFileChange[] {
  return [...schemaFiles].map(([path, content]) => ({
    path,
    content,
    state: stateOf(content, texts.get(path)),
  }))
}

function stateOf(content: object, text: string | undefined): SchemaFileChange['state'] {
  if (text === undefined) return 'new'
  return isDeepStrictEqual(withoutReference(parsed(text)), withoutReference(content)) ? 'same' : 'different'
}

/** Where editors find the schema of a file says nothing about what it declares. */
function withoutReference(content: unknown): unknown {
  if (typeof content !== 'object' || content === null) return content
  const { $schema: _, ...rest } = content as Record<string, unknown>
  return rest
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
