import { useAccess } from '../../ground/access/access.ts'
import { api } from '../../ground/api/client.ts'
import { t } from '../../ground/i18n/translate.ts'
import { TextField } from '../../ground/kit/field/text-field.tsx'
import { FormDialog } from '../../ground/kit/form/form-dialog.tsx'
import { useForm } from '../../ground/kit/form/use-form.ts'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { asChoice, type Backup, backupsResource, sectionNames } from './backup.ts'
import { BackupFields } from './backup-fields.tsx'
import { retentionOf } from './retention.ts'

/** Asks for the sections of a backup and starts it in the background. */
export default function NewBackup({ onClose }: { readonly onClose: () => void }) {
  const { isOn } = useAccess()
  const offered = sectionNames.filter((name) => name !== 'media' || isOn('media'))
  const form = useForm({
    initial: { name: '', retentionDays: '30', sections: offered as readonly string[] },
    send: ({ name, retentionDays, sections }) =>
      api.send<Backup>('POST', backupsResource.path, {
        body: {
          async: true,
          retentionDays: retentionOf(retentionDays),
          sections: asChoice(sections),
          ...(name.trim() === '' ? {} : { name: name.trim() }),
        },
      }),
    refreshes: [backupsResource.key],
    onDone() {
      toast('success', t('operations.backups.making'))
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={t('operations.backups.new')}
      action={t('operations.backups.make')}
      onClose={onClose}
    >
      <TextField
        label={t('operations.backups.name')}
        help={t('operations.backups.nameHelp')}
        {...form.input('name')}
        maxLength={200}
      />
      <BackupFields form={form} offered={offered} />
    </FormDialog>
  )
}
