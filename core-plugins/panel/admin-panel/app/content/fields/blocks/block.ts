import type { DescribedComponent } from '../../../../../../../client/admin.ts'
import type { Components } from '../../../ground/api/components.ts'
import { firstValueOf } from '../../schema/first-value.ts'
import { valueKindOf } from '../../schema/value-kinds.ts'

/** An item of a repeatable component, or a block of a zone, which names its component. */
export interface Block {
  readonly id?: string | number
  readonly __component?: string
  readonly [field: string]: unknown
}

/** The blocks of a field; an empty list if the value is of another kind. */
export const blocksOf = (value: unknown): readonly Block[] =>
  Array.isArray(value) ? value.filter(isBlock) : []

const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An id for a new block. It stays with the block, so that changes by two people can be merged and moved blocks recognised. */
export function newBlockId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** The initial values of a component, including those of its required components. */
export function newValuesOf(component: DescribedComponent, components: Components): Block {
  const values = component.attributes.map((attribute) => {
    const { name, type, required, repeatable } = attribute
    const inner = type === 'component' ? components.get(String(attribute.component)) : undefined
    if (inner !== undefined && required && repeatable !== true) return [name, newValuesOf(inner, components)]
    return [name, firstValueOf(attribute)]
  })
  return Object.fromEntries(values)
}

/** The title of a closed block: its title field, else its first text. */
export function titleOfBlock(block: Block | undefined, component: DescribedComponent | undefined): string {
  if (block === undefined || component === undefined) return ''
  const title = block[component.titleField]
  if (component.titleField !== 'id' && typeof title === 'string' && title !== '') return excerptOf(title)
  const texts = component.attributes.filter(({ type }) => isReadable(type)).map(({ name }) => block[name])
  const first = texts.find((text) => typeof text === 'string' && text !== '')
  return excerptOf(typeof first === 'string' ? first : '')
}

function isReadable(type: string): boolean {
  const { operand } = valueKindOf(type)
  return operand === 'text' || operand === 'choice'
}

const maxTitle = 80

/** The first words, without the tags of rich text. */
function excerptOf(text: string): string {
  const words = text
    .slice(0, 1_000)
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words.length > maxTitle ? `${words.slice(0, maxTitle)}…` : words
}
