import { isDeepStrictEqual } from 'node:util'
import type { SchemaTexts } from '../../foundation/schemas/schemas.ts'
import type { MigrationSource } from './source.ts'

/** A schema file that a migration needs. */
export interface SchemaFileChange {
  readonly path: string
  readonly content: object
  /** `different`: the file exists and declares something else. */
  readonly state: 'new' | 'different' | 'same'
}

/** Compares the schema files that a migration needs with those that exist. */
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

/** Leaves out `$schema`, which is for editors and declares nothing. */
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
