import { useLocation } from 'wouter'
import { t } from '../../../ground/i18n/translate.ts'
import { Confirm } from '../../../ground/kit/dialog/dialog.tsx'
import { changeFiles } from '../draft/draft.ts'
import { removeOwner, usesOf } from '../draft/edit-owners.ts'
import type { Owner } from '../owners/owner.ts'
import type { Model } from '../owners/use-model.ts'
import classes from './fields.module.css'

interface DeleteOwnerProps {
  readonly model: Model
  readonly owner: Owner
  readonly onClose: () => void
}

/** Confirms deleting a type or component, and lists the fields deleted with it. */
export default function DeleteOwner({ model, owner, onClose }: DeleteOwnerProps) {
  const [, navigate] = useLocation()
  const uses = usesOf(owner, model.files)
  function remove() {
    changeFiles(model.stored, (files) => removeOwner(files, owner))
    navigate(`/model/${owner.kind}s`)
  }
  return (
    <Confirm
      title={t('model.deleteTitle', { name: owner.displayName })}
      action={owner.kind === 'type' ? t('model.deleteType') : t('model.deleteComponent')}
      isOpen
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    >
      <div className={classes.form}>
        <p>{t('model.deleteText')}</p>
        {uses.length > 0 && (
          <>
            <p>{t('model.deleteUses', { count: uses.length })}</p>
            <ul>
              {uses.map(({ owner: { name }, field }) => (
                <li key={`${name}.${field}`}>
                  {name}.{field}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Confirm>
  )
}
