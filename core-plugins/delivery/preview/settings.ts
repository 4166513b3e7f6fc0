import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

const maxOrigins = 50

/** The origins of pages that the panel may frame, and to which it sends drafts. */
export const previewOrigins = defineSetting(
  'security.preview.origins',
  Type.Array(Type.String({ maxLength: 255 }), {
    env: 'SVC_PREVIEW_ORIGINS',
    tier: 'runtime',
    // Reserved, since the setting decides where drafts are sent.
    isReserved: true,
    default: [],
    maxItems: maxOrigins,
    title: 'Origins of previews',
    description:
      'Web origins such as https://www.example.com whose pages the panel shows beside the form, and which it gives ' +
      'drafts to. Addresses of previews that begin with / are at the first one.',
  }),
  (origins) => {
    const wrong = origins.find((origin) => !isWebOrigin(origin))
    if (wrong === undefined) return undefined
    return {
      severity: 'fatal',
      message: `has "${wrong}", which is not a web origin`,
      remedy:
        'list origins such as https://www.example.com or http://localhost:5173, without a path or wildcards',
    }
  },
)

/** Whether a text is an origin as browsers write it: scheme and host in lower case, without the default port. */
function isWebOrigin(text: string): boolean {
  if (!/^https?:\/\/[^\s;,'"*]+$/.test(text) || !URL.canParse(text)) return false
  return new URL(text).origin === text
}
