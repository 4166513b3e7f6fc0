import { createClient } from 'mortise-client'

/** The service, which has its panel and its files at another address than this site. */
export const cms = createClient({ url: import.meta.env.VITE_CMS_URL ?? 'http://localhost:2102' })
