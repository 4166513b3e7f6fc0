import { t } from '../../ground/i18n/translate.ts'
import { CheckboxList } from '../../ground/kit/checkbox/checkbox-list.tsx'
import { type SectionName, sectionNames } from './backup.ts'

interface SectionChoiceProps {
  readonly label: string
  readonly offered?: readonly SectionName[]
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
  readonly problem?: string | undefined
}

/** A choice of backup sections. */
export function SectionChoice({ offered = sectionNames, ...rest }: SectionChoiceProps) {
  const options = offered.map((value) => ({ value, label: t(`operations.backups.section.${value}`) }))
  return <CheckboxList {...rest} options={options} />
}
