import { type ReactNode, Suspense, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { lazyPart } from '../../lazy/lazy-part.ts'
import { Button } from '../button/button.tsx'
import classes from './dialog.module.css'
import type { DialogProps, LayerProps } from './dialog-props.ts'

/** A box over the page that asks for an answer. Focus goes into it and comes back. */
export function Dialog({ size = 'm', ...props }: DialogProps) {
  return <Layer {...props} shape={`${classes.box} ${classes[size]}`} overlay={classes.centred ?? ''} />
}

/** A sheet from the side, for something made or looked at beside the page; the whole screen on a phone. */
export function Drawer(props: Omit<DialogProps, 'size'>) {
  return <Layer {...props} shape={classes.drawer ?? ''} overlay={classes.aside ?? ''} />
}

const DialogLayer = lazyPart(() => import('./dialog-layer.tsx'))

/** Its code is fetched when the first dialog opens; it stays until it is gone from sight. */
function Layer(props: LayerProps) {
  const [hasBeenOpen, setHasBeenOpen] = useState(props.isOpen)
  if (props.isOpen && !hasBeenOpen) setHasBeenOpen(true)
  if (!hasBeenOpen) return null
  return (
    <Suspense fallback={null}>
      <DialogLayer {...props} />
    </Suspense>
  )
}

export interface ConfirmProps {
  readonly title: string
  readonly children: ReactNode
  /** The verb of what happens: "Delete 3 entries". */
  readonly action: string
  readonly isOpen: boolean
  readonly size?: 's' | 'm' | 'l'
  readonly isDismissable?: boolean
  readonly isUnsaved?: boolean
  readonly isDangerous?: boolean
  readonly isPending?: boolean
  /** It cannot be done as it is: something has to be chosen first. */
  readonly isDisabled?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something is done, for what it takes or only for a yes. */
export function Confirm({
  action,
  isDangerous = false,
  isPending = false,
  isDisabled = false,
  size = 's',
  onConfirm,
  ...dialog
}: ConfirmProps) {
  return (
    <Dialog
      {...dialog}
      size={size}
      actions={
        <>
          <Button onPress={dialog.onClose}>{t('kit.cancel')}</Button>
          <Button
            look={isDangerous ? 'danger' : 'primary'}
            isPending={isPending}
            isDisabled={isDisabled}
            onPress={onConfirm}
          >
            {action}
          </Button>
        </>
      }
    />
  )
}
