import {
  type ApplyResult,
  type ComparedSections,
  type Comparison,
  changeText,
  type Difference,
  type ItemDifference,
  type TransferPlan,
} from '../core-plugins/administration/transfer/transfer.ts'
import {
  differingMembers,
  nameOf,
  type TransferItem,
  type Value,
} from '../core-plugins/foundation/sections/sections.ts'

/** More items of a section are counted and not named. */
const maxNamed = 50

const words: Readonly<Record<Difference, string>> = {
  added: 'missing there',
  changed: 'changed here',
  removed: 'only there',
  ahead: 'changed there only, stays',
  conflict: 'changed on both sides',
}

/** What differs, by section, with the fields that do. */
export async function differencesText(
  comparison: Comparison,
  { sections, leftOut }: ComparedSections,
): Promise<string> {
  const { source, target } = comparison
  const lines = [`From ${source.name} to ${target.name}:`]
  for (const { section, refusal, unshared, equal, differences } of sections) {
    const counts = Object.keys(words).flatMap((difference) => {
      const count = differences.filter((item) => item.difference === difference).length
      return count === 0 ? [] : [`${count} ${words[difference as Difference]}`]
    })
    lines.push(`${section}: ${[...counts, `${equal} equal`].join(', ')}`)
    if (unshared.length > 0) lines.push(`  without ${unshared.join(', ')}, which only one side has`)
    if (refusal !== null && differences.length > 0) {
      lines.push(`  cannot be written on the side ${target.name}: ${refusal}`)
    }
    lines.push(...(await itemLines(comparison, section, differences.slice(0, maxNamed))))
    if (differences.length > maxNamed) lines.push(`  … and ${differences.length - maxNamed} more`)
  }
  for (const { section, missingOn } of leftOut) {
    lines.push(`${section}: left out, as it is not on the side ${missingOn}, or you may not read it there`)
  }
  return lines.join('\n')
}

async function itemLines(
  { source, target }: Comparison,
  section: string,
  items: readonly ItemDifference[],
): Promise<string[]> {
  if (items.length === 0) return []
  const keysOf = (side: 'source' | 'target') =>
    items.filter((item) => item[side] !== null).map(({ key }) => key)
  const [here, there] = await Promise.all([
    found(source, section, keysOf('source')),
    found(target, section, keysOf('target')),
  ])
  return items.map((item) => {
    const [own, other] = [here.get(item.key), there.get(item.key)]
    const label = own?.label ?? other?.label
    const title = label === null || label === undefined ? '' : ` ${label}`
    return `  ${words[item.difference]}: ${nameOf(item)}${title}${fieldsText(own, other)}${conflictText(item)}`
  })
}

async function found(side: Comparison['source'], section: string, keys: readonly string[]) {
  const items = keys.length === 0 ? [] : await side.find(section, keys)
  return new Map(items.map((item) => [item.key, item]))
}

function fieldsText(own: TransferItem | undefined, other: TransferItem | undefined): string {
  const names = own === undefined || other === undefined ? [] : changedFields(own, other)
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}

/** The fields of an entry stand in its `data`, and beside it what plugins keep; of other objects, members are named with their place. */
function changedFields({ value: left }: TransferItem, { value: right }: TransferItem): string[] {
  return differingMembers(left, right).flatMap((name) => {
    const [own, other] = [left[name], right[name]]
    if (name === 'beside') return differingMembers(asObject(own), asObject(other))
    if (!isObject(own) || !isObject(other)) return [name]
    return differingMembers(own, other).map((member) => (name === 'data' ? member : `${name}.${member}`))
  })
}

const asObject = (value: unknown): Value => (isObject(value) ? value : {})

const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function conflictText({ changes }: ItemDifference): string {
  if (changes === undefined) return ''
  return ` [source ${changeText(changes.source)}, target ${changeText(changes.target)}]`
}

export function countsText({ puts, removals }: TransferPlan): string {
  const parts = [
    ...(puts.length > 0 ? [`write ${puts.length} items`] : []),
    ...(removals.length > 0 ? [`remove ${removals.length} items`] : []),
  ]
  const text = parts.join(' and ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function resultText({
  sections,
  included,
}: ApplyResult & { readonly included: readonly string[] }): string {
  const lines = Object.entries(sections)
    .filter(([, { put, removed }]) => put + removed > 0)
    .map(([section, { put, removed }]) => `  ${section}: ${put} written, ${removed} removed`)
  return [
    lines.length === 0 ? 'Both sides agree' : 'Transferred:',
    ...lines,
    ...(included.length > 0 ? [`  among them, as others refer to them: ${included.join(', ')}`] : []),
  ].join('\n')
}

/** What comes after a section that was applied by itself. */
export function stepText(target: string, alone: readonly string[], left: number): string[] {
  if (alone.length === 0) return []
  const rest = left === 0 ? '' : `; then transfer again: ${left} items are left`
  return [`The side ${target} uses the new ${alone.join(', ')} from its next start on: restart it${rest}`]
}
