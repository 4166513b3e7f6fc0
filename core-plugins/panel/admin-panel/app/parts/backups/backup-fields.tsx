import { t } from '../../ground/i18n/translate.ts'
import { NumberField } from '../../ground/kit/field/text-field.tsx'
import type { FormState } from '../../ground/kit/form/use-form.ts'
import type { SectionName } from './backup.ts'
import { SectionChoice } from './section-choice.tsx'

interface BackupFieldsProps {
  readonly form: Pick<
    FormState<{ retentionDays: string; sections: readonly string[] }>,
    'values' | 'set' | 'input' | 'problemOf'
  >
  readonly offered?: readonly SectionName[]
}

/** Inputs for the retention and sections of a backup. */
export function BackupFields({ form: { values, set, input, problemOf }, ...offer }: BackupFieldsProps) {
  return (
    <>
      <NumberField
        label={t('operations.backups.retention')}
        {...input('retentionDays')}
        min={0}
        max={36_500}
      />
      <SectionChoice
        {...offer}
        label={t('operations.backups.contents')}
        chosen={values.sections}
        onChange={(sections) => set('sections', sections)}
        problem={problemOf('sections')}
      />
    </>
  )
}
