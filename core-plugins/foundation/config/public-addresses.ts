import type { Config } from './config-service.ts'
import { panelUrl, siteUrl } from './general-settings.ts'

/** What the paths of the site begin with, such as `https://www.example.com/shop`; empty where no address is configured. */
export function siteAddress(config: Config): string {
  return baseOf(config.get(siteUrl))
}

/**
 * The public address of this service, which may be below a path of a proxy: `https://example.com/cms`. The panel is at
 * `/admin` below it; the address of the panel itself is accepted too.
 */
export function panelAddress(config: Config): string {
  return baseOf(config.get(panelUrl)).replace(/\/admin$/, '') || siteAddress(config)
}

/** Without a slash at the end, so that paths can be appended. */
function baseOf(url: string): string {
  if (url === '') return ''
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/+$/, '')
}
