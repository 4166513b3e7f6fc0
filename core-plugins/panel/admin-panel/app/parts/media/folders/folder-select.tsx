import type { MediaFolderNode } from '../../../../../../../client/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { destinationsOf, nameOfPath } from './folder-paths.ts'

export interface FolderSelectProps {
  readonly label: string
  readonly tree: readonly MediaFolderNode[]
  /** Null for no folder. */
  readonly value: number | null
  readonly onChange: (folder: number | null) => void
  /** The folder being moved: it and its descendants cannot be chosen. */
  readonly moved?: number
  readonly top?: string
  readonly isDisabled?: boolean
}

/** A choice of one folder, each shown with its path. */
export function FolderSelect({
  label,
  tree,
  value,
  onChange,
  moved,
  top,
  isDisabled = false,
}: FolderSelectProps) {
  return (
    <Select
      label={label}
      value={value === null ? '' : String(value)}
      onChange={(chosen) => onChange(chosen === '' ? null : Number(chosen))}
      isDisabled={isDisabled}
      options={[
        { value: '', label: top ?? t('media.noFolder') },
        ...destinationsOf(tree, moved).map(({ folder, path }) => ({
          value: String(folder.id),
          label: nameOfPath(path),
        })),
      ]}
    />
  )
}
