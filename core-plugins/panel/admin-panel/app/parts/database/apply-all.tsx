import type { SchemaChange } from '../../../../../../client/admin.ts'
import { api } from '../../ground/api/client.ts'
import { useContentTypes } from '../../ground/api/content-types.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Checkbox } from '../../ground/kit/checkbox/checkbox.tsx'
import { CheckboxList } from '../../ground/kit/checkbox/checkbox-list.tsx'
import { Select } from '../../ground/kit/field/select.tsx'
import { FormDialog } from '../../ground/kit/form/form-dialog.tsx'
import { useForm } from '../../ground/kit/form/use-form.ts'
import { placeOf, type SyncAnswer, typesWaitingFor } from './schema-change.ts'

interface ApplyAllProps {
  readonly pending: readonly SchemaChange[]
  readonly onDone: (answer: SyncAnswer) => void
  readonly onClose: () => void
}

/** Shows again what would be lost, and asks what to do with drafts and with the data of disabled plugins. */
export default function ApplyAll({ pending, onDone, onClose }: ApplyAllProps) {
  const plugins = [...new Set(pending.flatMap(({ plugin }) => plugin ?? []))]
  const all = useContentTypes() ?? []
  const form = useForm({ initial, send, onDone })
  const { values, set, problemOf } = form
  const lost = pending.filter(
    ({ safe, plugin }) => !safe && (plugin === null || values.dropDataOf.includes(plugin)),
  )
  return (
    <FormDialog
      form={form}
      title={t('operations.database.applyAllTitle')}
      action={t('operations.database.applyNow')}
      isReady={values.isUnderstood}
      onClose={onClose}
    >
      <p>{t('operations.database.applyAllText')}</p>
      <p>{t('operations.database.lost')}</p>
      <ul>
        {lost.map((change) => (
          <li key={`${change.change} ${placeOf(change)}`}>
            <code>{placeOf(change)}</code> {change.reason}
          </li>
        ))}
      </ul>
      {plugins.length > 0 && (
        <CheckboxList
          label={t('operations.database.dropDataOf')}
          options={plugins.map((name) => ({ value: name, label: name }))}
          chosen={values.dropDataOf}
          onChange={(chosen) => set('dropDataOf', chosen)}
          problem={problemOf('dropDataOf')}
        />
      )}
      {typesWaitingFor('end-drafts', pending, all).map(({ name, info }) => (
        <Select
          key={name}
          label={t('operations.database.drafts', { type: info.displayName })}
          value={values.drafts[name] ?? ''}
          onChange={(decision) => set('drafts', { ...values.drafts, [name]: decision })}
          placeholder={t('operations.database.draftsLater')}
          options={[
            { value: 'publish', label: t('operations.database.draftsPublish') },
            { value: 'delete', label: t('operations.database.draftsDelete') },
          ]}
        />
      ))}
      {typesWaitingFor('end-trash', pending, all).map(({ name, info }) => (
        <Select
          key={name}
          label={t('operations.database.trash', { type: info.displayName })}
          value={values.trash[name] ?? ''}
          onChange={(decision) => set('trash', { ...values.trash, [name]: decision })}
          placeholder={t('operations.database.draftsLater')}
          options={[
            { value: 'restore', label: t('operations.database.trashRestore') },
            { value: 'delete', label: t('operations.database.trashDelete') },
          ]}
        />
      ))}
      <Checkbox isSelected={values.isUnderstood} onChange={(isSo) => set('isUnderstood', isSo)}>
        {t('operations.database.understood')}
      </Checkbox>
    </FormDialog>
  )
}

const initial = {
  dropDataOf: [] as readonly string[],
  drafts: {} as Readonly<Record<string, string>>,
  trash: {} as Readonly<Record<string, string>>,
  isUnderstood: false,
}

function send({ dropDataOf, drafts, trash }: typeof initial): Promise<SyncAnswer> {
  return api.send('POST', '/database/safe-sync', {
    body: { allowDestructive: true, dropDataOf, drafts: decided(drafts), trash: decided(trash) },
  })
}

const decided = (decisions: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(decisions).filter(([, decision]) => decision !== ''))
