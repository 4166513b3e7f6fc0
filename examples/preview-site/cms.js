import { createClient } from 'mortise-client'

/** Where the service and its panel are. */
export const cmsUrl = import.meta.env.VITE_CMS_URL ?? 'http://localhost:2102'

export const cms = createClient({ url: cmsUrl })
