import { useMutation } from '@tanstack/react-query'
import type { MediaFolderNode } from '../../../../../../../client/admin.ts'
import { refreshMedia } from '../../../content/files/refresh-media.ts'
import { admin } from '../../../ground/api/admin.ts'
import { refusalStatus } from '../../../ground/api/refusal.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Confirm } from '../../../ground/kit/dialog/dialog.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { FormProblem } from '../../../ground/kit/form/form.tsx'
import { FormDialog } from '../../../ground/kit/form/form-dialog.tsx'
import { useForm } from '../../../ground/kit/form/use-form.ts'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import classes from './folder-dialogs.module.css'
import { FolderSelect } from './folder-select.tsx'

/** The current folder operation. */
export type FolderTask =
  | { readonly kind: 'create'; readonly parent: number | null }
  | { readonly kind: 'change'; readonly folder: MediaFolderNode }
  | { readonly kind: 'delete'; readonly folder: MediaFolderNode }

export interface FolderDialogProps {
  readonly tree: readonly MediaFolderNode[]
  readonly onClose: () => void
  /** Called with the folder to show afterwards. */
  readonly onDone: (folder: number | null) => void
}

/** The dialog of a folder operation. */
export function FolderDialog({ task, ...rest }: FolderDialogProps & { readonly task: FolderTask }) {
  return task.kind === 'delete' ? (
    <DeleteFolder folder={task.folder} {...rest} />
  ) : (
    <FolderForm task={task} {...rest} />
  )
}

type FormTask = Exclude<FolderTask, { readonly kind: 'delete' }>

/** A form for the name and parent of a new or existing folder. */
function FolderForm({ task, tree, onClose, onDone }: FolderDialogProps & { readonly task: FormTask }) {
  const isNew = task.kind === 'create'
  const form = useForm({
    initial: isNew
      ? { name: '', parent: task.parent }
      : { name: task.folder.name, parent: task.folder.parent },
    send: (values) =>
      isNew ? admin.mediaFolders.create(values) : admin.mediaFolders.update(task.folder.id, values),
    refreshes: ['media'],
    onDone: ({ id }) => onDone(id),
  })
  const { values, set, input, problemOf } = form
  return (
    <FormDialog
      form={form}
      title={isNew ? t('media.newFolder') : t('media.changeFolder')}
      action={isNew ? t('media.createFolder') : t('media.save')}
      size="s"
      onClose={onClose}
    >
      <TextField label={t('media.folderName')} isRequired autoFocus maxLength={255} {...input('name')} />
      <FolderSelect
        label={t('media.inside')}
        top={t('media.topLevel')}
        tree={tree}
        value={values.parent}
        onChange={(parent) => set('parent', parent)}
        {...(isNew ? {} : { moved: task.folder.id })}
      />
      <FormProblem text={problemOf('parent')} />
    </FormDialog>
  )
}

function DeleteFolder({ folder, onClose, onDone }: FolderDialogProps & { readonly folder: MediaFolderNode }) {
  const deleting = useMutation({
    mutationFn: () => admin.mediaFolders.delete(folder.id),
    onSuccess: async () => {
      onDone(folder.parent)
      await refreshMedia()
      toast('success', t('media.folderDeleted', { name: folder.name }))
    },
  })
  const isConflict = refusalStatus(deleting.error) === 409
  return (
    <Confirm
      title={t('media.deleteFolderTitle', { name: folder.name })}
      action={t('media.deleteFolder')}
      isOpen
      isDangerous
      isPending={deleting.isPending}
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
    >
      <p>{t('media.deleteFolderText')}</p>
      {deleting.error !== null && (
        <p className={classes.problem} role="alert">
          {isConflict ? t('media.folderNotEmpty') : errorText(deleting.error)}
        </p>
      )}
    </Confirm>
  )
}
