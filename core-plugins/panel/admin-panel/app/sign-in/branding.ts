import { apiPrefix } from '../ground/session/api-prefix.ts'
import { mode } from '../shell/chosen-mode.ts'
import { element } from './element.ts'

interface Theme {
  readonly branding: Readonly<Record<string, string>>
  readonly settings: Readonly<Record<string, unknown>>
}

/** Shows the branding. The form works without it. */
export async function showBranding(card: HTMLElement) {
  try {
    const response = await fetch(`${apiPrefix}/admin/theme`)
    const { data } = (await response.json()) as { data: Theme }
    card.prepend(brandOf(data))
    const { favicon, background } = data.branding
    if (background !== undefined) card.prepend(pictureOf(background))
    if (favicon !== undefined) document.querySelector('link[rel=icon]')?.setAttribute('href', favicon)
  } catch {
    // The service cannot be reached; the form will say so.
  }
}

/** A background picture; removed with the card when the application starts. */
function pictureOf(address: string): HTMLElement {
  const picture = element('div', { class: 'picture' })
  picture.style.backgroundImage = `url("${address}")`
  return picture
}

function brandOf({ branding, settings }: Theme): HTMLElement {
  const { title = '', tagline, logo, logoDark } = branding
  const chosen = mode()
  const isDark =
    chosen === 'dark' || (chosen === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  const picture = (isDark ? logoDark : undefined) ?? logo
  const { greeting } = settings
  const lines = [typeof greeting === 'string' ? greeting : undefined, tagline]
  return element(
    'div',
    { class: 'brand' },
    ...(picture === undefined ? [] : [element('img', { src: picture, alt: '' })]),
    element('p', { class: 'name' }, title || 'Mortise'),
    ...lines.filter((line) => line !== undefined && line !== '').map((line) => element('p', {}, line ?? '')),
  )
}
