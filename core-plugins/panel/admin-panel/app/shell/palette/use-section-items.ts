import { useSuspenseQuery } from '@tanstack/react-query'
import { type Access, useAccess } from '../../ground/access/access.ts'
import { t } from '../../ground/i18n/translate.ts'
import { contributionsOf, useContributions } from '../panel-part.ts'
import { isOpenTo, isWithin, type Screen, startOf } from '../screen.ts'
import type { PaletteItem } from './palette-item.ts'

/**
 * The sections of areas that the user may open. They are loaded with the code of the areas, and the palette waits for them: added
 * later, they could take the place of the result that the user is about to open with Enter.
 */
export function useSectionItems(): readonly PaletteItem[] {
  const access = useAccess()
  const { data: areas } = useSuspenseQuery({
    queryKey: ['areas'],
    queryFn: () => loadAreas(access),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const sections = useContributions('sections').filter((section) => isOpenTo(section, access))
  return areas.flatMap((area) =>
    sections.flatMap(({ path, label }): PaletteItem[] => {
      const { navigation } = area
      if (label === undefined || navigation === undefined || !isWithin(startOf(area), path)) return []
      return [{ id: path, label: t(label), icon: navigation.icon, note: t(navigation.label), to: path }]
    }),
  )
}

/** Skips areas that cannot be loaded: opening them shows the error. */
async function loadAreas(access: Access): Promise<readonly Screen[]> {
  const open = contributionsOf('screens', access).filter(
    (screen) => screen.path.endsWith('/*?') && isOpenTo(screen, access),
  )
  const loaded = await Promise.allSettled(open.map(({ load }) => load()))
  return open.filter((_, index) => loaded[index]?.status === 'fulfilled')
}
