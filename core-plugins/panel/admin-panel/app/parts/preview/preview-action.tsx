import { t } from '../../ground/i18n/translate.ts'
import { ToggleButton } from '../../ground/kit/toggle-button/toggle-button.tsx'
import { usePreview } from './use-preview.ts'

/** Shows and hides the page of the entry beside the form. */
export function PreviewAction() {
  const [isOpen, setOpen] = usePreview()
  return (
    <ToggleButton
      icon="eye"
      label={t('entry.preview')}
      isSelected={isOpen}
      onChange={() => setOpen(!isOpen)}
    />
  )
}
