import { useAccess } from '../../ground/access/access.ts'
import { useContentTypes } from '../../ground/api/content-types.ts'
import { localeName } from '../../ground/i18n/locale-name.ts'
import { allLanguages, chooseLanguage, language, t } from '../../ground/i18n/translate.ts'
import { session } from '../../ground/session/session.ts'
import { mode } from '../chosen-mode.ts'
import { allModes, chooseMode, modeIcons } from '../mode.ts'
import { useContributions } from '../panel-part.ts'
import { useParts } from '../plugins/parts.ts'
import { pluginPagePath } from '../plugins/plugin-navigation.tsx'
import { isOpenTo, startOf } from '../screen.ts'
import { typeIcon } from '../type-icon.ts'
import type { PaletteItem } from './palette-item.ts'
import { useSectionItems } from './use-section-items.ts'

/** The screens that the user may open. */
export function useScreenItems(): readonly PaletteItem[] {
  const access = useAccess()
  const types = (useContentTypes() ?? []).filter(({ system }) => !system)
  const pages = useParts('pages')
  const screens = useContributions('screens')
  const sections = useSectionItems()
  return [
    ...screens.flatMap((screen): PaletteItem[] => {
      const { navigation } = screen
      if (navigation === undefined || !isOpenTo(screen, access)) return []
      const to = startOf(screen)
      return [{ id: to, label: t(navigation.label), icon: navigation.icon, to }]
    }),
    ...sections,
    ...types.map((type) => ({
      id: `/content/${type.name}`,
      label: type.info.displayName,
      icon: typeIcon(type),
      to: `/content/${type.name}`,
    })),
    ...pages.flatMap(({ plugin, part: { path, label, icon = 'puzzle' } }): PaletteItem[] => {
      const to = pluginPagePath(plugin, path)
      return label === undefined ? [] : [{ id: to, label, icon, to }]
    }),
  ]
}

/** Commands that are available on every screen. */
export function useCommands(): readonly PaletteItem[] {
  const { mayContent } = useAccess()
  const types = useContentTypes() ?? []
  const creatable = types.filter(
    ({ name, system, kind }) => !system && kind === 'collectionType' && mayContent(name, 'create'),
  )
  return [
    ...creatable.map(({ name, info }) => ({
      id: `new ${name}`,
      label: t('palette.new', { type: info.displayName }),
      icon: 'plus',
      to: `/content/${name}/new`,
    })),
    ...allModes
      .filter((each) => each !== mode())
      .map((each) => ({
        id: `mode ${each}`,
        label: t(`shell.mode.${each}`),
        icon: modeIcons[each],
        run: () => chooseMode(each),
      })),
    ...allLanguages
      .filter((each) => each !== language())
      .map((each) => ({
        id: `language ${each}`,
        label: t('shell.speak', { language: localeName(each) }),
        icon: 'languages',
        run: () => chooseLanguage(each),
      })),
    { id: 'sign-out', label: t('shell.signOut'), icon: 'log-out', run: () => void session.signOut() },
  ]
}
