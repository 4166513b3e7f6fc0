import type { Config } from './config-service.ts'
import { panelUrl, siteUrl } from './general-settings.ts'

/** What the paths of the site begin with, such as `https://www.example.com/shop`; empty where no address is configured. */
export function siteAddress(config: Config): string {
  return baseOf(config.get(siteUrl))
}

/**
 * The same of this service, which may be below a path of a proxy: `https://example.com/cms`. Its panel is at `/admin`
 * below, and whoever gives the address of the panel itself means the same.
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
