import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../ground/api/client.ts'
import { apiPrefix } from '../ground/session/api-prefix.ts'

/** What a theme says beyond its style sheet; see docs/themes.md. */
export interface Theme {
  readonly branding: Readonly<Record<string, string>>
  readonly layout: Readonly<Record<string, unknown>>
}

/** The theme of the panel; that of the panel itself until it is known. */
export function useTheme(): Theme {
  const { data } = useQuery({
    queryKey: ['theme'],
    queryFn: ({ signal }) => api.send<Theme>('GET', '/admin/theme', { signal }),
    staleTime: 5 * 60_000,
  })
  return data ?? plain
}

const plain: Theme = { branding: {}, layout: {} }

/** Puts its density and name where styles and titles find them; once in the page. */
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

/** Shows a theme that has just been chosen; other pages have it when they are loaded. */
export function reloadThemeStyles() {
  const path = `${apiPrefix}/admin/theme.css`
  document.querySelector(`link[href^="${path}"]`)?.setAttribute('href', `${path}?at=${Date.now()}`)
}
