import { useSuspenseQuery } from '@tanstack/react-query'
import { type Access, useAccess } from '../../ground/access/access.ts'
import { t } from '../../ground/i18n/translate.ts'
import { screens } from '../../screens.ts'
import { type NavigationPlace, obstacleTo, type Section } from '../screen.ts'
import type { PaletteItem } from './palette-item.ts'

interface AreaSections {
  readonly navigation: NavigationPlace
  readonly sections: readonly Section[]
}

/**
 * The sections of areas that whoever is signed in may open. Their names come with the code of the areas, and the palette waits for
 * them: coming later, they would take the place of what was found, which Enter is then pressed for.
 */
export function useSectionItems(): readonly PaletteItem[] {
  const access = useAccess()
  const { data } = useSuspenseQuery({
    queryKey: ['areas'],
    queryFn: () => loadAreas(access),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data.flatMap(({ navigation, sections }) =>
    sections.flatMap((section): PaletteItem[] => {
      const { path, label } = section
      if (label === undefined || obstacleTo(section, access) !== undefined) return []
      return [{ id: path, label: t(label), icon: navigation.icon, note: t(navigation.label), to: path }]
    }),
  )
}

/** Without those that cannot be loaded: going there will say why. */
async function loadAreas(access: Access): Promise<readonly AreaSections[]> {
  const open = screens.filter((screen) => isArea(screen.path) && obstacleTo(screen, access) === undefined)
  const loaded = await Promise.all(
    open.map(async ({ navigation, load }): Promise<AreaSections[]> => {
      const { sections = [] } = await load().catch(() => ({}) as { readonly sections?: readonly Section[] })
      return navigation === undefined ? [] : [{ navigation, sections }]
    }),
  )
  return loaded.flat()
}

const isArea = (path: string) => path.endsWith('/*?')
