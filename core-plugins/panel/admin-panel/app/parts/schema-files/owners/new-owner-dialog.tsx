import { useState } from 'react'
import { useLocation } from 'wouter'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Dialog } from '../../../ground/kit/dialog/dialog.tsx'
import { Select } from '../../../ground/kit/field/select.tsx'
import { TextField } from '../../../ground/kit/field/text-field.tsx'
import { changeFiles } from '../draft/draft.ts'
import { addComponent, addType, nameFrom } from '../draft/edit-owners.ts'
import classes from './new-owner.module.css'
import type { Owner } from './owner.ts'
import type { Model } from './use-model.ts'

interface NewOwnerProps {
  readonly kind: Owner['kind']
  readonly model: Model
  readonly onClose: () => void
}

/** Names derived from the display name until the user changes them. */
interface Names {
  readonly displayName: string
  readonly kind: 'collectionType' | 'singleType'
  readonly singularName?: string
  readonly pluralName?: string
  readonly category: string
}

const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,40}$/

/** Asks for the names of a new content type or component. */
export default function NewOwnerDialog({ kind, model, onClose }: NewOwnerProps) {
  const [names, setNames] = useState<Names>({ displayName: '', kind: 'collectionType', category: 'shared' })
  const [, navigate] = useLocation()
  const { displayName, category } = names
  const singularName = names.singularName ?? nameFrom(displayName)
  const pluralName = names.pluralName ?? (singularName === '' ? '' : `${singularName}s`)
  const name = kind === 'type' ? singularName : `${category}.${singularName}`
  const problem = problemOf(name, { kind, singularName, category, model })
  const isReady = displayName.trim() !== '' && problem === undefined

  function make() {
    changeFiles(model.stored, (files) =>
      kind === 'type'
        ? addType(files, { kind: names.kind, displayName, singularName, pluralName })
        : addComponent(files, { displayName, category, name: singularName }),
    )
    navigate(`/model/${kind}s/${name}`)
  }

  return (
    <Dialog
      title={kind === 'type' ? t('model.newType') : t('model.newComponent')}
      isOpen
      isUnsaved={displayName.trim() !== ''}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('kit.cancel')}</Button>
          <Button look="primary" isDisabled={!isReady} onPress={make}>
            {t('model.create')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        <TextField
          label={t('model.displayName')}
          help={t('model.displayNameHelp')}
          isRequired
          autoFocus
          value={displayName}
          onChange={(value) => setNames({ ...names, displayName: value })}
        />
        {kind === 'component' && (
          <TextField
            label={t('model.category')}
            isRequired
            value={category}
            onChange={(value) => setNames({ ...names, category: value })}
          />
        )}
        <TextField
          label={kind === 'type' ? t('model.singularName') : t('model.name')}
          help={t('model.nameHelp')}
          isRequired
          value={singularName}
          onChange={(value) => setNames({ ...names, singularName: value })}
          problem={displayName === '' ? undefined : problem}
        />
        {kind === 'type' && <TypeNames names={names} pluralName={pluralName} onChange={setNames} />}
      </div>
    </Dialog>
  )
}

interface TypeNamesProps {
  readonly names: Names
  readonly pluralName: string
  readonly onChange: (names: Names) => void
}

function TypeNames({ names, pluralName, onChange }: TypeNamesProps) {
  return (
    <>
      <TextField
        label={t('model.pluralName')}
        isRequired
        value={pluralName}
        onChange={(value) => onChange({ ...names, pluralName: value })}
      />
      <Select
        label={t('model.kind')}
        help={t('model.kindHelp')}
        value={names.kind}
        options={[
          { value: 'collectionType', label: t('model.collection') },
          { value: 'singleType', label: t('model.single') },
        ]}
        onChange={(value) => onChange({ ...names, kind: value as Names['kind'] })}
      />
    </>
  )
}

function problemOf(
  name: string,
  {
    kind,
    singularName,
    category,
    model,
  }: Pick<NewOwnerProps, 'kind' | 'model'> & { singularName: string; category: string },
): string | undefined {
  if (!namePattern.test(singularName) || (kind === 'component' && !namePattern.test(category))) {
    return t('model.badName')
  }
  const owners = kind === 'type' ? model.types : model.components
  return owners.some((each) => each.name.toLowerCase() === name.toLowerCase()) ? t('model.taken') : undefined
}
