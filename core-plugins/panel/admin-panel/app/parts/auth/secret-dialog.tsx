import { t } from '../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../ground/kit/button/button.tsx'
import { Dialog } from '../../ground/kit/dialog/dialog.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import classes from './secret-dialog.module.css'

export interface SecretDialogProps {
  readonly title: string
  readonly hint: string
  readonly secret: string
  readonly onClose: () => void
}

/** Shows a secret that cannot be shown again. Only its button closes the dialog. */
export function SecretDialog({ title, hint, secret, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={title}
      isOpen
      isDismissable={false}
      onClose={onClose}
      actions={
        <Button look="primary" onPress={onClose}>
          {t('people.secret.done')}
        </Button>
      }
    >
      <div className={classes.content}>
        <p>{hint}</p>
        <div className={classes.secret}>
          <code>{secret}</code>
          <IconButton
            icon="copy"
            size="s"
            label={t('people.secret.copy')}
            onPress={() => void copy(secret)}
          />
        </div>
      </div>
    </Dialog>
  )
}

/** Browsers refuse clipboard access on unencrypted pages; there, the user can select the text. */
async function copy(secret: string) {
  try {
    await navigator.clipboard.writeText(secret)
    toast('success', t('people.secret.copied'))
  } catch {
    toast('danger', t('people.secret.notCopied'))
  }
}
