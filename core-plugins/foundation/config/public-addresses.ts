import type { Config } from './config-service.ts'
import { panelUrl, siteUrl } from './general-settings.ts'

/**
 * The address with which URLs of the site begin, such as `https://www.example.com/shop`; empty if none is configured.
 */
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

/** Removes the trailing slash, so that paths can be appended. */
function baseOf(url: string): string {
  if (url === '') return ''
  const { origin, pathname } = new URL(url)
  return origin + pathname.replace(/\/+$/, '')
}
