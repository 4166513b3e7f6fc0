import { Dialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../button/button.tsx'
import classes from './dialog.module.css'
import type { LayerProps } from './dialog-props.ts'
import { useOpenDialog } from './open-dialogs.ts'

/** A dialog, whatever its shape. */
export default function DialogLayer({
  title,
  isOpen,
  onClose,
  children,
  actions,
  isDismissable = true,
  shape,
  overlay,
}: LayerProps) {
  useOpenDialog(isOpen)
  return (
    <ModalOverlay
      className={`${classes.overlay} ${overlay}`}
      isOpen={isOpen}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className={shape}>
        <Dialog className={classes.dialog ?? ''}>
          <header className={classes.header}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {isDismissable && <IconButton icon="x" label={t('kit.close')} size="s" onPress={onClose} />}
          </header>
          <div className={classes.content}>{children}</div>
          {actions !== undefined && <footer className={classes.actions}>{actions}</footer>}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
