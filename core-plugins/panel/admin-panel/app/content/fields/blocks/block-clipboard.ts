import type { DescribedAttribute } from '../../../../../../../client/admin.ts'
import type { Components } from '../../../ground/api/components.ts'
import type { Block } from './block.ts'
import { copyOf } from './block-list.ts'

/** The clipboard format of copied blocks: other pages and programs see readable JSON. */
interface CopiedBlocks {
  readonly mortise: 'blocks'
  readonly blocks: readonly { readonly component: string; readonly values: Block }[]
}

/** In characters. Longer clipboard texts are not examined. */
const maxLength = 2_000_000

/** Blocks as text for the clipboard; pass `uid` for items of a repeatable component, which do not name their component. */
export function copyText(blocks: readonly Block[], uid?: string): string {
  const copied: CopiedBlocks = {
    mortise: 'blocks',
    blocks: blocks.map(({ __component, id: _id, ...values }) => ({
      component: uid ?? String(__component),
      values,
    })),
  }
  return JSON.stringify(copied, null, 2)
}

export interface PasteTarget {
  /** The uids of the components that the field allows. */
  readonly allowed: readonly string[]
  readonly components: Components
  /** Whether each block names its component. */
  readonly isZone: boolean
}

/** The blocks read from pasted text. */
export interface Pasted {
  readonly blocks: readonly Block[]
  /** Names of pasted components that the field does not allow. */
  readonly refused: readonly string[]
}

/**
 * Reads copied blocks for insertion into another field: they get new ids, and values without a field in their component are
 * dropped. Undefined if the text is not copied blocks.
 */
export function pastedBlocks(text: string, target: PasteTarget): Pasted | undefined {
  const copied = readCopied(text)
  if (copied === undefined) return undefined
  const { allowed, components, isZone } = target
  const fits = copied.filter(({ component }) => allowed.includes(component) && components.has(component))
  const refused = copied.filter((each) => !fits.includes(each)).map(({ component }) => component)
  const blocks = fits.map(({ component, values }) => {
    const known = fitted(values, components.get(component)?.attributes ?? [], components)
    return copyOf(isZone ? { __component: component, ...known } : known)
  })
  return { blocks, refused: [...new Set(refused)] }
}

function readCopied(text: string): CopiedBlocks['blocks'] | undefined {
  if (text.length > maxLength || !text.includes('"mortise"')) return undefined
  try {
    const read: unknown = JSON.parse(text)
    if (!isObject(read) || read.mortise !== 'blocks' || !Array.isArray(read.blocks)) return undefined
    return read.blocks.filter(
      (each) => isObject(each) && typeof each.component === 'string' && isObject(each.values),
    )
  } catch {
    return undefined
  }
}

/** The values that have a field in the component, recursively for nested components. */
function fitted(values: Block, attributes: readonly DescribedAttribute[], components: Components): Block {
  const known = attributes.filter(({ name }) => Object.hasOwn(values, name))
  return Object.fromEntries(
    known.map((attribute) => [attribute.name, fittedValue(values[attribute.name], attribute, components)]),
  )
}

function fittedValue(value: unknown, attribute: DescribedAttribute, components: Components): unknown {
  if (attribute.type !== 'component' && attribute.type !== 'dynamicZone') return value
  const one = (each: unknown) => {
    if (!isObject(each)) return []
    const isZone = attribute.type === 'dynamicZone'
    const component = components.get(String(isZone ? each.__component : attribute.component))
    const isAllowed = !isZone || (attribute.components as readonly string[]).includes(component?.uid ?? '')
    if (component === undefined || !isAllowed) return []
    const { __component } = each
    return [{ ...(isZone ? { __component } : {}), ...fitted(each, component.attributes, components) }]
  }
  return Array.isArray(value) ? value.flatMap(one) : (one(value)[0] ?? null)
}

const isObject = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
