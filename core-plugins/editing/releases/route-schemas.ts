import { textSchema } from '../../foundation/http/http.ts'

export const nameSchema = textSchema({ minLength: 1, maxLength: 255 })

export const releasesPath = '/admin/content-releases'

/** The policies check what tokens and admin users each need. */
export const reads = {
  tag: 'Content releases',
  access: 'permission',
  scope: 'admin:releases:read',
  policies: ['releases.read'],
} as const
export const writes = {
  tag: 'Content releases',
  access: 'permission',
  scope: 'admin:releases:write',
  policies: ['releases.write'],
} as const
