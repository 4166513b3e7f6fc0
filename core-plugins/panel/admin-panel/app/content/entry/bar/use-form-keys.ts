import { t } from '../../../ground/i18n/translate.ts'
import { useShortcuts } from '../../../ground/keyboard/shortcuts.ts'
import { useEntrySession } from '../entry-session.ts'
import { useSteps } from './use-steps.ts'

/** Keyboard shortcuts for save, undo and redo of the whole form; rich text and source editors undo their own steps first. */
export function useFormKeys() {
  const { save, isReadOnly } = useEntrySession()
  const { undo, redo } = useSteps()
  useShortcuts(
    { group: t('entry.keys') },
    isReadOnly
      ? []
      : [
          { keys: 'Mod+s', label: t('entry.save'), run: () => void save() },
          { keys: 'Mod+z', label: t('entry.undo'), run: undo },
          { keys: 'Mod+Shift+z', label: t('entry.redo'), run: redo },
          { keys: 'Mod+y', label: t('entry.redo'), run: redo },
        ],
  )
}
