import { useId } from 'react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import classes from './form.module.css'
import { FormProblem, type FormProps } from './form.tsx'

export interface FormDialogProps extends FormProps {
  readonly title: string
  readonly onClose: () => void
  readonly size?: 's' | 'm' | 'l'
}

/** A form in a dialog. It can be sent immediately unless `isReady` is false. */
export function FormDialog(props: FormDialogProps) {
  const { form, title, action, onClose, size = 'm', isReady = true, children } = props
  const id = useId()
  return (
    <Dialog
      title={title}
      size={size}
      isOpen
      isDismissable={false}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('kit.cancel')}</Button>
          <Button look="primary" type="submit" form={id} isPending={form.isPending} isDisabled={!isReady}>
            {action}
          </Button>
        </>
      }
    >
      <form id={id} className={classes.form} onSubmit={form.submit} noValidate>
        {children}
        <FormProblem text={form.failure} />
      </form>
    </Dialog>
  )
}
