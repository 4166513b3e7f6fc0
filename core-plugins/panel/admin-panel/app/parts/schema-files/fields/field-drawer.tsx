import { useState } from 'react'
import { isSameValue } from '../../../content/schema/same-value.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Drawer } from '../../../ground/kit/dialog/dialog.tsx'
import { changeFiles, filesOf, useDraft } from '../draft/draft.ts'
import { putField, removeField } from '../draft/edit-fields.ts'
import { type FileAttribute, fieldsOf } from '../draft/file-content.ts'
import { renamed } from '../draft/rename.ts'
import type { Owner } from '../owners/owner.ts'
import type { Model } from '../owners/use-model.ts'
import { FieldForm } from './field-form.tsx'
import type { FieldInput } from './field-input.ts'
import { nameProblem } from './field-name.tsx'
import { problemsAt } from './problems.ts'

interface FieldDrawerProps {
  readonly model: Model
  readonly owner: Owner
  /** Undefined for a new one. */
  readonly field: string | undefined
  readonly onClose: () => void
}

const fresh: FileAttribute = { type: 'string' }

/** Edits a field with all options of its type. */
export default function FieldDrawer({ model, owner, field, onClose }: FieldDrawerProps) {
  const present = owner.fields.find(({ name, isOwn }) => isOwn && name === field)
  const earlier = inputOf(field, present?.attribute)
  const [input, setInput] = useState<FieldInput>(earlier)
  const { problems } = useDraft()
  const isNew = present === undefined
  const nameText = nameProblem(input.name, { owner, earlier: field })

  function apply() {
    changeFiles(model.stored, (files) => {
      const { name, otherSide } = input
      const stored = fieldsOf(filesOf(model.stored).get(owner.path))
      const attribute =
        field === undefined ? input.attribute : renamed(input.attribute, { earlier: field, name, stored })
      const isOwning = attribute.type === 'relation' && attribute.mappedBy === undefined
      return putField(files, { owner, earlier: field, name, attribute, ...(isOwning ? { otherSide } : {}) })
    })
    onClose()
  }

  function remove() {
    if (field !== undefined) changeFiles(model.stored, (files) => removeField(files, owner, field))
    onClose()
  }

  return (
    <Drawer
      title={isNew ? t('model.newField') : t('model.field', { name: field ?? '' })}
      isOpen
      isUnsaved={!isSameValue(input, earlier)}
      onClose={onClose}
      actions={
        <>
          {!isNew && (
            <Button look="danger" icon="trash-2" onPress={remove}>
              {t('model.removeField')}
            </Button>
          )}
          <Button look="primary" isDisabled={nameText !== undefined} onPress={apply}>
            {isNew ? t('model.addField') : t('model.apply')}
          </Button>
        </>
      }
    >
      <FieldForm
        model={model}
        owner={owner}
        earlier={field}
        input={input}
        onChange={setInput}
        problems={problemsAt(problems, owner.path).ofField.get(field ?? '') ?? []}
        nameProblem={input.name === '' ? undefined : nameText}
      />
    </Drawer>
  )
}

function inputOf(field = '', attribute: FileAttribute = fresh): FieldInput {
  const { inversedBy } = attribute
  return { name: field, attribute, otherSide: typeof inversedBy === 'string' ? inversedBy : '' }
}
