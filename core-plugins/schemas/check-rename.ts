import { type AttributeFile, hasLinks } from './file-attribute.ts'
import type { FileProblem } from './file-problem.ts'
import { snakeCase } from './names.ts'
import { findAttribute, type SchemaSource } from './schema-source.ts'

/** Whether each `renamedFrom` names existing data that no other attribute takes over. */
export function checkRenames(type: SchemaSource): FileProblem[] {
  const takers = new Map<string, string>()
  return Object.entries(type.content.attributes).flatMap(([name, file]) => {
    const earlier = file.renamedFrom
    if (earlier === undefined) return []
    const taker = takers.get(earlier)
    takers.set(earlier, name)
    const reason = reasonAgainst(type, { name, file, earlier, taker })
    if (reason === undefined) return []
    return [{ at: `attributes.${name}.renamedFrom`, message: reason, remedy: 'remove it or correct it' }]
  })
}

interface Rename {
  readonly name: string
  readonly file: AttributeFile
  readonly earlier: string
  /** Another attribute that also claims the earlier name. */
  readonly taker: string | undefined
}

function reasonAgainst(type: SchemaSource, { name, file, earlier, taker }: Rename): string | undefined {
  if (snakeCase(earlier) === snakeCase(name)) return 'is the same name'
  if (file.type === 'relation' && file.mappedBy !== undefined)
    return 'is not possible, as the other side has the data'
  if (hasLinks(file)) return 'is not possible, as links are kept in a table of their own name'
  if (findAttribute(type, earlier) !== undefined) return `names ${earlier}, which is still an attribute`
  return taker === undefined ? undefined : `names ${earlier}, as ${taker} does`
}
