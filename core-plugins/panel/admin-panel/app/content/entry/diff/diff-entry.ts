import type { DescribedAttribute } from '../../../../../../../client/admin.ts'
import { isObject, isSameValue, jsonText } from '../../schema/same-value.ts'
import { valueKindOf } from '../../schema/value-kinds.ts'
import type { BlockChange, Change, FieldChange } from './change.ts'
import { diffReferences } from './diff-references.ts'
import { type Block, blocksIn, componentOf, matchBlocks, pairsInPlace } from './match-blocks.ts'
import { wordsOfHtml } from './rich-text.ts'
import { diffWords } from './words.ts'

/** Fields by name, as entries, drafts and revisions hold them. */
export type Values = Readonly<Record<string, unknown>>

/** Returns the fields of a component by its uid; an empty list for an unknown uid. */
export type FieldsOfComponent = (uid: string) => readonly DescribedAttribute[]

/** The fields of an entry or a component that differ, in the order of the schema. */
export function diffEntry(
  attributes: readonly DescribedAttribute[],
  before: Values,
  after: Values,
  fieldsOf: FieldsOfComponent,
): FieldChange[] {
  return attributes.flatMap((attribute) => {
    if (attribute.inverse === true) return []
    const { name } = attribute
    const change = diffValue(attribute, before[name], after[name], fieldsOf)
    return change === undefined ? [] : [{ field: name, change }]
  })
}

/** How the value of a field has changed; undefined if it is equal. */
export function diffValue(
  attribute: DescribedAttribute,
  before: unknown,
  after: unknown,
  fieldsOf: FieldsOfComponent,
): Change | undefined {
  if (isSameValue(before, after)) return undefined
  const { type, target, component, repeatable } = attribute
  const { comparison, textOf: read = String } = valueKindOf(type)
  switch (comparison) {
    case 'words':
      return textChange('words', textOf(before), textOf(after))
    case 'html':
      return richTextChange(textOf(before), textOf(after))
    case 'json':
      return textChange('code', jsonText(before), jsonText(after))
    case 'text':
      return { kind: 'value', before: read(before), after: read(after) }
    case 'moment':
      return isSameMoment(before, after) ? undefined : { kind: 'value', before, after }
    case 'references':
      return diffReferences(before, after, target)
    case 'files':
      return diffReferences(before, after, undefined)
    case 'blocks':
      return diffBlocks('', blocksIn(before), blocksIn(after), fieldsOf)
    case 'component':
      return repeatable === true
        ? diffBlocks(String(component), blocksIn(before), blocksIn(after), fieldsOf)
        : diffComponent(String(component), before, after, fieldsOf)
    default:
      return String(before ?? '') === String(after ?? '') ? undefined : { kind: 'value', before, after }
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function textChange(of: 'words' | 'markup' | 'code', before: string, after: string): Change | undefined {
  if (before === after) return undefined
  return { kind: 'text', of, parts: diffWords(before, after) }
}

/** Compares the visible text of rich text; if that is equal, its HTML source. */
function richTextChange(before: string, after: string): Change | undefined {
  const [left, right] = [wordsOfHtml(before), wordsOfHtml(after)]
  return left === right ? textChange('markup', before, after) : textChange('words', left, right)
}

const isSameMoment = (before: unknown, after: unknown) =>
  Date.parse(String(before)) === Date.parse(String(after))

function diffComponent(
  uid: string,
  before: unknown,
  after: unknown,
  fieldsOf: FieldsOfComponent,
): Change | undefined {
  const [left, right] = [isObject(before) ? before : undefined, isObject(after) ? after : undefined]
  const fields = diffEntry(fieldsOf(uid), left ?? {}, right ?? {}, fieldsOf)
  if (left === undefined) return { kind: 'component', state: 'added', uid, fields }
  if (right === undefined) return { kind: 'component', state: 'removed', uid, fields }
  return fields.length === 0 ? undefined : { kind: 'component', state: 'changed', uid, fields }
}

function diffBlocks(
  declared: string,
  before: readonly Block[],
  after: readonly Block[],
  fieldsOf: FieldsOfComponent,
): Change | undefined {
  const pairs = matchBlocks(before, after)
  const inPlace = pairsInPlace(pairs)
  const stays = pairs.flatMap((pair): BlockChange[] => {
    const [from, to] = pair
    const uid = componentOf(after[to] ?? {}, declared)
    const fields = diffEntry(fieldsOf(uid), before[from] ?? {}, after[to] ?? {}, fieldsOf)
    const hasMoved = !inPlace.has(pair)
    if (fields.length === 0 && !hasMoved) return []
    return [{ state: fields.length === 0 ? 'moved' : 'changed', uid, from, to, hasMoved, fields }]
  })
  const paired = { from: new Set(pairs.map(([from]) => from)), to: new Set(pairs.map(([, to]) => to)) }
  const added = after.flatMap((block, to): BlockChange[] => {
    if (paired.to.has(to)) return []
    const uid = componentOf(block, declared)
    const fields = diffEntry(fieldsOf(uid), {}, block, fieldsOf)
    return [{ state: 'added', uid, from: undefined, to, hasMoved: false, fields }]
  })
  const removed = before.flatMap((block, from): BlockChange[] => {
    if (paired.from.has(from)) return []
    const uid = componentOf(block, declared)
    const fields = diffEntry(fieldsOf(uid), block, {}, fieldsOf)
    return [{ state: 'removed', uid, from, to: undefined, hasMoved: false, fields }]
  })
  const blocks = [...stays, ...added, ...removed].sort((one, other) => placeOf(one) - placeOf(other))
  return blocks.length === 0 ? undefined : { kind: 'blocks', blocks }
}

/** Sorts a removed block by its old position, before the block that is there now. */
const placeOf = ({ from, to }: BlockChange) => to ?? (from ?? 0) - 0.5
