import { useEffect, useRef, useState } from 'react'
import { Dialog, Heading } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { t } from '../../i18n/translate.ts'
import { Button, IconButton } from '../button/button.tsx'
import classes from './dialog.module.css'
import type { LayerProps } from './dialog-props.ts'
import { useOpenDialog } from './open-dialogs.ts'

/** The shared implementation of dialogs and drawers. */
export default function DialogLayer({
  title,
  isOpen,
  onClose,
  children,
  actions,
  isDismissable = true,
  isUnsaved = false,
  shape,
  overlay,
}: LayerProps) {
  useOpenDialog(isOpen)
  const [isAsking, setAsking] = useState(false)
  const writing = useRef<Element>(null)
  const question = useRef<HTMLElement>(null)
  if (isAsking && !isUnsaved) setAsking(false)
  useEffect(() => {
    if (isAsking) question.current?.querySelector('button')?.focus()
  }, [isAsking])

  function close() {
    if (!isUnsaved) return onClose()
    if (isAsking) return keepWriting()
    writing.current = document.activeElement
    setAsking(true)
  }

  function keepWriting() {
    setAsking(false)
    if (writing.current instanceof HTMLElement) writing.current.focus()
  }
  return (
    <ModalOverlay
      className={`${classes.overlay} ${overlay}`}
      isOpen={isOpen}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      onOpenChange={(open) => !open && close()}
    >
      <Modal className={shape}>
        <Dialog className={classes.dialog ?? ''}>
          <header className={classes.header}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {isDismissable && <IconButton icon="x" label={t('kit.close')} size="s" onPress={close} />}
          </header>
          <div className={classes.content}>{children}</div>
          {isAsking ? (
            <footer ref={question} className={classes.actions}>
              <p role="alert" className={classes.question}>
                {t('kit.dropQuestion')}
              </p>
              <Button onPress={keepWriting}>{t('kit.keepWriting')}</Button>
              <Button look="danger" onPress={onClose}>
                {t('kit.drop')}
              </Button>
            </footer>
          ) : (
            actions !== undefined && <footer className={classes.actions}>{actions}</footer>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
