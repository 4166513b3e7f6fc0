import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../ground/api/client.ts'
import { apiPrefix } from '../ground/session/api-prefix.ts'

/** The settings of a theme besides its style sheet; see docs/themes.md. */
export interface Theme {
  readonly branding: Readonly<Record<string, string>>
  readonly layout: Readonly<Record<string, unknown>>
}

/** The chosen theme; the panel's default while loading. */
export function useTheme(): Theme {
  const { data } = useQuery({
    queryKey: ['theme'],
    queryFn: ({ signal }) => api.send<Theme>('GET', '/admin/theme', { signal }),
    staleTime: 5 * 60_000,
  })
  return data ?? plain
}

const plain: Theme = { branding: {}, layout: {} }

/** Applies the theme's density and name to the document; call it once per page. */
export function useShownTheme(): Theme {
  const theme = useTheme()
  const { density } = theme.layout
  const { title, favicon } = theme.branding
  useEffect(() => {
    const { dataset } = document.documentElement
    dataset.density = density === 'compact' ? 'compact' : 'comfortable'
    if (title !== undefined && title !== '') dataset.site = title
    if (favicon !== undefined) document.querySelector('link[rel=icon]')?.setAttribute('href', favicon)
  }, [density, title, favicon])
  return theme
}

/** Applies a newly chosen theme; other open pages get it when they are reloaded. */
export function reloadThemeStyles() {
  const path = `${apiPrefix}/admin/theme.css`
  document.querySelector(`link[href^="${path}"]`)?.setAttribute('href', `${path}?at=${Date.now()}`)
}
