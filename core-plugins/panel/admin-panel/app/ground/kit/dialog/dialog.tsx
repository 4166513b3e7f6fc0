import { type ReactNode, Suspense, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { lazyPart } from '../../lazy/lazy-part.ts'
import { Button } from '../button/button.tsx'
import classes from './dialog.module.css'
import type { DialogProps, LayerProps } from './dialog-props.ts'

/** A modal dialog. Focus moves into it and returns afterwards. */
export function Dialog({ size = 'm', ...props }: DialogProps) {
  return <Layer {...props} shape={`${classes.box} ${classes[size]}`} overlay={classes.centred ?? ''} />
}

/** A sheet from the side for creating or viewing something; full screen on phones. */
export function Drawer(props: Omit<DialogProps, 'size'>) {
  return <Layer {...props} shape={classes.drawer ?? ''} overlay={classes.aside ?? ''} />
}

const DialogLayer = lazyPart(() => import('./dialog-layer.tsx'))

/** Loads the dialog code when the first dialog opens; stays mounted until the closing animation ends. */
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
  /** The label of the confirm button, with a verb: "Delete 3 entries". */
  readonly action: string
  readonly isOpen: boolean
  readonly size?: 's' | 'm' | 'l'
  readonly isDismissable?: boolean
  readonly isUnsaved?: boolean
  readonly isDangerous?: boolean
  readonly isPending?: boolean
  /** Whether the action is unavailable, for example until something is chosen. */
  readonly isDisabled?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks for confirmation, optionally with inputs. */
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
