import { Suspense, useState } from 'react'
import type { Components } from '../../../ground/api/components.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import classes from './blocks.module.css'
import type { BlockField } from './use-blocks.ts'

const BlockPicker = lazyPart(() => import('./block-picker.tsx'))

export interface AddBlockProps {
  /** Whether the button is in a gap between two blocks or below the last one. */
  readonly look: 'between' | 'end'
  readonly field: BlockField
  readonly components: Components
  readonly isDisabled: boolean
  readonly onAdd: (uid: string) => void
  /** Returns false if the text is not copied blocks. */
  readonly onPaste: (text: string) => boolean
}

/** Adds a block: directly if only one component is allowed, otherwise by choosing one. */
export function AddBlock({ look, field, components, isDisabled, onAdd, onPaste }: AddBlockProps) {
  const [isPicking, setPicking] = useState(false)
  const known = field.allowed.filter((uid) => components.has(uid))
  const [first] = known
  const name = components.get(first ?? '')?.info.displayName ?? ''
  const label = known.length === 1 ? t('blocks.addOne', { name }) : t('blocks.add')
  const add = () => (known.length === 1 && first !== undefined ? onAdd(first) : setPicking(true))
  return (
    <>
      {look === 'between' ? (
        <button
          type="button"
          className={classes.between}
          aria-label={t('blocks.addHere')}
          disabled={isDisabled}
          onClick={add}
        >
          <Icon name="plus" size="s" />
        </button>
      ) : (
        <div className={classes.end}>
          <Button icon="plus" size="s" isDisabled={isDisabled} onPress={add}>
            {label}
          </Button>
          <Button
            icon="clipboard-paste"
            size="s"
            look="plain"
            isDisabled={isDisabled}
            onPress={() => void paste(onPaste)}
          >
            {t('blocks.paste')}
          </Button>
        </div>
      )}
      {isPicking && (
        <Suspense>
          <BlockPicker
            components={known.flatMap((uid) => components.get(uid) ?? [])}
            onChoose={(uid) => {
              setPicking(false)
              onAdd(uid)
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Browsers may ask the user or refuse when a page reads the clipboard; pasting by keyboard always works. */
async function paste(onPaste: (text: string) => boolean) {
  const text = await readClipboard()
  if (text === undefined) toast('info', t('blocks.pasteByKeys'))
  else if (!onPaste(text)) toast('info', t('blocks.nothingToPaste'))
}

async function readClipboard(): Promise<string | undefined> {
  try {
    return await navigator.clipboard.readText()
  } catch {
    return undefined
  }
}
