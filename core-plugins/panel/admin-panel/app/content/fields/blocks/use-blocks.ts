import { useMemo } from 'react'
import type { Components } from '../../../ground/api/components.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { movedTo } from '../../../ground/kit/sortable/moved-to.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { useEntrySession } from '../../entry/entry-session.ts'
import type { ValuePath } from '../../schema/value-path.ts'
import { type Block, blocksOf, newBlockId, newValuesOf, titleOfBlock } from './block.ts'
import { copyText, type Pasted, pastedBlocks } from './block-clipboard.ts'
import { copyOf, insertedAt, removedAt, withIds } from './block-list.ts'

/** A field of blocks and the components that it allows. */
export interface BlockField {
  readonly path: ValuePath
  /** Components, by name. */
  readonly allowed: readonly string[]
  /** Whether each block names its component. */
  readonly isZone: boolean
  readonly min: number
  readonly max: number
}

/** Operations on the blocks of a field; each is one undo step. */
export interface BlockActions {
  /** Returns the id of the new block. */
  add(uid: string, index: number): string
  remove(index: number): void
  duplicate(index: number): string
  /** Moves a block before the one now at `before`. Returns the id of the moved block. */
  move(from: number, before: number): string
  copy(index: number): Promise<void>
  /**
   * Inserts the blocks of a text as far as the field allows them, and reports the others. False if the text is not copied blocks.
   */
  paste(text: string, index: number): boolean
}

/** The actions of a field of blocks; the object stays the same while the field does. */
export function useBlocks(field: BlockField, components: Components): BlockActions {
  const { store } = useEntrySession()
  const { path, allowed, isZone, max } = field
  return useMemo(() => {
    const current = () => withIds(blocksOf(store.valueAt(path)))
    const set = (blocks: readonly Block[]) => store.change(path, blocks)
    const idAt = (blocks: readonly Block[], index: number) => String(blocks[index]?.id)

    function insert(index: number, added: readonly Block[]): string {
      set(insertedAt(current(), index, added))
      return idAt(added, 0)
    }

    return {
      add(uid, index) {
        const component = components.get(uid)
        const values = component === undefined ? {} : newValuesOf(component, components)
        const kind = isZone ? { __component: uid } : {}
        return insert(index, [{ ...kind, ...values, id: newBlockId() }])
      },
      remove(index) {
        const before = current()
        set(removedAt(before, index))
        const removed = before[index]
        if (removed === undefined) return
        toast('info', t('blocks.removed', { name: nameOf(removed, field, components) }), {
          label: t('blocks.undo'),
          // Other blocks may have been added or removed since.
          onAction: () => set(insertedAt(current(), Math.min(index, current().length), [removed])),
        })
      },
      duplicate(index) {
        const block = current()[index]
        return block === undefined ? '' : insert(index + 1, [copyOf(block)])
      },
      move(from, before) {
        const blocks = current()
        set(movedTo(blocks, from, before))
        return idAt(blocks, from)
      },
      async copy(index) {
        const block = current()[index]
        if (block === undefined) return
        await navigator.clipboard.writeText(copyText([block], isZone ? undefined : allowed[0]))
        toast('success', t('blocks.copied', { name: nameOf(block, field, components) }))
      },
      paste(text, index) {
        const pasted = pastedBlocks(text, { allowed, components, isZone })
        if (pasted === undefined) return false
        const room = max - current().length
        toastRefused(pasted, room, components)
        const fitting = pasted.blocks.slice(0, Math.max(0, room))
        if (fitting.length > 0) insert(index, fitting)
        return true
      },
    }
  }, [store, components, path, allowed.join(' '), isZone, max])
}

/** The title of a block, or the name of its component. */
function nameOf(block: Block, { allowed }: BlockField, components: Components): string {
  const component = components.get(String(block.__component ?? allowed[0]))
  return titleOfBlock(block, component) || (component?.info.displayName ?? '')
}

function toastRefused({ blocks, refused }: Pasted, room: number, components: Components) {
  const names = refused.map((uid) => components.get(uid)?.info.displayName ?? uid)
  if (names.length > 0) toast('danger', t('blocks.notAllowed', { names: names.join(', ') }))
  if (blocks.length > room) toast('danger', t('blocks.noRoom', { count: blocks.length - Math.max(0, room) }))
}
