import { Suspense, useState } from 'react'
import { t } from '../ground/i18n/translate.ts'
import { useShortcuts } from '../ground/keyboard/shortcuts.ts'
import { IconButton } from '../ground/kit/button/button.tsx'
import { lazyPart } from '../ground/lazy/lazy-part.ts'
import { useRecentScreens } from './palette/recent.ts'

const Palette = lazyPart(() => import('./palette/palette.tsx'))
const ShortcutsHelp = lazyPart(() => import('../ground/keyboard/shortcuts-help.tsx'))

/** The shortcuts of every screen, and the button for users who do not use them. */
export function GlobalKeys() {
  const [open, setOpen] = useState<'palette' | 'help'>()
  useRecentScreens()
  useShortcuts({ group: t('keyboard.group') }, [
    { keys: 'Mod+k', label: t('palette.title'), run: () => setOpen('palette') },
    { keys: '?', label: t('keyboard.help'), run: () => setOpen('help') },
  ])
  const close = () => setOpen(undefined)
  return (
    <>
      <IconButton icon="search" label={t('palette.title')} onPress={() => setOpen('palette')} />
      <Suspense fallback={null}>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'help' && <ShortcutsHelp onClose={close} />}
      </Suspense>
    </>
  )
}
