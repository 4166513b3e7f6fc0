import { type AttributeFile, hasLinks } from '../file-attribute.ts'
import type { FileProblem } from '../files/file-problem.ts'
import { type AttributeOwner, findAttribute } from '../files/schema-source.ts'
import { snakeCase } from './names.ts'

/**
 * Attributes of types have columns in snake case, and link tables; attributes of components are members of JSON, with
 * their names unchanged.
 */
type Holder = 'type' | 'component'

/** Whether each `renamedFrom` names existing data that no other attribute takes over. */
export function checkRenames(owner: AttributeOwner, holder: Holder): FileProblem[] {
  const takers = new Map<string, string>()
  return Object.entries(owner.content.attributes).flatMap(([name, file]) => {
    const earlier = file.renamedFrom
    if (earlier === undefined) return []
    const taker = takers.get(earlier)
    takers.set(earlier, name)
    const reason = reasonAgainst({ name, file, earlier, taker }, owner, holder)
    if (reason === undefined) return []
    return [{ at: `attributes.${name}.renamedFrom`, message: reason, remedy: 'remove it or correct it' }]
  })
}

interface Rename {
  readonly name: string
  readonly file: AttributeFile
  readonly earlier: string
  /** Another attribute that claims the same earlier name. */
  readonly taker: string | undefined
}

function reasonAgainst(
  { name, file, earlier, taker }: Rename,
  owner: AttributeOwner,
  holder: Holder,
): string | undefined {
  const isSame = holder === 'type' ? snakeCase(earlier) === snakeCase(name) : earlier === name
  if (isSame) return 'is the same name'
  if (file.type === 'relation' && file.mappedBy !== undefined)
    return 'is not possible, as the other side has the data'
  if (holder === 'type' && hasLinks(file))
    return 'is not possible, as links are kept in a table of their own name'
  if (findAttribute(owner, earlier) !== undefined) return `names ${earlier}, which is still an attribute`
  return taker === undefined ? undefined : `names ${earlier}, as ${taker} does`
}
