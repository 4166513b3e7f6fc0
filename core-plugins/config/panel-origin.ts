import type { Config } from './config-service.ts'
import { panelUrl, siteUrl } from './general-settings.ts'

/** The origin of the panel, for links in mails; empty where no address is configured. */
export function panelOrigin(config: Config): string {
  const url = config.get(panelUrl) || config.get(siteUrl)
  return url === '' ? '' : new URL(url).origin
}
