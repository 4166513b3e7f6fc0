import { t } from '../../../ground/i18n/translate.ts'
import { Select } from '../../../ground/kit/field/select.tsx'
import { nameOfPath, placedFolders } from '../folders/folder-paths.ts'
import { useFolderTree } from '../media-queries.ts'
import type { MediaView } from '../media-view.ts'

export interface PickerFolderProps {
  readonly value: MediaView['folder']
  readonly onChange: (folder: MediaView['folder']) => void
}

/** Which folder the picker shows. */
export function PickerFolder({ value, onChange }: PickerFolderProps) {
  const tree = useFolderTree() ?? []
  return (
    <Select
      label={t('media.folder')}
      isLabelHidden
      value={String(value)}
      onChange={(chosen) => onChange(chosen === 'all' || chosen === 'root' ? chosen : Number(chosen))}
      options={[
        { value: 'all', label: t('media.allFiles') },
        { value: 'root', label: t('media.noFolder') },
        ...placedFolders(tree).map(({ folder, path }) => ({
          value: String(folder.id),
          label: nameOfPath(path),
        })),
      ]}
    />
  )
}
